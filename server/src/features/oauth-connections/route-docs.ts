// The texts of the API reference for these routes.

import { routeDocs } from '../../api/route-docs.ts';

export const docs = routeDocs({
  listMemberConnections: {
    summary: 'List the accounts that a member connected, newest first',
    description:
      'One connection for each provider at which the member signed in, without its tokens. With the status `refresh_failed` the member must sign in again before tools can use it.',
  },
  revokeMemberConnection: {
    summary: 'Disconnect an account of a member',
    description:
      'The tokens are deleted here, and revoked at the provider if it has an endpoint for that. A provider that cannot be reached does not prevent it. Tools with `member_oauth` ask the member to sign in again.',
  },
});
