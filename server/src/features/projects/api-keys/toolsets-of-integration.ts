// Which toolsets the integration of a key sees. They narrow the key too.

import type { App } from '../../../app.ts';

export async function toolsetsOfIntegration(
  { database }: App,
  project_id: string,
  integration_id: string | null,
): Promise<string[] | null> {
  if (integration_id === null) return null;
  const { toolset_ids } = await database
    .selectFrom('integrations')
    .select('toolset_ids')
    .where('project_id', '=', project_id)
    .where('id', '=', integration_id)
    .executeTakeFirstOrThrow();
  return toolset_ids;
}
