// The events of connections.

import type { EventKind } from '../events/event-kind.ts';
import { exampleTime } from '../examples.ts';
import { exampleIds } from '../ids.ts';
import { type OAuthConnection, oauthConnection } from './oauth-connection.ts';

const example: OAuthConnection = {
  object: 'oauth_connection',
  id: exampleIds.connection_id,
  project_id: exampleIds.project_id,
  provider_id: exampleIds.oauth_provider_id,
  member_id: exampleIds.member_id,
  status: 'active',
  scope: 'openid email profile',
  has_refresh_token: true,
  expires_at: '2026-11-15T13:00:00.000000Z',
  created_at: exampleTime,
  updated_at: exampleTime,
};

const kind = (description: string, status: OAuthConnection['status'] = 'active') =>
  ({ description, data: oauthConnection, example: { ...example, status }, readable_with: 'read' }) satisfies EventKind;

export const oauthConnectionEvents = {
  'oauth_connection.created': kind('A member connected an account'),
  'oauth_connection.refresh_failed': kind(
    "A connected account's tokens could not be refreshed: the member must sign in again",
    'refresh_failed',
  ),
  'oauth_connection.revoked': kind('A connected account was disconnected'),
};
