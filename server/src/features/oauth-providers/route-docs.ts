// The texts of the API reference for these routes.

import { routeDocs } from '../../api/route-docs.ts';

export const docs = routeDocs({
  createOAuthProvider: {
    summary: 'Set up a provider at which members sign in',
    description:
      'Members of the project can sign in at Google, GitHub or any OpenID issuer, with the credentials of an app that you register there. Add the `callback_url` of the answer to that app. No request is made to the provider: test it afterwards. A caller can only grant `permissions` that it has itself. A project has at most 50 providers.',
  },
  listOAuthProviders: {
    summary: 'List the OAuth providers, newest first',
    description: 'All providers of the project, without their client secrets.',
  },
  getOAuthProvider: {
    summary: 'Read an OAuth provider',
    description:
      'One provider with the `callback_url` to register at it, and with `last_error` if the last sign-in failed because of something to repair. Its client secret is not shown.',
  },
  updateOAuthProvider: {
    summary: 'Change an OAuth provider, switch it off or on',
    description:
      'Fields that are left out stay as they are. The kind and the issuer cannot be changed, because members are known by their subject at that issuer. The caller needs all permissions that the provider grants, before and after the change. Nobody can sign in at a provider that is switched off; connections to it stay.',
  },
  deleteOAuthProvider: {
    summary: 'Delete an OAuth provider and the connections to it',
    description:
      'Nobody can sign in there any more, and the stored tokens of all members at this provider are deleted. The members stay. Tools that use its tokens fail until they name another provider.',
  },
  testOAuthProvider: {
    summary: 'Check an OAuth provider without a person',
    description:
      'Reads the discovery document and the keys of the provider, and tries the client credentials with a code that cannot exist. Always answers 200 with every check, and with a remedy for each that failed. It does not change `last_error`. Whether the redirect URI is registered shows only at the first sign-in.',
  },
});
