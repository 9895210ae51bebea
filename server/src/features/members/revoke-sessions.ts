// Revokes every session of a member.

import type { Caller } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import { revokeSessions } from '../member-sessions/revoke.ts';
import { getMember } from './get.ts';
import type { MemberWithSessions } from './member.ts';

export async function revokeMemberSessions(app: App, caller: Caller, id: string): Promise<MemberWithSessions> {
  const member = await getMember(app, caller, id);
  await revokeSessions(app, caller, member);
  return { ...member, active_sessions: 0 };
}
