// Ids of toolsets that a resource names: each must be that of a toolset of the project.

import type { App } from '../../../app.ts';
import { invalidField } from '../../../errors/errors.ts';

/** Call in the transaction that saves the ids: a toolset cannot be deleted before it ends. */
export async function refuseUnknownToolsets(
  app: App,
  project_id: string,
  toolset_ids: readonly string[] | null | undefined,
): Promise<void> {
  if (!toolset_ids || toolset_ids.length === 0) return;
  const rows = await app.database
    .selectFrom('toolsets')
    .select('id')
    .where('project_id', '=', project_id)
    .where('id', 'in', toolset_ids)
    .orderBy('id')
    .forKeyShare()
    .execute();
  const known = rows.map(({ id }) => id);
  for (const [at, value] of toolset_ids.entries())
    if (!known.includes(value))
      throw invalidField(`toolset_ids.${at}`, "must be the id of one of this project's toolsets", {
        reason: 'toolset_unknown',
        value,
      });
}
