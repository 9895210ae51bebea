// Revokes every session of a member, and every grant of OAuth: with a refresh token a client would get the next session.

import type { Member } from '@toolgate/contract/members/member.ts';
import type { Caller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { revokeSessions } from '../member-sessions/revoke.ts';
import { getMember } from './read.ts';

/** Ends the grants of OAuth of a member. The OAuth features stand above this one, so they hand it in. */
export type RevokeGrants = (app: App, caller: Caller, member: Member) => Promise<void>;

export async function revokeMemberSessions(
  app: App,
  caller: Caller,
  id: string,
  revokeGrants: RevokeGrants,
): Promise<Member> {
  const member = await getMember(app, caller, id);
  await transact(app, async (app) => {
    await revokeSessions(app, caller, member);
    await revokeGrants(app, caller, member);
  });
  return { ...member, active_sessions: 0 };
}
