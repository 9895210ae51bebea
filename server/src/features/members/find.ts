// One member with its sessions, and the end of those sessions.

import { type Caller, projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import { refuse } from '../../errors.ts';
import { countSessions, revokeSessions } from '../member-sessions/of-member.ts';
import { type MemberWithSessions, showMember } from './member.ts';
import { selectMember } from './store.ts';

export async function findMember(app: App, caller: Caller, id: string): Promise<MemberWithSessions> {
  const project = projectOf(caller);
  const row = await selectMember(app.database, project.id, id);
  if (!row) throw refuse.notFound();
  return { ...showMember(row), active_sessions: await countSessions(app, project.id, id) };
}

export async function revokeSessionsOfMember(app: App, caller: Caller, id: string): Promise<MemberWithSessions> {
  const member = await findMember(app, caller, id);
  await revokeSessions(app, caller, member);
  return { ...member, active_sessions: 0 };
}
