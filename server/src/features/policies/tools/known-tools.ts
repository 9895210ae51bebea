// Ids of tools that a resource names: each must be that of a tool of the project.

import type { App } from '../../../app.ts';
import { invalidField } from '../../../errors/errors.ts';

/** By the fields of the request that name them. */
export async function refuseUnknownTools(
  app: App,
  project_id: string,
  named: Record<string, string[] | undefined>,
): Promise<void> {
  const all = [...new Set(Object.values(named).flatMap((ids) => ids ?? []))];
  if (all.length === 0) return;
  const rows = await app.database
    .selectFrom('custom_tools')
    .select('id')
    .where('project_id', '=', project_id)
    .where('id', 'in', all)
    .execute();
  const known = new Set(rows.map(({ id }) => id));
  for (const [field, ids = []] of Object.entries(named))
    for (const [at, value] of ids.entries())
      if (!known.has(value))
        throw invalidField(`${field}.${at}`, "must be the id of one of this project's tools", {
          reason: 'tool_of_toolset_unknown',
          value,
        });
}
