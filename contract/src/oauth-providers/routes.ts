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
    summary: 'Set up a provider at which members sign in',
    description:
      'Members of the project can sign in at Google, GitHub or any OpenID issuer, with the credentials of an app that you register there. Add the `callback_url` of the response to that app. No request is made to the provider: test it afterwards. A caller can only grant `permissions` that it has itself. A provider that a caller without `admin` sets up in a development project has `is_approved: false`: should the project become a production project, it is not used before an admin approves it. A project has at most 50 providers.',
    body: oauthProviderRequest,
    answer: oauthProvider,
    status: 201,
    errors: ['limitReached'],
    takes_idempotency_key: true,
  },
  listOAuthProviders: {
    method: 'GET',
    path: '/projects/:project_id/oauth-providers',
    access: 'read',
    tag,
    summary: 'List the OAuth providers, newest first',
    description: 'All providers of the project, without their client secrets.',
    query: pageQuery,
    answer: pageOf(oauthProvider),
  },
  getOAuthProvider: {
    method: 'GET',
    path: '/projects/:project_id/oauth-providers/:oauth_provider_id',
    access: 'read',
    tag,
    summary: 'Read an OAuth provider',
    description:
      'One provider with the `callback_url` to register at it, and with `last_error` if the last sign-in failed because of something to repair. Its client secret is not shown.',
    answer: oauthProvider,
  },
  updateOAuthProvider: {
    method: 'PATCH',
    path: '/projects/:project_id/oauth-providers/:oauth_provider_id',
    access: 'webhook',
    tag,
    summary: 'Change an OAuth provider, switch it off or on',
    description:
      'Fields that are left out stay as they are. The kind and the issuer cannot be changed, because members are known by their subject at that issuer. The caller needs all permissions that the provider grants, before and after the change. In production projects the permission `admin` is needed to change `client_id`, `permissions` (more of them), `allowed_origins` or what decides about ID-JAGs, and to enable a provider; in every project to change `is_approved`. Nobody can sign in at a provider that is switched off; connections to it stay.',
    body: oauthProviderChange,
    answer: oauthProvider,
  },
  deleteOAuthProvider: {
    method: 'DELETE',
    path: '/projects/:project_id/oauth-providers/:oauth_provider_id',
    access: 'admin',
    tag,
    summary: 'Delete an OAuth provider and the connections to it',
    description:
      'Nobody can sign in there any more, and the stored tokens of all members at this provider are deleted. The members stay. Tools that use its tokens fail until they name another provider.',
    answer: null,
  },
  testOAuthProvider: {
    method: 'POST',
    path: '/projects/:project_id/oauth-providers/:oauth_provider_id/test',
    access: 'webhook',
    tag,
    summary: 'Check an OAuth provider without a person',
    description:
      'Reads the discovery document and the keys of the provider, and tries the client credentials with a code that cannot exist. Always returns 200 with every check, and with a remedy for each that failed. It does not change `last_error`. Whether the redirect URI is registered shows only at the first sign-in.',
    answer: oauthProviderReport,
  },
  debugIdJag: {
    method: 'POST',
    path: '/projects/:project_id/oauth-providers/:oauth_provider_id/debug-id-jag',
    access: 'webhook',
    tag,
    summary: 'Check an ID-JAG, and say what is wrong with it',
    description:
      'Makes the checks that the token endpoint makes, and does not stop at the first that fails. Always returns 200, with each check. It creates nothing, and the assertion can be used afterwards. There is no authenticated client and no requested scope here: `client_id` must be a client of the project that is not public.',
    body: idJagToDebug,
    answer: idJagReport,
  },
});

export const oauthProviders = defineResource({
  chapters: { 'OAuth providers': 'Where members sign in: Google, GitHub or any OpenID issuer' },
  routes: oauthProviderRoutes,
  events: oauthProviderEvents,
});
