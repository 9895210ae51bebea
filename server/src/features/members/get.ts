// Reads one member with the number of its active sessions.

import { type Caller, projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import { refuse } from '../../errors.ts';
import { countActiveSessions } from '../member-sessions/count-active.ts';
import { type MemberWithSessions, showMember } from './member.ts';
import { selectMember } from './store.ts';

export async function getMember(app: App, caller: Caller, id: string): Promise<MemberWithSessions> {
  const project = projectOf(caller);
  const row = await selectMember(app.database, project.id, id);
  if (!row) throw refuse.notFound();
  return { ...showMember(row), active_sessions: await countActiveSessions(app, project.id, id) };
}
