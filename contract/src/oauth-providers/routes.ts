// /projects/{id}/oauth-providers: create, list, read, update, delete, test.

import { pageOf, pageQuery } from '../fields.ts';
import { defineResource } from '../resource.ts';
import { defineRoutes } from '../route.ts';
import { oauthProviderEvents } from './events.ts';
import { idJagReport, idJagToDebug } from './id-jag.ts';
import { oauthProvider, oauthProviderChange, oauthProviderRequest } from './oauth-provider.ts';
import { oauthProviderReport } from './oauth-provider-report.ts';

const tag = 'OAuth providers';

export const oauthProviderRoutes = defineRoutes({
  createOAuthProvider: {
    method: 'POST',
    path: '/projects/:project_id/oauth-providers',
    access: 'webhook',
    admin_in_production: true,
    tag,
    summary: 'Set up a provider where members sign in',
    description:
      'Members can sign in with Google, GitHub or any OpenID issuer, with the credentials of an app that you register there. Add the `callback_url` from the response to that app. No request is sent to the provider: test it afterwards. You can only grant `permissions` that you have. If a caller without `admin` sets up a provider in a development project, it has `is_approved: false`: if the project later becomes a production project, the provider is not used until an admin approves it. A project can have at most 50 providers.',
    body: oauthProviderRequest,
    response: oauthProvider,
    status: 201,
    errors: ['limitReached'],
    takes_idempotency_key: true,
  },
  listOAuthProviders: {
    method: 'GET',
    path: '/projects/:project_id/oauth-providers',
    access: 'read',
    tag,
    summary: 'List OAuth providers, newest first',
    description: 'All providers of the project, without their client secrets.',
    query: pageQuery,
    response: pageOf(oauthProvider),
  },
  getOAuthProvider: {
    method: 'GET',
    path: '/projects/:project_id/oauth-providers/:oauth_provider_id',
    access: 'read',
    tag,
    summary: 'Get an OAuth provider',
    description:
      'One provider with the `callback_url` to register there, and with `last_error` if the last sign-in failed for a reason you can fix. Its client secret is not shown.',
    response: oauthProvider,
  },
  updateOAuthProvider: {
    method: 'PATCH',
    path: '/projects/:project_id/oauth-providers/:oauth_provider_id',
    access: 'webhook',
    tag,
    summary: 'Update, disable or enable an OAuth provider',
    description:
      'Fields you leave out stay unchanged. The kind and the issuer cannot be changed, because members are identified by their subject at that issuer. You need all permissions that the provider grants, before and after the change. In production projects, `admin` is required to change `client_id`, `allowed_origins` or the ID-JAG fields, to add `permissions`, and to enable a provider. In every project, `admin` is required to change `is_approved`. Nobody can sign in with a disabled provider; connections to it stay.',
    body: oauthProviderChange,
    response: oauthProvider,
  },
  deleteOAuthProvider: {
    method: 'DELETE',
    path: '/projects/:project_id/oauth-providers/:oauth_provider_id',
    access: 'admin',
    tag,
    summary: 'Delete an OAuth provider and the connections to it',
    description:
      "Nobody can sign in there anymore, and all members' stored tokens from this provider are deleted. The members stay. Tools that use its tokens fail until you choose another provider for them.",
    response: null,
  },
  testOAuthProvider: {
    method: 'POST',
    path: '/projects/:project_id/oauth-providers/:oauth_provider_id/test',
    access: 'webhook',
    tag,
    summary: 'Check an OAuth provider without signing in',
    description:
      "Reads the provider's discovery document and keys, and tries the client credentials with a code that cannot exist. Always returns 200 with every check, and with a remedy for each failed one. It does not change `last_error`. Whether the redirect URI is registered becomes visible only at the first sign-in.",
    response: oauthProviderReport,
  },
  debugIdJag: {
    method: 'POST',
    path: '/projects/:project_id/oauth-providers/:oauth_provider_id/debug-id-jag',
    access: 'webhook',
    tag,
    summary: 'Check an ID-JAG and explain what is wrong with it',
    description:
      "Makes the same checks as the token endpoint, but does not stop at the first failure. Always returns 200 with each check. It creates nothing, and the assertion can still be used afterwards. Because the request has no authenticated client and no requested scope, `client_id` must be one of the project's clients that is not public.",
    body: idJagToDebug,
    response: idJagReport,
  },
});

export const oauthProviders = defineResource({
  chapters: { 'OAuth providers': 'Where members sign in: Google, GitHub or any OpenID issuer' },
  routes: oauthProviderRoutes,
  events: oauthProviderEvents,
});
