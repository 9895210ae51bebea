// /organization/sso: the settings of single sign-on. /account/sso/link: for a person whose account has a password. The pages that a
// browser opens, /account/sso and its callback, are described by the server.

import { currentAccount } from '../accounts/account.ts';
import { defineRoutes } from '../route.ts';
import { organizationSso, organizationSsoInput, ssoLink, ssoTestInput } from './sso.ts';
import { ssoTest } from './sso-test.ts';

const tag = 'Organization';

export const ssoRoutes = defineRoutes({
  getOrganizationSso: {
    method: 'GET',
    path: '/organization/sso',
    access: 'account_owner',
    tag,
    summary: 'Read the settings of single sign-on',
    description: 'The client secret is never shown. Without settings the response is 404.',
    answer: organizationSso,
    errors: ['notFound'],
  },
  setOrganizationSso: {
    method: 'PUT',
    path: '/organization/sso',
    access: 'account_owner',
    tag,
    summary: 'Set up single sign-on',
    description:
      'Needs a sign-in or `POST /account/reauthenticate` of the last 10 minutes. Replaces the settings. A domain that is new to the organization needs a DNS TXT record, unless an owner of the first organization sets it (422 with `record_name` and `record_value`). With another issuer the accounts of the issuer before cannot sign in any more, and their sessions end. `is_required` needs an owner with `is_break_glass` (409); when it becomes true, sessions that were made with a password end, except those of such owners.',
    body: organizationSsoInput,
    answer: organizationSso,
    errors: ['reauthenticationRequired', 'ssoBreakGlassMissing', 'ssoDomainTaken'],
  },
  deleteOrganizationSso: {
    method: 'DELETE',
    path: '/organization/sso',
    access: 'account_owner',
    tag,
    summary: 'Turn single sign-on off',
    description:
      'Needs a sign-in or `POST /account/reauthenticate` of the last 10 minutes. Sessions that were made by single sign-on end, and its domains are free. Accounts that single sign-on made stay, and cannot sign in.',
    answer: null,
    errors: ['notFound', 'reauthenticationRequired'],
  },
  testOrganizationSso: {
    method: 'POST',
    path: '/organization/sso/test',
    access: 'account_owner',
    tag,
    summary: 'Test single sign-on',
    description:
      'Takes the fields of `PUT /organization/sso`, those that are left out from the saved settings, and goes the whole way of a sign-in: the first steps at once, the rest when `authorize_url` is opened in the same browser and the person has signed in. Nothing is saved: no settings, no account, no session.',
    body: ssoTestInput.optional(),
    answer: ssoTest,
    errors: ['notFound'],
  },
  getOrganizationSsoTest: {
    method: 'GET',
    path: '/organization/sso/test/:sso_test_id',
    access: 'account_owner',
    tag,
    summary: 'Read the result of a test of single sign-on',
    description: 'Every step with what was found, for 10 minutes.',
    answer: ssoTest,
    errors: ['notFound'],
  },
  linkSso: {
    method: 'POST',
    path: '/account/sso/link',
    access: 'public',
    tag,
    summary: 'Move my account with a password to single sign-on',
    description:
      'After a sign-in at the provider was refused with 409 `SSO_LINK_REQUIRED`, in the same browser within 10 minutes: proves the account with its password, and its second factor if it is on. From then on the account signs in by single sign-on only: its password and second factor are deleted, its other sessions end. Waits grow after failures as with a sign-in.',
    body: ssoLink,
    answer: currentAccount,
    errors: [
      'signInFailed',
      'totpRequired',
      'totpInvalid',
      'originNotAllowed',
      'signInDelayed',
      'ssoExpired',
      'lastOwner',
    ],
  },
});
