// SQL of OAuth providers. For a sign-in a provider is read with its project's fairness key and organization.

import { sql } from 'kysely';
import type pg from 'pg';
import { type PageQuery, readPage } from '../../../database/page.ts';
import type { Change, Database } from '../../../database/tables.ts';
import { type Provider, type ProviderRow, providerColumns } from './provider.ts';

const columnsBesidesEnabled = providerColumns
  .filter((column) => column !== 'is_enabled')
  .map((column) => `oauth_providers.${column}` as const);

/** In production nobody signs in at a provider that no admin approved. */
const isUsable = sql<boolean>`oauth_providers.is_enabled
  and (oauth_providers.is_approved or projects.environment = 'development')`;

/** Providers of deleted projects do not exist. */
function providers(database: Database) {
  return database
    .selectFrom('oauth_providers')
    .innerJoin('projects', 'projects.id', 'oauth_providers.project_id')
    .select(columnsBesidesEnabled)
    .select(isUsable.as('is_enabled'))
    .select(['projects.environment', 'projects.fairness_key', 'projects.organization_id'])
    .where('projects.deleted_at', 'is', null);
}

export async function selectProviderOfProject(
  database: Database,
  project_id: string,
  id: string,
): Promise<Provider | undefined> {
  return providers(database)
    .where('oauth_providers.project_id', '=', project_id)
    .where('oauth_providers.id', '=', id)
    .executeTakeFirst();
}

export async function selectEnabledProviders(database: Database, project_id: string): Promise<Provider[]> {
  return providers(database)
    .where('oauth_providers.project_id', '=', project_id)
    .where('oauth_providers.mcp_server_id', 'is', null)
    .where(isUsable)
    .orderBy('oauth_providers.created_at')
    .orderBy('oauth_providers.id')
    .execute();
}

/** Without those of MCP servers: they are managed with their server. */
const ofProject = (database: Database, project_id: string) =>
  database
    .selectFrom('oauth_providers')
    .select(providerColumns)
    .where('project_id', '=', project_id)
    .where('mcp_server_id', 'is', null);

export async function pageOfProviders(database: Database, project_id: string, query: PageQuery) {
  return readPage(ofProject(database, project_id), 'oauth_providers', query);
}

export async function selectProvider(
  database: Database,
  project_id: string,
  id: string,
): Promise<ProviderRow | undefined> {
  return ofProject(database, project_id).where('id', '=', id).executeTakeFirst();
}

export async function lockProvider(
  database: Database,
  project_id: string,
  id: string,
): Promise<ProviderRow | undefined> {
  return ofProject(database, project_id).where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Only the provider of an MCP server has these. */
type OfServer = Pick<
  ProviderRow,
  'mcp_server_id' | 'server_url' | 'resource' | 'pinned_issuer' | 'found_issuer' | 'is_found_reported'
>;

/** Undefined if the id is taken. */
export async function insertProvider(
  database: Database,
  { required_claims, ...provider }: Omit<ProviderRow, 'created_at' | 'updated_at' | 'last_error' | keyof OfServer>,
): Promise<ProviderRow | undefined> {
  return database
    .insertInto('oauth_providers')
    .values({ ...provider, required_claims: JSON.stringify(required_claims) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning(providerColumns)
    .executeTakeFirst();
}

export async function updateProviderRow(
  database: Database,
  project_id: string,
  id: string,
  {
    required_claims,
    ...change
  }: Change<
    'oauth_providers',
    | 'name'
    | 'client_id'
    | 'client_secret'
    | 'scopes'
    | 'permissions'
    | 'allowed_origins'
    | 'accepts_id_jag'
    | 'required_claims'
    | 'link_by'
    | 'max_assertion_seconds'
    | 'certificate_id'
    | 'toolset_ids'
    | 'is_enabled'
    | 'is_approved'
  > & { last_error?: null | undefined },
): Promise<ProviderRow> {
  return database
    .updateTable('oauth_providers')
    .set({
      ...change,
      required_claims: required_claims && JSON.stringify(required_claims),
      updated_at: sql`clock_timestamp()`,
    })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .returning(providerColumns)
    .executeTakeFirstOrThrow();
}

export async function deleteProviderRow(database: Database, project_id: string, id: string): Promise<void> {
  await database.deleteFrom('oauth_providers').where('project_id', '=', project_id).where('id', '=', id).execute();
}

/** Providers of a project are created one after the other. */
export async function lockForCreation(database: Database, project_id: string): Promise<void> {
  await database.selectFrom('projects').select('id').where('id', '=', project_id).forNoKeyUpdate().execute();
}

export async function selectProviderIssuers(database: Database, project_id: string): Promise<string[]> {
  const rows = await database
    .selectFrom('oauth_providers')
    .select('issuer')
    .distinct()
    .where('project_id', '=', project_id)
    .where('mcp_server_id', 'is', null)
    .execute();
  return rows.map(({ issuer }) => issuer);
}

/** Also of providers that were deleted: their prefixes stay theirs. */
export async function selectIssuers(database: Database, project_id: string) {
  return database
    .selectFrom('oauth_issuers')
    .select(['issuer', 'member_prefix'])
    .where('project_id', '=', project_id)
    .execute();
}

export async function insertIssuer(
  database: Database,
  issuer: { project_id: string; issuer: string; member_prefix: string },
): Promise<void> {
  await database.insertInto('oauth_issuers').values(issuer).execute();
}

/** What a sign-in at a provider, as it was at `updated_at`, ended with; null: it succeeded. */
export type NewLastError = Pick<ProviderRow, 'project_id' | 'id' | 'updated_at' | 'last_error'>;

/**
 * A provider that somebody is changing is skipped: nothing waits here. So is one that was changed after the sign-in began: the
 * change may be the repair.
 */
const setLastErrors = `
with ended as (
  select project_id, id, updated_at, last_error::jsonb
  from unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[]) as ended (project_id, id, updated_at, last_error)
),
due as (
  select oauth_providers.project_id, oauth_providers.id, ended.last_error
  from oauth_providers join ended using (project_id, id, updated_at)
  where case
    when ended.last_error is null then oauth_providers.last_error is not null
    -- Another replica may have written one already.
    else coalesce((oauth_providers.last_error ->> 'created_at')::timestamptz, '-infinity')
      <= (ended.last_error ->> 'created_at')::timestamptz - make_interval(secs => $5)
  end
  for no key update of oauth_providers skip locked
)
update oauth_providers set last_error = due.last_error
from due where oauth_providers.project_id = due.project_id and oauth_providers.id = due.id`;

/** Changes an error only if it is older than the interval. */
export async function updateLastErrors(pool: pg.Pool, ended: NewLastError[], interval_ms: number): Promise<void> {
  // Among several sign-ins at one provider, the last counts.
  const rows = [...new Map(ended.map((each) => [each.id, each])).values()];
  await pool.query({
    name: 'set_last_errors',
    text: setLastErrors,
    values: [
      rows.map(({ project_id }) => project_id),
      rows.map(({ id }) => id),
      rows.map(({ updated_at }) => updated_at),
      rows.map(({ last_error }) => last_error && JSON.stringify(last_error)),
      interval_ms / 1000,
    ],
  });
}
