// SQL of API keys.

import { sql } from 'kysely';
import { type PageQuery, readPage } from '../../../database/page.ts';
import type { Change, Database, Row } from '../../../database/tables.ts';
import { type KeyRow, keyColumns } from './api-key.ts';

export async function insertKey(
  database: Database,
  key: Pick<
    Row<'api_keys'>,
    | 'id'
    | 'project_id'
    | 'integration_id'
    | 'name'
    | 'permissions'
    | 'toolset_ids'
    | 'can_approve'
    | 'hash'
    | 'prefix'
    | 'last4'
    | 'expires_at'
    | 'created_by'
  >,
): Promise<KeyRow> {
  return database.insertInto('api_keys').values(key).returning(keyColumns).executeTakeFirstOrThrow();
}

export type KeyFilter = { integration_id?: string };

export async function pageOfKeys(database: Database, project_id: string, filter: KeyFilter, query: PageQuery) {
  let keys = database.selectFrom('api_keys').select(keyColumns).where('project_id', '=', project_id);
  if (filter.integration_id !== undefined) keys = keys.where('integration_id', '=', filter.integration_id);
  return readPage(keys, 'api_keys', query);
}

const byId = (database: Database, project_id: string, id: string) =>
  database.selectFrom('api_keys').select(keyColumns).where('project_id', '=', project_id).where('id', '=', id);

export async function selectKey(database: Database, project_id: string, id: string): Promise<KeyRow | undefined> {
  return byId(database, project_id, id).executeTakeFirst();
}

export async function lockKey(database: Database, project_id: string, id: string): Promise<KeyRow | undefined> {
  return byId(database, project_id, id).forUpdate().executeTakeFirst();
}

/** Ends the sessions created before, even if the key is switched on again. */
export const nextSessionEpoch = sql<number>`session_epoch + 1`;

export async function updateKeyRow(
  database: Database,
  project_id: string,
  id: string,
  change: Change<
    'api_keys',
    'name' | 'is_active' | 'toolset_ids' | 'can_approve' | 'revoked_at' | 'expires_at' | 'rotated_to'
  > & {
    session_epoch?: typeof nextSessionEpoch;
  },
): Promise<KeyRow> {
  return database
    .updateTable('api_keys')
    .set(change)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .returning(keyColumns)
    .executeTakeFirstOrThrow();
}

export async function deleteKeyRow(database: Database, project_id: string, id: string): Promise<void> {
  await database.deleteFrom('api_keys').where('project_id', '=', project_id).where('id', '=', id).execute();
}

/** Marks expired keys as recorded and returns those that need an event: not revoked before, and not of a deleted project. */
export async function claimExpiredKeys(database: Database, now: string, limit: number) {
  const { rows } = await sql<KeyRow & { organization_id: string }>`
    with expired as (
      select id from api_keys where expires_at <= ${now}::timestamptz and not is_expiry_recorded
      order by expires_at limit ${limit} for update skip locked
    ), claimed as (
      update api_keys as k set is_expiry_recorded = true from expired where k.id = expired.id
      returning ${sql.join(keyColumns.map((column) => sql.ref(`k.${column}`)))}
    )
    select claimed.*, p.organization_id from claimed join projects p on p.id = claimed.project_id
    where p.deleted_at is null and claimed.revoked_at is null`.execute(database);
  return rows;
}

export async function deleteKeyRowsOfIntegration(
  database: Database,
  project_id: string,
  integration_id: string,
): Promise<KeyRow[]> {
  return database
    .deleteFrom('api_keys')
    .where('project_id', '=', project_id)
    .where('integration_id', '=', integration_id)
    .returning(keyColumns)
    .execute();
}

export async function selectKeyNames(database: Database, project_id: string, ids: readonly string[]) {
  return database
    .selectFrom('api_keys')
    .select(['id', 'name'])
    .where('project_id', '=', project_id)
    .where('id', 'in', ids)
    .execute();
}
