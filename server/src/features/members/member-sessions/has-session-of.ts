// Whether a member came through an integration lately: sessions are kept for a day after they ended.

import type { App } from '../../../app.ts';

export async function hasSessionOf(
  { database }: App,
  project_id: string,
  { member_id, integration_id }: { member_id: string; integration_id: string },
): Promise<boolean> {
  const row = await database
    .selectFrom('member_sessions')
    .select('id')
    .where('project_id', '=', project_id)
    .where('member_id', '=', member_id)
    .where('integration_id', '=', integration_id)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
