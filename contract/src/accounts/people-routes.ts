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
    summary: 'List the people of the organization, newest first',
    description: 'Everyone with an account in the organization, with role and second factor. For every role.',
    query: pageQuery,
    answer: pageOf(account),
  },
  getOrganizationAccount: {
    method: 'GET',
    path: '/organization/accounts/:account_id',
    access: 'account',
    tag,
    summary: 'Read an account of the organization',
    description: 'One person of the organization. For every role.',
    answer: account,
  },
  changeRole: {
    method: 'PATCH',
    path: '/organization/accounts/:account_id',
    access: 'account_admin',
    tag,
    summary: 'Change the role of a person, whether they approve calls, or mark a break-glass owner',
    description:
      'Takes effect with the next request of that person. Only an owner may make somebody an owner or change the role of one, with a sign-in or `POST /account/reauthenticate` of the last 10 minutes. The last owner with a password stays an owner (409). `is_break_glass` is for an owner with a password and two-factor authentication (409 otherwise), set by an owner in the same way; while single sign-on is required, one such owner stays (409). The role of an account that uses single sign-on is read again at its next sign-in.',
    body: roleChange,
    answer: account,
    errors: ['reauthenticationRequired', 'lastOwner', 'ssoBreakGlassMissing', 'breakGlassNotAllowed'],
  },
  removeAccount: {
    method: 'DELETE',
    path: '/organization/accounts/:account_id',
    access: 'account',
    tag,
    summary: 'Remove a person from the organization',
    description:
      'Deletes the account: its sessions end at once, and so do the invitations that it made. What it created stays. Needs the role `owner` or `admin`, and for an owner the role `owner`; everyone may remove themselves. The last owner cannot be removed (409). Removing an owner or oneself needs a sign-in or `POST /account/reauthenticate` of the last 10 minutes.',
    answer: null,
    errors: ['reauthenticationRequired', 'lastOwner', 'ssoBreakGlassMissing'],
  },
});
