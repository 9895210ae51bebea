// SQL of assertion keys and of the assertion ids that were used.

import { type PageQuery, readPage } from '../../../database/page.ts';
import type { Database, Row } from '../../../database/tables.ts';
import { assertionKeyColumns as columns } from './assertion-key.ts';

type AssertionKeyRow = Row<'assertion_keys'>;

/** Returns undefined if an active key of the project has this kid. The unique index decides, also for concurrent calls. */
export async function insertAssertionKey(
  database: Database,
  key: Omit<AssertionKeyRow, 'created_at' | 'deactivated_at'>,
): Promise<AssertionKeyRow | undefined> {
  return database
    .insertInto('assertion_keys')
    .values(key)
    .onConflict((conflict) => conflict.columns(['project_id', 'kid']).where('deactivated_at', 'is', null).doNothing())
    .returning(columns)
    .executeTakeFirst();
}

export async function pageOfAssertionKeys(database: Database, project_id: string, query: PageQuery) {
  const keys = database.selectFrom('assertion_keys').select(columns).where('project_id', '=', project_id);
  return readPage(keys, 'assertion_keys', query);
}

const byId = (database: Database, project_id: string, id: string) =>
  database.selectFrom('assertion_keys').select(columns).where('project_id', '=', project_id).where('id', '=', id);

export async function selectAssertionKey(
  database: Database,
  project_id: string,
  id: string,
): Promise<AssertionKeyRow | undefined> {
  return byId(database, project_id, id).executeTakeFirst();
}

export async function selectActiveKey(
  database: Database,
  project_id: string,
  kid: string,
): Promise<Pick<AssertionKeyRow, 'id' | 'algorithm' | 'public_key'> | undefined> {
  return database
    .selectFrom('assertion_keys')
    .select(['id', 'algorithm', 'public_key'])
    .where('project_id', '=', project_id)
    .where('kid', '=', kid)
    .where('deactivated_at', 'is', null)
    .executeTakeFirst();
}

export async function lockAssertionKey(
  database: Database,
  project_id: string,
  id: string,
): Promise<AssertionKeyRow | undefined> {
  return byId(database, project_id, id).forUpdate().executeTakeFirst();
}

export async function markDeactivated(
  database: Database,
  project_id: string,
  id: string,
  deactivated_at: string,
): Promise<AssertionKeyRow> {
  return database
    .updateTable('assertion_keys')
    .set({ deactivated_at })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

export async function deleteAssertionKeyRow(database: Database, project_id: string, id: string): Promise<void> {
  await database.deleteFrom('assertion_keys').where('project_id', '=', project_id).where('id', '=', id).execute();
}

export async function isJtiStored(database: Database, project_id: string, jti: string, now: string): Promise<boolean> {
  const row = await database
    .selectFrom('used_assertion_ids')
    .select('jti')
    .where('project_id', '=', project_id)
    .where('jti', '=', jti)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}
