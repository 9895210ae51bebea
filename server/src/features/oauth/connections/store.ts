// SQL of connections.

import { sql } from 'kysely';
import { type PageQuery, readPage } from '../../../database/page.ts';
import type { Database } from '../../../database/tables.ts';
import { type ConnectionRow, connectionColumns as columns } from './connection.ts';

export type SealedTokens = Pick<
  ConnectionRow,
  'access_token' | 'refresh_token' | 'scope' | 'expires_at' | 'updated_at'
>;

type Key = Pick<ConnectionRow, 'project_id' | 'provider_id' | 'member_id'>;

const connections = (database: Database, project_id: string) =>
  database.selectFrom('oauth_connections').select(columns).where('project_id', '=', project_id);

export async function pageOfConnections(database: Database, project_id: string, member_id: string, query: PageQuery) {
  return readPage(connections(database, project_id).where('member_id', '=', member_id), 'oauth_connections', query);
}

export async function selectConnection(
  database: Database,
  { project_id, provider_id, member_id }: Key,
): Promise<ConnectionRow | undefined> {
  return connections(database, project_id)
    .where('member_id', '=', member_id)
    .where('provider_id', '=', provider_id)
    .executeTakeFirst();
}

/** Two first sign-ins of a member at the same time are saved one after the other. */
export async function lockMember(database: Database, project_id: string, member_id: string): Promise<boolean> {
  const member = await database
    .selectFrom('members')
    .select('id')
    .where('project_id', '=', project_id)
    .where('id', '=', member_id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return member !== undefined;
}

export async function insertConnection(
  database: Database,
  connection: Key & SealedTokens & Pick<ConnectionRow, 'id'>,
): Promise<ConnectionRow> {
  return database
    .insertInto('oauth_connections')
    .values({ ...connection, status: 'active' })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Stores new tokens. With `version` only if the tokens are still those, so that no newer ones are overwritten. */
export async function updateTokens(
  database: Database,
  { project_id, id }: Pick<ConnectionRow, 'project_id' | 'id'>,
  tokens: SealedTokens,
  version?: number,
): Promise<ConnectionRow | undefined> {
  let update = database
    .updateTable('oauth_connections')
    .set({
      ...tokens,
      status: 'active',
      version: sql`version + 1`,
      refreshing_until: null,
    })
    .where('project_id', '=', project_id)
    .where('id', '=', id);
  if (version !== undefined) update = update.where('version', '=', version);
  return update.returning(columns).executeTakeFirst();
}

/** For jobs: of all projects that are not deleted. */
export async function selectToRefresh(database: Database, ids: string[]): Promise<ConnectionRow[]> {
  return database
    .selectFrom('oauth_connections')
    .innerJoin('projects', 'projects.id', 'oauth_connections.project_id')
    .select(columns.map((column) => `oauth_connections.${column}` as const))
    .where('projects.deleted_at', 'is', null)
    .where('oauth_connections.id', 'in', ids)
    .execute();
}

export async function lockConnection(
  database: Database,
  project_id: string,
  id: string,
): Promise<ConnectionRow | undefined> {
  return connections(database, project_id).where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Takes the lease to refresh these tokens. False if another process has it, or the tokens have changed. */
export async function takeLease(
  database: Database,
  { project_id, id, version }: ConnectionRow,
  { now, until }: { now: string; until: string },
): Promise<boolean> {
  const row = await database
    .updateTable('oauth_connections')
    .set({ refreshing_until: until })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('version', '=', version)
    .where((is) => is.or([is('refreshing_until', 'is', null), is('refreshing_until', '<=', now)]))
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** After a refresh that failed and may be tried again. */
export async function releaseLease(
  database: Database,
  { project_id, id, version }: ConnectionRow,
  until: string,
): Promise<void> {
  await database
    .updateTable('oauth_connections')
    .set({ refreshing_until: null })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('version', '=', version)
    .where('refreshing_until', '=', until)
    .execute();
}

/** Undefined if the tokens have changed since. */
export async function setRefreshFailed(
  database: Database,
  { project_id, id, version }: ConnectionRow,
): Promise<ConnectionRow | undefined> {
  return database
    .updateTable('oauth_connections')
    .set({ status: 'refresh_failed', refreshing_until: null })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('version', '=', version)
    .where('status', '=', 'active')
    .returning(columns)
    .executeTakeFirst();
}

export async function deleteConnectionRow(database: Database, project_id: string, id: string): Promise<void> {
  await database.deleteFrom('oauth_connections').where('project_id', '=', project_id).where('id', '=', id).execute();
}

export async function deleteConnectionsOf(
  database: Database,
  { project_id, member_id }: { project_id: string; member_id: string },
): Promise<ConnectionRow[]> {
  return database
    .deleteFrom('oauth_connections')
    .where('project_id', '=', project_id)
    .where('member_id', '=', member_id)
    .returning(columns)
    .execute();
}
