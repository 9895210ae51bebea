// SQL of OAuth clients. A client is found with its project's fairness key and organization.

import { sql } from 'kysely';
import { type PageQuery, readPage } from '../../../database/page.ts';
import type { Change, Database } from '../../../database/tables.ts';
import { type Client, type ClientRow, clientColumns } from './client.ts';

/** Without a project: the client_id is part of a credential. Clients of deleted projects do not exist. */
export async function selectClientById(database: Database, id: string): Promise<Client | undefined> {
  return database
    .selectFrom('oauth_clients')
    .innerJoin('projects', 'projects.id', 'oauth_clients.project_id')
    .select(clientColumns.map((column) => `oauth_clients.${column}` as const))
    .select(['projects.fairness_key', 'projects.organization_id'])
    .where('projects.deleted_at', 'is', null)
    .where('oauth_clients.id', '=', id)
    .executeTakeFirst();
}

const ofProject = (database: Database, project_id: string) =>
  database.selectFrom('oauth_clients').select(clientColumns).where('project_id', '=', project_id);

export async function pageOfClients(database: Database, project_id: string, query: PageQuery) {
  return readPage(ofProject(database, project_id), 'oauth_clients', query);
}

export async function selectClient(database: Database, project_id: string, id: string): Promise<ClientRow | undefined> {
  return ofProject(database, project_id).where('id', '=', id).executeTakeFirst();
}

export async function lockClient(database: Database, project_id: string, id: string): Promise<ClientRow | undefined> {
  return ofProject(database, project_id).where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function insertClient(
  database: Database,
  { jwks, ...client }: Omit<ClientRow, 'created_at' | 'updated_at'>,
): Promise<ClientRow> {
  return database
    .insertInto('oauth_clients')
    .values({ ...client, jwks: jwks && JSON.stringify(jwks) })
    .returning(clientColumns)
    .executeTakeFirstOrThrow();
}

export async function updateClientRow(
  database: Database,
  project_id: string,
  id: string,
  {
    jwks,
    ...change
  }: Change<
    'oauth_clients',
    | 'name'
    | 'redirect_uris'
    | 'integration_id'
    | 'grant_types'
    | 'jwks'
    | 'jwks_uri'
    | 'toolset_ids'
    | 'secret_hash'
    | 'secret_last4'
    | 'previous_secret_hash'
    | 'previous_secret_ends_at'
  >,
): Promise<ClientRow> {
  return database
    .updateTable('oauth_clients')
    .set({ ...change, jwks: jwks && JSON.stringify(jwks), updated_at: sql`clock_timestamp()` })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .returning(clientColumns)
    .executeTakeFirstOrThrow();
}

export async function deleteClientRow(database: Database, project_id: string, id: string): Promise<void> {
  await database.deleteFrom('oauth_clients').where('project_id', '=', project_id).where('id', '=', id).execute();
}

export async function existsRedirect(
  database: Database,
  project_id: string,
  { exact, prefixes }: { exact: readonly string[]; prefixes: readonly string[] },
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from oauth_clients c, unnest(c.redirect_uris) as uri
      where c.project_id = ${project_id} and (
        uri = any (${exact}::text[]) or exists (select from unnest(${prefixes}::text[]) as p where starts_with(uri, p))
      )
    ) as found`.execute(database);
  return rows[0]?.found ?? false;
}
