// /projects/{id}/members/{id}/connections: list and revoke the accounts that a member connected; and the address to connect one.

import { pageOf, pageQuery } from '../fields.ts';
import { defineResource } from '../resource.ts';
import { defineRoutes } from '../route.ts';
import { oauthConnectionEvents } from './events.ts';
import { connectionAddress, connectionRequest, oauthConnection } from './oauth-connection.ts';

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
  authorizeConnection: {
    method: 'POST',
    path: '/projects/:project_id/oauth-connections/authorize',
    access: 'decide',
    tag,
    summary: 'Get an address at which a member connects an account',
    description:
      'For the backend of your page at `connect_url`, with a key of the integration that the member came through. Redirect the browser of the member whom you have identified to `url`: it works once, within 5 minutes.',
    body: connectionRequest,
    answer: connectionAddress,
    status: 201,
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

export const oauthConnections = defineResource({ routes: oauthConnectionRoutes, events: oauthConnectionEvents });
