// /projects/{id}/members/{id}/connections: list and revoke the accounts that a member connected; and the URL to connect one.

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
    summary: "List a member's connected accounts, newest first",
    description:
      'One connection per provider where the member signed in, without tokens. If the status is `refresh_failed`, the member must sign in again before tools can use it.',
    query: pageQuery,
    response: pageOf(oauthConnection),
  },
  authorizeConnection: {
    method: 'POST',
    path: '/projects/:project_id/oauth-connections/authorize',
    access: 'decide',
    tag,
    summary: 'Get a URL where a member connects an account',
    description:
      'For the backend of your page at `connect_url`, with a key of the integration that the member came through. After you identify the member, redirect their browser to `url`, which works once, within 5 minutes.',
    body: connectionRequest,
    response: connectionAddress,
    status: 201,
  },
  revokeMemberConnection: {
    method: 'DELETE',
    path: '/projects/:project_id/members/:member_id/connections/:connection_id',
    access: 'admin',
    tag,
    summary: "Disconnect a member's account",
    description:
      'Deletes the tokens here, and revokes them at the provider if it has an endpoint for that. This works even if the provider cannot be reached. Tools with `member_oauth` then ask the member to sign in again.',
    response: null,
  },
});

export const oauthConnections = defineResource({ routes: oauthConnectionRoutes, events: oauthConnectionEvents });
