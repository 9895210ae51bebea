// SQL of the tools that have `polling`, or the name that belongs to them.

import { TASK_RESULT_TOOL } from '@toolgate/contract/tasks/rules.ts';
import { sql } from 'kysely';
import type { Layers } from '../../../access/layers.ts';
import type { Database } from '../../../database/tables.ts';

export async function selectNameConflict(database: Database, project_id: string) {
  const { rows } = await sql<{ has_name: boolean; has_polling: boolean }>`
    select exists (select from custom_tools where project_id = ${project_id} and name = ${TASK_RESULT_TOOL}) as has_name,
      exists (select from custom_tools where project_id = ${project_id} and polling is not null) as has_polling`.execute(
    database,
  );
  return rows[0] as { has_name: boolean; has_polling: boolean };
}

/** Whether the caller sees a tool whose calls may become tasks. */
export async function existsPolling(
  database: Database,
  project_id: string,
  { with_member, layers }: { with_member: boolean; layers: Layers },
): Promise<boolean> {
  const layer = ({ toolset_ids }: Layers[number]) => sql`and exists (
    select from toolset_tools m where m.project_id = ${project_id} and m.tool_id = t.id
      and m.toolset_id = any (${toolset_ids}::text[]))`;
  const { rows } = await sql`
    select from custom_tools t where t.project_id = ${project_id} and t.polling is not null and t.is_enabled
      and (${with_member} or not t.require_member) ${sql.join(layers.map(layer), sql` `)}
    limit 1`.execute(database);
  return rows.length > 0;
}
