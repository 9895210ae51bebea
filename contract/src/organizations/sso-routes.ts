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
    summary: 'Get the single sign-on settings',
    description: 'The client secret is never shown. Without settings, the response is 404.',
    response: organizationSso,
    errors: ['notFound'],
  },
  setOrganizationSso: {
    method: 'PUT',
    path: '/organization/sso',
    access: 'account_owner',
    tag,
    summary: 'Set up single sign-on',
    description:
      "You must have signed in or called `POST /account/reauthenticate` in the last 10 minutes. Replaces the settings. A domain that is new to the organization needs a DNS TXT record, unless an owner of the operator's organization sets it (422 with `record_name` and `record_value`). If the issuer changes, accounts of the previous issuer are signed out and can no longer sign in. `is_required` needs an owner with `is_break_glass` (409); when it becomes true, everyone else who signed in with a password is signed out.",
    body: organizationSsoInput,
    response: organizationSso,
    errors: ['reauthenticationRequired', 'ssoBreakGlassMissing', 'ssoDomainTaken'],
  },
  deleteOrganizationSso: {
    method: 'DELETE',
    path: '/organization/sso',
    access: 'account_owner',
    tag,
    summary: 'Disable single sign-on',
    description:
      'You must have signed in or called `POST /account/reauthenticate` in the last 10 minutes. Everyone who signed in with single sign-on is signed out, and its domains become available. Accounts that single sign-on created stay, but cannot sign in.',
    response: null,
    errors: ['notFound', 'reauthenticationRequired'],
  },
  testOrganizationSso: {
    method: 'POST',
    path: '/organization/sso/test',
    access: 'account_owner',
    tag,
    summary: 'Test single sign-on',
    description:
      'Takes the fields of `PUT /organization/sso`, uses the saved settings for those you leave out, and runs a complete test sign-in: the first steps immediately, the rest after the person opens `authorize_url` in the same browser and signs in. Nothing is saved: no settings, no account, no session.',
    body: ssoTestInput.optional(),
    response: ssoTest,
    errors: ['notFound'],
  },
  getOrganizationSsoTest: {
    method: 'GET',
    path: '/organization/sso/test/:sso_test_id',
    access: 'account_owner',
    tag,
    summary: 'Get the result of a single sign-on test',
    description: 'Every step with its result, for 10 minutes.',
    response: ssoTest,
    errors: ['notFound'],
  },
  linkSso: {
    method: 'POST',
    path: '/account/sso/link',
    access: 'public',
    tag,
    summary: 'Move my account from a password to single sign-on',
    description:
      "Call it after a sign-in at the provider was refused with 409 `SSO_LINK_REQUIRED`, in the same browser and within 10 minutes. It requires the account's password, and its second factor if that is on. From then on, the account signs in with single sign-on only: its password and second factor are deleted, and its other sessions are signed out. After failures, the wait grows as it does for a sign-in.",
    body: ssoLink,
    response: currentAccount,
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
