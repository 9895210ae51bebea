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
    summary: 'Register an app that sends its users here, or a machine; its secret is shown only once',
    description:
      'The app sends people to `/oauth/authorize` with the `client_id` and exchanges codes with the `client_secret`, which cannot be shown again. A public client has no secret and must use PKCE. A machine uses the grant type `client_credentials`: it gets sessions for itself, without a member, and needs no redirect URI. A client with `jwks` or `jwks_uri` has no secret and authenticates with a signed JWT (`private_key_jwt`). A project can have at most 1,000 clients.',
    body: oauthClientRequest,
    response: newOAuthClient,
    status: 201,
    errors: ['limitReached'],
    takes_idempotency_key: true,
  },
  listOAuthClients: {
    method: 'GET',
    path: '/projects/:project_id/oauth-clients',
    access: 'read',
    tag,
    summary: 'List OAuth clients, newest first',
    description: 'All clients of the project, without their secrets.',
    query: pageQuery,
    response: pageOf(oauthClient),
  },
  getOAuthClient: {
    method: 'GET',
    path: '/projects/:project_id/oauth-clients/:oauth_client_id',
    access: 'read',
    tag,
    summary: 'Get an OAuth client',
    description: 'One client with its redirect URIs and the last characters of its secret.',
    response: oauthClient,
  },
  updateOAuthClient: {
    method: 'PATCH',
    path: '/projects/:project_id/oauth-clients/:oauth_client_id',
    access: 'webhook',
    admin_in_production: true,
    tag,
    summary: 'Update an OAuth client',
    description:
      'Fields you leave out stay unchanged. Redirect URIs, grant types and keys are replaced as a whole. A client that gets keys can no longer use its secret. A client that loses the grant type `client_credentials` also loses the sessions it has for itself. You cannot change whether it is public.',
    body: oauthClientChange,
    response: oauthClient,
  },
  rotateOAuthClientSecret: {
    method: 'POST',
    path: '/projects/:project_id/oauth-clients/:oauth_client_id/rotate-secret',
    access: 'webhook',
    admin_in_production: true,
    tag,
    summary: 'Create a new secret, shown only once; the old one also works during the overlap',
    description:
      'Until the overlap ends, one day by default, both secrets are accepted, so that the app can switch at any time. If `overlap_seconds` is 0, only the new secret is accepted. Refused for a public client or a client with keys.',
    body: oauthClientSecretRotation.optional(),
    response: newOAuthClient,
    status: 201,
    takes_idempotency_key: true,
  },
  deleteOAuthClient: {
    method: 'DELETE',
    path: '/projects/:project_id/oauth-clients/:oauth_client_id',
    access: 'admin',
    tag,
    summary: 'Delete an OAuth client',
    description:
      'The app can no longer send people here to sign in. This cannot be undone: a new client has another id.',
    response: null,
  },
});

export const oauthClients = defineResource({
  chapters: { 'OAuth clients': 'The apps that send their users here to sign in' },
  routes: oauthClientRoutes,
});
