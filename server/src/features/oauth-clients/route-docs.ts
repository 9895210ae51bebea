// The texts of the API reference for these routes.

import { routeDocs } from '../../api/route-docs.ts';

export const docs = routeDocs({
  createOAuthClient: {
    summary: 'Register an app that sends its users here; its secret is shown this once',
    description:
      'The app sends people to `/oauth/authorize` with the `client_id` and exchanges codes with the `client_secret`, which cannot be shown again. A public client has no secret and must use PKCE. A project has at most 1,000 clients.',
  },
  listOAuthClients: {
    summary: 'List the OAuth clients, newest first',
    description: 'All clients of the project, without their secrets.',
  },
  getOAuthClient: {
    summary: 'Read an OAuth client',
    description: 'One client with its redirect URIs, and the end of its secret to recognise it by.',
  },
  updateOAuthClient: {
    summary: 'Change an OAuth client',
    description:
      'Fields that are left out stay as they are. Redirect URIs are replaced as a whole. Whether it is public cannot be changed.',
  },
  rotateOAuthClientSecret: {
    summary: 'Make a new secret, shown this once; the old one is accepted too during the overlap',
    description:
      'Both secrets are accepted until the overlap ends, one day by default, so that the app can change over at any moment in between. With `overlap_seconds` 0 only the new secret is accepted. Refused for a public client.',
  },
  deleteOAuthClient: {
    summary: 'Delete an OAuth client',
    description: 'Nobody can be sent here by this app any more. It cannot be undone: a new client has another id.',
  },
});
