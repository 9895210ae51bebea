// An OAuth client: its columns, and how responses show it.

import type { OAuthClient } from '@toolgate/contract/oauth-clients/oauth-client.ts';
import type { Row } from '../../../database/tables.ts';

export const clientColumns = [
  'id',
  'project_id',
  'integration_id',
  'name',
  'redirect_uris',
  'toolset_ids',
  'is_public',
  'secret_hash',
  'secret_last4',
  'previous_secret_hash',
  'previous_secret_ends_at',
  'created_by',
  'created_at',
  'updated_at',
] as const;

export type ClientRow = Row<'oauth_clients'>;

/** A client with the fairness key and the organization of its project. */
export type Client = ClientRow & { fairness_key: string; organization_id: string };

export function showClient(row: ClientRow, now: number): OAuthClient {
  const { secret_hash: _, previous_secret_hash: __, previous_secret_ends_at: ends, ...shown } = row;
  return {
    object: 'oauth_client',
    client_id: row.id,
    ...shown,
    previous_secret_ends_at: ends !== null && Date.parse(ends) > now ? ends : null,
  };
}
