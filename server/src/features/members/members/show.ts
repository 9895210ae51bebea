// Members as the API returns them: with the number of their active sessions, by one query for all of them.

import type { Member } from '@toolgate/contract/members/member.ts';
import type { App } from '../../../app.ts';
import { countActiveSessions } from '../member-sessions/count-active.ts';
import type { MemberRow } from './member.ts';

export async function showMembers(app: App, project_id: string, rows: MemberRow[]): Promise<Member[]> {
  const ids = rows.map(({ id }) => id);
  const counts = await countActiveSessions(app, project_id, ids);
  return rows.map((row) => ({ object: 'member', ...row, active_sessions: counts.get(row.id) ?? 0 }));
}
