// /projects/{id}/members/{id}/grants: which clients a member has let in, and how to end that.

import { pageOf, pageQuery } from '../fields.ts';
import { defineResource } from '../resource.ts';
import { defineRoutes } from '../route.ts';
import { oauthGrant } from './oauth-grant.ts';

const tag = 'Members';

export const oauthGrantRoutes = defineRoutes({
  listMemberGrants: {
    method: 'GET',
    path: '/projects/:project_id/members/:member_id/grants',
    access: 'admin',
    tag,
    summary: 'List the OAuth clients that act for a member, newest first',
    description:
      'Each sign-in of the member through a client is one grant. The list contains grants with a valid refresh token.',
    query: pageQuery,
    response: pageOf(oauthGrant),
  },
  revokeMemberGrant: {
    method: 'DELETE',
    path: '/projects/:project_id/members/:member_id/grants/:grant_id',
    access: 'admin',
    tag,
    summary: 'Revoke a grant with its refresh token and sessions',
    description:
      "The client's tokens are refused on every replica within a second, and the member is asked for consent at the next sign-in.",
    response: null,
  },
});

export const oauthGrants = defineResource({ routes: oauthGrantRoutes });
