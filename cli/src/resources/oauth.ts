// toolgate oauth-providers and oauth-clients: where members sign in, and the apps that send them.

import { command, type Group, listCommand } from '../command.ts';

export const oauthProviders: Group = {
  name: 'oauth-providers',
  description: 'where members sign in',
  commands: [
    listCommand('list', 'listOAuthProviders', {
      columns: ['id', 'name', 'provider', 'issuer', 'client_id', 'is_enabled', 'is_approved'],
    }),
    command('get', 'getOAuthProvider'),
    command('create', 'createOAuthProvider', {
      flags: ['provider', 'client_id', 'client_secret', 'name', 'issuer', 'allowed_origins'],
      isOpen: true,
    }),
    command('update', 'updateOAuthProvider', { flags: ['name', 'client_secret', 'allowed_origins'], isOpen: true }),
    command('approve', 'updateOAuthProvider', {
      description: 'approve a provider for production in its current state; requires admin',
      call: ({ toolgate, ids }) => toolgate.oauthProviders.update(ids.oauth_provider_id, { is_approved: true }),
    }),
    command('test', 'testOAuthProvider', {
      description: 'check that the provider can be reached and accepts the client',
    }),
    command('debug-id-jag', 'debugIdJag', {
      description: 'check an ID-JAG and explain what is wrong with it',
      flags: ['assertion'],
    }),
    command('delete', 'deleteOAuthProvider'),
  ],
};

export const oauthClients: Group = {
  name: 'oauth-clients',
  description: 'the apps that send their users here to sign in, and machines',
  commands: [
    listCommand('list', 'listOAuthClients', {
      columns: ['id', 'name', 'client_id', 'grant_types', 'redirect_uris', 'is_public'],
    }),
    command('get', 'getOAuthClient'),
    command('create', 'createOAuthClient', {
      flags: ['name', 'redirect_uris', 'grant_types', 'jwks_uri'],
      isOpen: true,
    }),
    command('update', 'updateOAuthClient', {
      flags: ['name', 'redirect_uris', 'grant_types', 'jwks_uri'],
      isOpen: true,
    }),
    command('rotate-secret', 'rotateOAuthClientSecret', { flags: ['overlap_seconds'] }),
    command('delete', 'deleteOAuthClient'),
  ],
};
