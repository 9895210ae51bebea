// SQL of the providers of MCP servers.

import { sql } from 'kysely';
import type { Database } from '../../../database/tables.ts';
import type { ProviderRow } from './provider.ts';

type Ref = Pick<ProviderRow, 'project_id' | 'id'>;

type ServerProvider = Ref &
  Pick<
    ProviderRow,
    'mcp_server_id' | 'name' | 'server_url' | 'client_id' | 'scopes' | 'allowed_origins' | 'is_approved' | 'created_by'
  > & {
    /** Undefined: it stays. */
    client_secret: string | undefined;
    /** What was found of its authorization server does not count any more. */
    is_other: boolean;
  };

/** What an admin approved stays approved until it is another. */
export async function upsertServerProvider(
  database: Database,
  { client_secret, is_other, ...row }: ServerProvider,
): Promise<void> {
  const { name, server_url, client_id, scopes, allowed_origins, is_approved } = row;
  await database
    .insertInto('oauth_providers')
    .values({
      ...row,
      provider: 'oidc',
      issuer: '',
      client_secret: client_secret ?? '',
      member_prefix: '',
      permissions: [],
      toolset_ids: [],
      is_enabled: true,
    })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({
        ...{ name, server_url, client_id, scopes, allowed_origins },
        ...(client_secret === undefined ? {} : { client_secret }),
        ...(is_other ? { issuer: '', resource: null, is_approved } : {}),
        ...(is_approved ? { is_approved } : {}),
        updated_at: sql`clock_timestamp()`,
      }),
    )
    .execute();
}

export async function setResource(
  database: Database,
  { project_id, id }: Ref,
  { issuer, resource }: { issuer: string; resource: string },
): Promise<void> {
  await database
    .updateTable('oauth_providers')
    .set({ issuer, resource, updated_at: sql`clock_timestamp()` })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute();
}

export async function deleteConnectionsOf(database: Database, { project_id, id }: Ref): Promise<void> {
  await database
    .deleteFrom('oauth_connections')
    .where('project_id', '=', project_id)
    .where('provider_id', '=', id)
    .execute();
}
