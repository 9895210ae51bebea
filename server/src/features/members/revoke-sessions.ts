// Revokes every session of a member, and every grant of OAuth: with a refresh token a client would get the next session.

import type { Caller } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import { transact } from '../../database/transact.ts';
import { revokeSessions } from '../member-sessions/revoke.ts';
import { revokeGrantsOf } from '../oauth-grants/revoke.ts';
import { getMember } from './get.ts';
import type { Member } from './member.ts';

export async function revokeMemberSessions(app: App, caller: Caller, id: string): Promise<Member> {
  const member = await getMember(app, caller, id);
  await transact(app, async (app) => {
    await revokeSessions(app, caller, member);
    await revokeGrantsOf(app, caller, member);
  });
  return { ...member, active_sessions: 0 };
}
