// SQL of MCP servers.

import { type ExpressionBuilder, sql } from 'kysely';
import { type PageQuery, readPage } from '../../../database/page.ts';
import type { Database, Row, Tables } from '../../../database/tables.ts';
import { type ServerRow, serverColumns } from './mcp-server.ts';
import { isPending } from './tool-store.ts';

/** Copies count too. */
const toolCount = (of: ExpressionBuilder<Tables, 'mcp_servers'>) =>
  of
    .selectFrom('custom_tools as t')
    .select((count) => count.fn.countAll<number>().as('count'))
    .whereRef('t.project_id', '=', 'mcp_servers.project_id')
    .where(sql<boolean>`t.source ->> 'mcp_server_id' = mcp_servers.id`)
    .$asScalar()
    .$notNull()
    .as('tool_count');

const pendingCount = (of: ExpressionBuilder<Tables, 'mcp_servers'>) =>
  of
    .selectFrom('mcp_server_tools as u')
    .select((count) => count.fn.countAll<number>().as('count'))
    .whereRef('u.project_id', '=', 'mcp_servers.project_id')
    .whereRef('u.mcp_server_id', '=', 'mcp_servers.id')
    .where(isPending)
    .$asScalar()
    .$notNull()
    .as('pending_count');

/** The id of the provider of a server is that of the server with another prefix. */
const signIn = (of: ExpressionBuilder<Tables, 'mcp_servers'>) =>
  of
    .selectFrom('oauth_providers as p')
    .select(
      sql<ServerRow['sign_in']>`json_build_object('issuer', p.issuer, 'client_id', p.client_id,
        'pinned_issuer', p.pinned_issuer, 'found_issuer', p.found_issuer)`.as('sign_in'),
    )
    .whereRef('p.project_id', '=', 'mcp_servers.project_id')
    .where(sql<boolean>`p.id = 'oap_' || substr(mcp_servers.id, 5)`)
    .$asScalar()
    .as('sign_in');

function ofProject(database: Database, project_id: string) {
  return database
    .selectFrom('mcp_servers')
    .select([...serverColumns.map((column) => `mcp_servers.${column}` as const), toolCount, pendingCount, signIn])
    .where('mcp_servers.project_id', '=', project_id);
}

type Settings = Pick<
  Row<'mcp_servers'>,
  | 'name'
  | 'url'
  | 'auth_strategy'
  | 'auth_config'
  | 'auth_secret'
  | 'headers'
  | 'certificate_id'
  | 'timeout_ms'
  | 'sync_minutes'
  | 'review'
  | 'is_approved'
>;

const toColumns = <T extends Settings>(server: T) => ({
  ...server,
  auth_config: JSON.stringify(server.auth_config),
  headers: JSON.stringify(server.headers),
});

export async function insertServer(
  database: Database,
  server: Settings & Pick<Row<'mcp_servers'>, 'id' | 'project_id' | 'slug' | 'created_by'>,
): Promise<void> {
  await database.insertInto('mcp_servers').values(toColumns(server)).execute();
}

export async function updateServerRow(
  database: Database,
  { project_id, id }: Pick<ServerRow, 'project_id' | 'id'>,
  change: Settings & Pick<ServerRow, 'version'>,
): Promise<void> {
  await database
    .updateTable('mcp_servers')
    .set({ ...toColumns(change), updated_at: sql`clock_timestamp()` })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute();
}

/** The issuer that an admin approved. */
export async function updateAuthConfig(
  database: Database,
  { project_id, id, version }: Pick<ServerRow, 'project_id' | 'id' | 'version'>,
  auth_config: ServerRow['auth_config'],
): Promise<void> {
  await database
    .updateTable('mcp_servers')
    .set({ auth_config: JSON.stringify(auth_config), version: version + 1, updated_at: sql`clock_timestamp()` })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute();
}

/** What a sync found. */
export async function updateServerState(
  database: Database,
  { project_id, id }: Pick<ServerRow, 'project_id' | 'id'>,
  state: Partial<Pick<ServerRow, 'status' | 'last_synced_at' | 'last_error' | 'revision'>>,
): Promise<void> {
  await database
    .updateTable('mcp_servers')
    .set(state)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute();
}

export async function pageOfServers(database: Database, project_id: string, query: PageQuery) {
  return readPage(ofProject(database, project_id), 'mcp_servers', query);
}

export async function selectServer(database: Database, project_id: string, id: string): Promise<ServerRow | undefined> {
  return ofProject(database, project_id).where('mcp_servers.id', '=', id).executeTakeFirst();
}

export async function lockServer(database: Database, project_id: string, id: string): Promise<ServerRow | undefined> {
  return ofProject(database, project_id).where('mcp_servers.id', '=', id).forUpdate('mcp_servers').executeTakeFirst();
}

/** Undefined: it was deleted. */
export async function lockServerVersion(
  database: Database,
  { project_id, id }: Pick<ServerRow, 'project_id' | 'id'>,
): Promise<number | undefined> {
  const row = await database
    .selectFrom('mcp_servers')
    .select('version')
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row?.version;
}

export async function deleteServerRow(database: Database, project_id: string, id: string): Promise<void> {
  await database.deleteFrom('mcp_servers').where('project_id', '=', project_id).where('id', '=', id).execute();
}

/** For the job: servers of all projects. */
export async function selectServersToSync(database: Database, ids: string[]) {
  return database
    .selectFrom('mcp_servers')
    .select(['id', 'project_id', 'sync_minutes'])
    .where('id', 'in', ids)
    .execute();
}
