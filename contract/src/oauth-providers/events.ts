// The events of OAuth providers.

import type { EventKind } from '../events/event-kind.ts';
import { exampleTime } from '../examples.ts';
import { exampleIds } from '../ids.ts';
import { type OAuthProvider, oauthProvider } from './oauth-provider.ts';

const id = exampleIds.oauth_provider_id;

const example: OAuthProvider = {
  object: 'oauth_provider',
  id,
  project_id: exampleIds.project_id,
  provider: 'google',
  name: 'Google',
  issuer: 'https://accounts.google.com',
  client_id: '1234.apps.googleusercontent.com',
  scopes: ['openid', 'email', 'profile'],
  permissions: ['read'],
  allowed_origins: ['https://api.example.com'],
  toolset_ids: null,
  accepts_id_jag: false,
  required_claims: {},
  link_by: 'subject',
  max_assertion_seconds: 300,
  certificate_id: null,
  is_enabled: true,
  is_approved: true,
  callback_url: `https://tools.example.com/api/v1/oauth/callback/${id}`,
  member_prefix: 'google',
  created_at: exampleTime,
  created_by: exampleIds.api_key_id,
  updated_at: exampleTime,
  last_error: null,
};

const kind = (description: string) =>
  ({ description, data: oauthProvider, example, readable_with: 'read' }) satisfies EventKind;

export const oauthProviderEvents = {
  'oauth_provider.created': kind('An OAuth provider was set up'),
  'oauth_provider.updated': kind('An OAuth provider was changed'),
  'oauth_provider.deleted': kind("An OAuth provider was deleted, with members' connections to it"),
};
