// /account: set up the installation, sign in and out, one's own account with its sessions, and two-factor authentication.

import { pageOf, pageQuery } from '../fields.ts';
import { defineResource } from '../resource.ts';
import { defineRoutes } from '../route.ts';
import { accountChange, accountSession, currentAccount, endedSessions } from './account.ts';
import { passwordConfirmation } from './password.ts';
import { peopleRoutes } from './people-routes.ts';
import { reauthenticated, reauthentication, setup, setupNeeded, setupResult, signIn } from './sign-in.ts';
import { pendingTotp, recoveryCodes, recoveryCodesInput, totpConfirmation } from './totp.ts';

const tag = 'Accounts';

export const accountRoutes = defineRoutes({
  getSetup: {
    method: 'GET',
    path: '/account/setup',
    access: 'public',
    tag,
    summary: 'Whether this installation has no owner yet',
    description: 'Returns 200 while there is no owner; afterwards 404.',
    answer: setupNeeded,
    errors: ['notFound'],
  },
  setUp: {
    method: 'POST',
    path: '/account/setup',
    access: 'public',
    tag,
    summary: 'Create the first owner with the link from the log',
    description:
      'Creates the owner of the first organization and a first project, and signs the person in with a cookie. The token is printed by the server when it starts without an owner; it is valid for 30 minutes and works once. If there are several requests at the same time, one succeeds. Projects that the root key made before belong to the same organization.',
    body: setup,
    answer: setupResult,
    status: 201,
    errors: ['notFound', 'originNotAllowed', 'emailTaken', 'setupLinkInvalid'],
  },
  signIn: {
    method: 'POST',
    path: '/account/sign-in',
    access: 'public',
    tag,
    summary: 'Sign in with email and password',
    description:
      'Sets the session cookie: HttpOnly, for 7 days at most, ended after 12 hours without use. With two-factor authentication the first response is 401 `TOTP_REQUIRED`; send the same again with `code` or `recovery_code`. After five failures each further one has a longer wait, for the account and for the address. An unknown email address gets the response of a wrong password, and so does an account of single sign-on. If the organization requires single sign-on, a right password is refused with 403 `SSO_REQUIRED`, except that of a break-glass owner. A session that the browser had before ends.',
    body: signIn,
    answer: currentAccount,
    errors: ['signInFailed', 'totpRequired', 'totpInvalid', 'originNotAllowed', 'ssoRequired', 'signInDelayed'],
  },
  signOut: {
    method: 'POST',
    path: '/account/sign-out',
    access: 'public',
    tag,
    summary: 'End the session of this browser',
    description: 'The cookie is deleted and its session refused from now on. Without a session nothing happens.',
    answer: null,
    errors: ['originNotAllowed'],
  },
  reauthenticate: {
    method: 'POST',
    path: '/account/reauthenticate',
    access: 'account',
    tag,
    summary: 'Give the password or the second factor again',
    description:
      'For changes that are refused with 403 `REAUTHENTICATION_REQUIRED`: two-factor authentication, new recovery codes, making, inviting, changing and removing owners, removing oneself, and single sign-on. They are accepted for 10 minutes after a sign-in, and after this. Send one of `password`, `code` and `recovery_code`. The cookie of the session is renewed; the one before no longer works. After five failures each further one has a longer wait. An account of single sign-on signs in again instead.',
    body: reauthentication,
    answer: reauthenticated,
    errors: ['passwordIncorrect', 'totpInvalid', 'totpNotOn', 'ssoAccount', 'signInDelayed'],
  },
  getAccount: {
    method: 'GET',
    path: '/account',
    access: 'account',
    tag,
    summary: 'Read my account',
    description: 'The person who is signed in, with organization, permissions and session.',
    answer: currentAccount,
  },
  updateAccount: {
    method: 'PATCH',
    path: '/account',
    access: 'account',
    tag,
    summary: 'Change my name, email or password',
    description:
      'A new email address or password needs `current_password`. An address of another account, or with an open invitation, is refused with 409; after five new addresses each further one has a longer wait. A new password ends all other sessions and renews the cookie of this one.',
    body: accountChange,
    answer: currentAccount,
    errors: ['passwordIncorrect', 'emailTaken', 'ssoAccount', 'signInDelayed', 'tooManyEmails'],
  },
  listAccountSessions: {
    method: 'GET',
    path: '/account/sessions',
    access: 'account',
    tag,
    summary: 'List my sessions, newest first',
    description: 'Every browser that is signed in to this account.',
    query: pageQuery,
    answer: pageOf(accountSession),
  },
  endOtherAccountSessions: {
    method: 'POST',
    path: '/account/sessions/end-others',
    access: 'account',
    tag,
    summary: 'End all my other sessions',
    description: 'Every other browser is signed out at once. This session stays.',
    answer: endedSessions,
  },
  endAccountSession: {
    method: 'DELETE',
    path: '/account/sessions/:session_id',
    access: 'account',
    tag,
    summary: 'End one of my sessions',
    description: 'The browser is signed out at once, on every replica. Ending the session of this request signs out.',
    answer: null,
  },
  beginTotp: {
    method: 'POST',
    path: '/account/totp',
    access: 'account',
    tag,
    summary: 'Begin to turn on two-factor authentication',
    description:
      'Makes a new secret for an authenticator app (TOTP: SHA-1, 6 digits, 30 seconds). Needs a sign-in, or `POST /account/reauthenticate`, of the last 10 minutes. It counts once it is confirmed with a code; until then sign-ins need no code. Each call replaces a secret that was not confirmed.',
    answer: pendingTotp,
    status: 201,
    errors: ['reauthenticationRequired', 'totpAlreadyOn', 'ssoAccount'],
  },
  confirmTotp: {
    method: 'POST',
    path: '/account/totp/confirm',
    access: 'account',
    tag,
    summary: 'Turn on two-factor authentication with a code',
    description:
      'Needs a sign-in, or `POST /account/reauthenticate`, of the last 10 minutes. From now on a sign-in needs a code of the authenticator app or a recovery code. Returns ten recovery codes, shown once. A code is accepted once.',
    body: totpConfirmation,
    answer: recoveryCodes,
    errors: ['reauthenticationRequired', 'totpAlreadyOn', 'totpNotPending', 'signInDelayed'],
  },
  renewRecoveryCodes: {
    method: 'POST',
    path: '/account/totp/recovery-codes',
    access: 'account',
    tag,
    summary: 'Make new recovery codes',
    description:
      'Needs the password, or a sign-in or `POST /account/reauthenticate` of the last 10 minutes. Returns ten new codes, shown once; the codes before no longer work.',
    body: recoveryCodesInput.optional(),
    answer: recoveryCodes,
    errors: ['reauthenticationRequired', 'passwordIncorrect', 'totpNotOn', 'signInDelayed'],
  },
  disableTotp: {
    method: 'DELETE',
    path: '/account/totp',
    access: 'account',
    tag,
    summary: 'Turn off two-factor authentication',
    description:
      'Needs the password. The secret and the recovery codes are deleted. A break-glass owner loses that mark; the last one keeps both while single sign-on is required (409).',
    body: passwordConfirmation,
    answer: null,
    errors: ['passwordIncorrect', 'totpNotOn', 'ssoBreakGlassMissing', 'signInDelayed'],
  },
});

export const accounts = defineResource({
  chapters: { Accounts: 'The people who sign in to the dashboard, and their sessions' },
  routes: { ...accountRoutes, ...peopleRoutes },
});
