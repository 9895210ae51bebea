// A connection: the tokens that a provider gave for a member. Its columns, and how responses show it: without the tokens.

import { oauthConnectionEvents } from '@toolgate/contract/oauth-connections/events.ts';
import type { OAuthConnection } from '@toolgate/contract/oauth-connections/oauth-connection.ts';
import type { Row } from '../../../database/tables.ts';
import { recorderOf } from '../../activity/events/record.ts';

export const connectionColumns = [
  'id',
  'project_id',
  'provider_id',
  'member_id',
  'status',
  'access_token',
  'refresh_token',
  'scope',
  'expires_at',
  'version',
  'refreshing_until',
  'created_at',
  'updated_at',
] as const;

export type ConnectionRow = Row<'oauth_connections'>;

export function showConnection(row: ConnectionRow): OAuthConnection {
  const { access_token: _, refresh_token, version: __, refreshing_until: ___, ...shown } = row;
  return { object: 'oauth_connection', ...shown, has_refresh_token: refresh_token !== null };
}

export const { recordChange } = recorderOf(oauthConnectionEvents);
