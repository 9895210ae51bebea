// Members as the API returns them: with the number of their active sessions, by one query for all of them.

import type { App } from '../../app.ts';
import type { Row } from '../../database/tables.ts';
import { countActiveSessions } from '../member-sessions/count-active.ts';
import type { Member } from './member.ts';

export async function showMembers(app: App, project_id: string, rows: Row<'members'>[]): Promise<Member[]> {
  const ids = rows.map(({ id }) => id);
  const counts = await countActiveSessions(app, project_id, ids);
  return rows.map((row) => ({ object: 'member', ...row, active_sessions: counts.get(row.id) ?? 0 }));
}
