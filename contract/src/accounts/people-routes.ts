// /organization/accounts: the people of an organization.

import { pageOf, pageQuery } from '../fields.ts';
import { defineRoutes } from '../route.ts';
import { account, roleChange } from './account.ts';

const tag = 'Organization';

export const peopleRoutes = defineRoutes({
  listAccounts: {
    method: 'GET',
    path: '/organization/accounts',
    access: 'account',
    tag,
    summary: 'List the people in the organization, newest first',
    description:
      'Everyone with an account in the organization, with their role and whether they use a second factor. Every role can read it.',
    query: pageQuery,
    response: pageOf(account),
  },
  getOrganizationAccount: {
    method: 'GET',
    path: '/organization/accounts/:account_id',
    access: 'account',
    tag,
    summary: "Get a person's account",
    description: 'One person in the organization. Every role can read it.',
    response: account,
  },
  changeRole: {
    method: 'PATCH',
    path: '/organization/accounts/:account_id',
    access: 'account_admin',
    tag,
    summary: "Change a person's role, approval right or break-glass status",
    description:
      "Takes effect with the person's next request. Only an owner can make someone an owner or change an owner's role, and must have signed in or called `POST /account/reauthenticate` in the last 10 minutes. The last owner with a password cannot lose that role (409). Only an owner can set `is_break_glass`, under the same condition, and only for an owner with a password and two-factor authentication (409 otherwise); while single sign-on is required, at least one such owner must remain (409). An account that uses single sign-on gets its role again at its next sign-in.",
    body: roleChange,
    response: account,
    errors: ['reauthenticationRequired', 'lastOwner', 'ssoBreakGlassMissing', 'breakGlassNotAllowed'],
  },
  removeAccount: {
    method: 'DELETE',
    path: '/organization/accounts/:account_id',
    access: 'account',
    tag,
    summary: 'Remove a person from the organization',
    description:
      'Deletes the account and signs it out immediately. Invitations it sent stop working; everything else it created stays. Requires the role `owner` or `admin`, and to remove an owner the role `owner`. Everyone can remove themselves. The last owner cannot be removed (409). To remove an owner or yourself, you must have signed in or called `POST /account/reauthenticate` in the last 10 minutes.',
    response: null,
    errors: ['reauthenticationRequired', 'lastOwner', 'ssoBreakGlassMissing'],
  },
});
