// /projects/{id}/oauth-clients: create, list, read, update, rotate the secret, delete.

import { pageOf, pageQuery } from '../fields.ts';
import { defineResource } from '../resource.ts';
import { defineRoutes } from '../route.ts';
import {
  newOAuthClient,
  oauthClient,
  oauthClientChange,
  oauthClientRequest,
  oauthClientSecretRotation,
} from './oauth-client.ts';

const tag = 'OAuth clients';

export const oauthClientRoutes = defineRoutes({
  createOAuthClient: {
    method: 'POST',
    path: '/projects/:project_id/oauth-clients',
    access: 'webhook',
    admin_in_production: true,
    tag,
    summary: 'Register an app that sends its users here, or a machine; its secret is shown this once',
    description:
      'The app sends people to `/oauth/authorize` with the `client_id` and exchanges codes with the `client_secret`, which cannot be shown again. A public client has no secret and must use PKCE. A machine has the grant type `client_credentials`: it gets sessions for itself, without a member, and needs no redirect URI. With `jwks` or `jwks_uri` a client has no secret and proves who it is with a signed JWT (`private_key_jwt`). A project has at most 1,000 clients.',
    body: oauthClientRequest,
    answer: newOAuthClient,
    status: 201,
    errors: ['limitReached'],
    takes_idempotency_key: true,
  },
  listOAuthClients: {
    method: 'GET',
    path: '/projects/:project_id/oauth-clients',
    access: 'read',
    tag,
    summary: 'List the OAuth clients, newest first',
    description: 'All clients of the project, without their secrets.',
    query: pageQuery,
    answer: pageOf(oauthClient),
  },
  getOAuthClient: {
    method: 'GET',
    path: '/projects/:project_id/oauth-clients/:oauth_client_id',
    access: 'read',
    tag,
    summary: 'Read an OAuth client',
    description: 'One client with its redirect URIs, and the end of its secret to recognize it by.',
    answer: oauthClient,
  },
  updateOAuthClient: {
    method: 'PATCH',
    path: '/projects/:project_id/oauth-clients/:oauth_client_id',
    access: 'webhook',
    admin_in_production: true,
    tag,
    summary: 'Change an OAuth client',
    description:
      'Fields that are left out stay as they are. Redirect URIs, grant types and keys are replaced as a whole. With keys the secret is not accepted any more. Without the grant type `client_credentials` the sessions that it has for itself end. Whether it is public cannot be changed.',
    body: oauthClientChange,
    answer: oauthClient,
  },
  rotateOAuthClientSecret: {
    method: 'POST',
    path: '/projects/:project_id/oauth-clients/:oauth_client_id/rotate-secret',
    access: 'webhook',
    admin_in_production: true,
    tag,
    summary: 'Make a new secret, shown this once; the old one is accepted too during the overlap',
    description:
      'Both secrets are accepted until the overlap ends, one day by default, so that the app can change over at any moment in between. With `overlap_seconds` 0 only the new secret is accepted. Refused for a public client, and for one with keys.',
    body: oauthClientSecretRotation.optional(),
    answer: newOAuthClient,
    status: 201,
    takes_idempotency_key: true,
  },
  deleteOAuthClient: {
    method: 'DELETE',
    path: '/projects/:project_id/oauth-clients/:oauth_client_id',
    access: 'admin',
    tag,
    summary: 'Delete an OAuth client',
    description: 'Nobody can be sent here by this app any more. It cannot be undone: a new client has another id.',
    answer: null,
  },
});

export const oauthClients = defineResource({
  chapters: { 'OAuth clients': 'The apps that send their users here to sign in' },
  routes: oauthClientRoutes,
});
