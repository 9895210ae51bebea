// SQL of the providers of MCP servers.

import { isDeepStrictEqual } from 'node:util';
import type { PinnedIssuer, ServerIssuer } from '@toolgate/contract/mcp-servers/mcp-server.ts';
import { sql } from 'kysely';
import type { Change, Database } from '../../../database/tables.ts';
import { type ProviderRow, providerColumns } from './provider.ts';

type Ref = Pick<ProviderRow, 'project_id' | 'id'>;

type ServerProvider = Ref &
  Pick<
    ProviderRow,
    | 'mcp_server_id'
    | 'name'
    | 'server_url'
    | 'certificate_id'
    | 'client_id'
    | 'scopes'
    | 'allowed_origins'
    | 'is_approved'
    | 'created_by'
  > & {
    /** Undefined: it stays. */
    client_secret: string | undefined;
    /** Tokens are asked for another resource. */
    is_other: boolean;
    /** Null: the issuer that is found first. Undefined: it stays. */
    pin: PinnedIssuer | null | undefined;
  };

export async function upsertServerProvider(
  database: Database,
  { client_secret, is_other, pin, ...row }: ServerProvider,
): Promise<void> {
  const pinned = pin === undefined ? {} : { issuer: pin?.issuer ?? '', pinned_issuer: pin && JSON.stringify(pin) };
  const { name, server_url, certificate_id, client_id, scopes, allowed_origins, is_approved } = row;
  await database
    .insertInto('oauth_providers')
    .values({
      ...row,
      provider: 'oidc',
      issuer: '',
      ...pinned,
      client_secret: client_secret ?? '',
      member_prefix: '',
      permissions: [],
      toolset_ids: [],
      is_enabled: true,
    })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({
        ...{ name, server_url, certificate_id, client_id, scopes, allowed_origins, is_approved },
        ...(client_secret === undefined ? {} : { client_secret }),
        ...(is_other ? { resource: null } : {}),
        ...(pin === undefined ? {} : { ...pinned, found_issuer: null }),
        updated_at: sql`clock_timestamp()`,
      }),
    )
    .execute();
}

/** Until then nobody changes where its members sign in. */
export async function lockServerProvider(
  database: Database,
  { project_id, id }: Ref,
  strength: 'update' | 'share' = 'update',
): Promise<ProviderRow | undefined> {
  const row = database
    .selectFrom('oauth_providers')
    .select(providerColumns)
    .where('project_id', '=', project_id)
    .where('id', '=', id);
  return (strength === 'update' ? row.forNoKeyUpdate() : row.forShare()).executeTakeFirst();
}

type Issuers = Change<
  'oauth_providers',
  'issuer' | 'pinned_issuer' | 'found_issuer' | 'resource' | 'is_found_reported'
>;

async function updateIssuers(database: Database, { project_id, id }: Ref, change: Issuers): Promise<void> {
  const { pinned_issuer, found_issuer, ...rest } = change;
  const text = (value: object | null | undefined) => value && JSON.stringify(value);
  await database
    .updateTable('oauth_providers')
    .set({ ...rest, pinned_issuer: text(pinned_issuer), found_issuer: text(found_issuer) })
    .set({ updated_at: sql`clock_timestamp()` })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute();
}

export async function setPinnedIssuer(
  database: Database,
  ref: Ref,
  pin: ServerIssuer,
  resource: string | null,
): Promise<void> {
  await updateIssuers(database, ref, { issuer: pin.issuer, pinned_issuer: pin, found_issuer: null, resource });
}

/** One that was found before is not reported again. */
export async function setFoundIssuer(
  database: Database,
  row: Ref & Pick<ProviderRow, 'found_issuer'>,
  found: ServerIssuer,
): Promise<void> {
  if (isDeepStrictEqual(row.found_issuer, found)) return;
  await updateIssuers(database, row, { found_issuer: found, is_found_reported: false });
}

export async function takeUnreported(database: Database, { project_id, id }: Ref): Promise<boolean> {
  const row = await database
    .updateTable('oauth_providers')
    .set({ is_found_reported: true })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('found_issuer', 'is not', null)
    .where('is_found_reported', '=', false)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteConnectionsOf(database: Database, { project_id, id }: Ref): Promise<void> {
  await database
    .deleteFrom('oauth_connections')
    .where('project_id', '=', project_id)
    .where('provider_id', '=', id)
    .execute();
}
