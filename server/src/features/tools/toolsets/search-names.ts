// The names `search_tools` and `call_tool` belong to a project's toolsets that are searched: no tool may have one beside them.

import { searchToolNames } from '@toolgate/contract/toolsets/rules.ts';
import type { App } from '../../../app.ts';
import { lockProjectRow } from '../../../database/lock-project-row.ts';
import { refuse } from '../../../errors/errors.ts';

const isReserved = (name: string) => (searchToolNames as readonly string[]).includes(name);

/** Call in the transaction that gave tools these names, before it commits. */
export async function refuseReservedNames({ database }: App, project_id: string, names: string[]): Promise<void> {
  if (!names.some(isReserved)) return;
  await lockProjectRow(database, project_id);
  const searched = await database
    .selectFrom('toolsets')
    .select('id')
    .where('project_id', '=', project_id)
    .where('exposure', '=', 'search')
    .limit(1)
    .execute();
  if (searched.length > 0) throw refuse.nameTaken({ details: { field: 'name', reason: 'name_reserved_for_search' } });
}

/** Call in the transaction that gave a toolset the exposure `search`, with the project's row locked by saveMembership(). */
export async function refuseBesideReservedNames({ database }: App, project_id: string): Promise<void> {
  const rows = await database
    .selectFrom('custom_tools')
    .select('name')
    .where('project_id', '=', project_id)
    .where('name', 'in', [...searchToolNames])
    .orderBy('name')
    .execute();
  if (rows.length === 0) return;
  const conflicts = rows.map(({ name }) => name);
  throw refuse.nameTaken({ details: { field: 'exposure', reason: 'tool_has_search_name', conflicts } });
}
