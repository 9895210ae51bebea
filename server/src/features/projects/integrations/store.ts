// SQL of integrations.

import { sql } from 'kysely';
import { type PageQuery, readPage } from '../../../database/page.ts';
import type { Change, Database, Row } from '../../../database/tables.ts';
import { integrationColumns as columns } from './integration.ts';

type IntegrationRow = Row<'integrations'>;

export async function insertIntegration(
  database: Database,
  integration: Pick<IntegrationRow, 'id' | 'project_id' | 'name' | 'description' | 'toolset_ids' | 'created_by'>,
): Promise<IntegrationRow> {
  return database.insertInto('integrations').values(integration).returning(columns).executeTakeFirstOrThrow();
}

export async function pageOfIntegrations(database: Database, project_id: string, query: PageQuery) {
  const integrations = database.selectFrom('integrations').select(columns).where('project_id', '=', project_id);
  return readPage(integrations, 'integrations', query);
}

const byId = (database: Database, project_id: string, id: string) =>
  database.selectFrom('integrations').select(columns).where('project_id', '=', project_id).where('id', '=', id);

export async function selectIntegration(
  database: Database,
  project_id: string,
  id: string,
): Promise<IntegrationRow | undefined> {
  return byId(database, project_id, id).executeTakeFirst();
}

/** Prevents deletion until the transaction ends, and nothing else. */
export async function lockIntegrationAgainstDelete(
  database: Database,
  project_id: string,
  id: string,
): Promise<IntegrationRow | undefined> {
  return byId(database, project_id, id).forKeyShare().executeTakeFirst();
}

export async function lockIntegration(
  database: Database,
  project_id: string,
  id: string,
): Promise<IntegrationRow | undefined> {
  return byId(database, project_id, id).forNoKeyUpdate().executeTakeFirst();
}

export async function updateIntegrationRow(
  database: Database,
  project_id: string,
  id: string,
  change: Change<'integrations', 'name' | 'description' | 'toolset_ids'>,
): Promise<IntegrationRow> {
  return database
    .updateTable('integrations')
    .set({ ...change, updated_at: sql`clock_timestamp()` })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** The foreign key deletes API keys that were created at the same moment. */
export async function deleteIntegrationRow(
  database: Database,
  project_id: string,
  id: string,
): Promise<IntegrationRow | undefined> {
  return database
    .deleteFrom('integrations')
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst();
}

export async function selectIntegrationNames(database: Database, project_id: string, ids: readonly string[]) {
  return database
    .selectFrom('integrations')
    .select(['id', 'name'])
    .where('project_id', '=', project_id)
    .where('id', 'in', ids)
    .execute();
}
