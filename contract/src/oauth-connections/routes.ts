// /projects/{id}/members/{id}/connections: list and revoke the accounts that a member connected.

import { pageOf, pageQuery } from '../fields.ts';
import { defineRoutes } from '../route.ts';
import { oauthConnection } from './oauth-connection.ts';

const tag = 'Members';

export const oauthConnectionRoutes = defineRoutes({
  listMemberConnections: {
    method: 'GET',
    path: '/projects/:project_id/members/:member_id/connections',
    access: 'admin',
    tag,
    summary: 'List the accounts that a member connected, newest first',
    description:
      'One connection for each provider at which the member signed in, without its tokens. With the status `refresh_failed` the member must sign in again before tools can use it.',
    query: pageQuery,
    answer: pageOf(oauthConnection),
  },
  revokeMemberConnection: {
    method: 'DELETE',
    path: '/projects/:project_id/members/:member_id/connections/:connection_id',
    access: 'admin',
    tag,
    summary: 'Disconnect an account of a member',
    description:
      'The tokens are deleted here, and revoked at the provider if it has an endpoint for that. A provider that cannot be reached does not prevent it. Tools with `member_oauth` ask the member to sign in again.',
    answer: null,
  },
});
