// An OAuth client: its columns, and how responses show it.

import type { OAuthClient } from '@toolgate/contract/oauth-clients/oauth-client.ts';
import type { Row } from '../../../database/tables.ts';
import { recorderOf } from '../../activity/events/record.ts';

export const clientColumns = [
  'id',
  'project_id',
  'integration_id',
  'name',
  'redirect_uris',
  'toolset_ids',
  'is_public',
  'grant_types',
  'jwks',
  'jwks_uri',
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
  const has_keys = hasKeys(row);
  return {
    object: 'oauth_client',
    client_id: row.id,
    ...shown,
    secret_last4: has_keys ? null : row.secret_last4,
    previous_secret_ends_at: !has_keys && ends !== null && Date.parse(ends) > now ? ends : null,
  };
}

/** It proves who it is with a key (private_key_jwt), and no secret is accepted for it. */
export const hasKeys = ({ jwks, jwks_uri }: Pick<ClientRow, 'jwks' | 'jwks_uri'>) => jwks !== null || jwks_uri !== null;

/** Changes of OAuth clients. They have an audit entry and no event (contract 8). */
type AuditOnly =
  | 'oauth_client.created'
  | 'oauth_client.updated'
  | 'oauth_client.secret_rotated'
  | 'oauth_client.deleted';

export const { recordChange } = recorderOf<Record<never, never>, AuditOnly>({});
