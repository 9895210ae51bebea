// A connection: the tokens that a provider gave for a member. Stored and public form; the tokens are never returned.

import { z } from 'zod';
import { timestamp } from '../../api/fields.ts';
import type { Row } from '../../database/tables.ts';

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

export const connectionSchema = z
  .strictObject({
    id: z.string(),
    object: z.literal('oauth_connection'),
    project_id: z.string(),
    provider_id: z.string().meta({ description: 'Id of the OAuth provider' }),
    member_id: z.string().meta({ description: 'Id of the member who connected the account' }),
    status: z
      .enum(['active', 'refresh_failed'])
      .meta({ description: 'refresh_failed: the member must sign in again before tools can use it' }),
    scope: z.string().nullable().meta({ description: 'What the provider granted, as it spelled it' }),
    has_refresh_token: z.boolean().meta({ description: 'Whether the tokens can be refreshed without the member' }),
    expires_at: timestamp.nullable().meta({ description: 'When the access token expires; null if never or unknown' }),
    created_at: timestamp,
    updated_at: timestamp.meta({ description: 'When the tokens were last stored' }),
  })
  .meta({ id: 'OAuthConnection' });

export type ConnectionAnswer = z.infer<typeof connectionSchema>;

export function showConnection(row: ConnectionRow): ConnectionAnswer {
  const { access_token: _, refresh_token, version: __, refreshing_until: ___, ...shown } = row;
  return { object: 'oauth_connection', ...shown, has_refresh_token: refresh_token !== null };
}
