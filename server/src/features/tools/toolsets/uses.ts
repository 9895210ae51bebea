// Where a toolset is assigned: the columns toolset_ids of API keys, integrations, OAuth clients and OAuth providers.

import { sql } from 'kysely';
import type { Database } from '../../../database/tables.ts';

const tables = {
  api_key_ids: 'api_keys',
  integration_ids: 'integrations',
  oauth_client_ids: 'oauth_clients',
  oauth_provider_ids: 'oauth_providers',
} as const;

/** How many of each kind a refusal names. */
const MOST_NAMED = 20;

/** Ids of what is narrowed to the toolset, by kind; null if nothing is. */
export async function selectUses(
  database: Database,
  project_id: string,
  toolset_id: string,
): Promise<Partial<Record<keyof typeof tables, string[]>> | null> {
  const uses: Partial<Record<keyof typeof tables, string[]>> = {};
  for (const [kind, table] of Object.entries(tables) as [keyof typeof tables, (typeof tables)[keyof typeof tables]][]) {
    const rows = await database
      .selectFrom(table)
      .select('id')
      .where('project_id', '=', project_id)
      .where(sql<boolean>`toolset_ids @> array[${toolset_id}]::text[]`)
      .orderBy('id')
      .limit(MOST_NAMED)
      .execute();
    if (rows.length > 0) uses[kind] = rows.map(({ id }) => id);
  }
  return Object.keys(uses).length > 0 ? uses : null;
}

/** A list that becomes empty stays empty, so that nobody sees more than before. */
export async function removeUses(database: Database, project_id: string, toolset_id: string): Promise<void> {
  for (const table of Object.values(tables))
    await database
      .updateTable(table)
      .set({ toolset_ids: sql<string[]>`array_remove(toolset_ids, ${toolset_id})` })
      .where('project_id', '=', project_id)
      .where(sql<boolean>`toolset_ids @> array[${toolset_id}]::text[]`)
      .execute();
}
