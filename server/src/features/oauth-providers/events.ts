// The events of OAuth providers.

import { type EventKind, exampleIds, exampleTime } from '../../api/event-kind.ts';
import { recorderOf } from '../events/record.ts';
import { type ProviderAnswer, providerSchema } from './provider.ts';

const id = exampleIds.oauth_provider_id;

const example: ProviderAnswer = {
  object: 'oauth_provider',
  id,
  project_id: exampleIds.project_id,
  provider: 'google',
  name: 'Google',
  issuer: 'https://accounts.google.com',
  client_id: '1234.apps.googleusercontent.com',
  scopes: ['openid', 'email', 'profile'],
  permissions: ['read'],
  is_enabled: true,
  callback_url: `https://tools.example.com/api/v1/oauth/callback/${id}`,
  member_prefix: 'google',
  created_at: exampleTime,
  created_by: exampleIds.api_key_id,
  updated_at: exampleTime,
  last_error: null,
};

const kind = (description: string) =>
  ({ description, data: providerSchema, example, readable_with: 'read' }) satisfies EventKind;

export const oauthProviderEvents = {
  'oauth_provider.created': kind('An OAuth provider was set up'),
  'oauth_provider.updated': kind('An OAuth provider was changed'),
  'oauth_provider.deleted': kind('An OAuth provider was deleted, with the connections of members to it'),
};

export const { recordChange } = recorderOf(oauthProviderEvents);
