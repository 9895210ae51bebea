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
    summary: 'Check whether this installation still needs an owner',
    description: 'Returns 200 until there is an owner, then 404.',
    response: setupNeeded,
    errors: ['notFound'],
  },
  setUp: {
    method: 'POST',
    path: '/account/setup',
    access: 'public',
    tag,
    summary: 'Create the first owner with the link from the log',
    description:
      "Creates the operator's organization with its owner and a first project, and signs the person in with a cookie. A server that starts without an owner prints the token, which works once and is valid for 30 minutes. If several requests arrive at the same time, one succeeds. Projects that the root key created earlier belong to the same organization.",
    body: setup,
    response: setupResult,
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
      "Sets an HttpOnly session cookie that expires after 12 hours without use, or after 7 days. With two-factor authentication, the first response is 401 `TOTP_REQUIRED`; send the same request again with `code` or `recovery_code`. After five failures, each further one makes the wait longer, both for the account and for the IP address. An unknown email address and an account that uses single sign-on get the same response as a wrong password. If the organization requires single sign-on, even a correct password is refused with 403 `SSO_REQUIRED`, except for a break-glass owner. The browser's previous session is signed out.",
    body: signIn,
    response: currentAccount,
    errors: ['signInFailed', 'totpRequired', 'totpInvalid', 'originNotAllowed', 'ssoRequired', 'signInDelayed'],
  },
  signOut: {
    method: 'POST',
    path: '/account/sign-out',
    access: 'public',
    tag,
    summary: 'Sign out',
    description: 'Deletes the cookie and its session. Without a session, nothing happens.',
    response: null,
    errors: ['originNotAllowed'],
  },
  reauthenticate: {
    method: 'POST',
    path: '/account/reauthenticate',
    access: 'account',
    tag,
    summary: 'Confirm your password or second factor again',
    description:
      'Call this before a change that is refused with 403 `REAUTHENTICATION_REQUIRED`: to two-factor authentication, recovery codes or single sign-on, removing yourself, or inviting, creating, changing or removing owners. Such changes are accepted for 10 minutes after you sign in or call this route. Send one of `password`, `code` and `recovery_code`. The session gets a new cookie, and the previous one stops working. After five failures, each further one makes the wait longer. If your account uses single sign-on, sign in again instead.',
    body: reauthentication,
    response: reauthenticated,
    errors: ['passwordIncorrect', 'totpInvalid', 'totpNotOn', 'ssoAccount', 'signInDelayed'],
  },
  getAccount: {
    method: 'GET',
    path: '/account',
    access: 'account',
    tag,
    summary: 'Get my account',
    description: 'The signed-in person, with their organization, permissions and session.',
    response: currentAccount,
  },
  updateAccount: {
    method: 'PATCH',
    path: '/account',
    access: 'account',
    tag,
    summary: 'Change my name, email or password',
    description:
      "To change the email address or password, send `current_password`. An email address that belongs to another account or an open invitation is refused with 409; after five new ones, each further one makes the wait longer. A new password signs out all your other sessions and renews this session's cookie.",
    body: accountChange,
    response: currentAccount,
    errors: ['passwordIncorrect', 'emailTaken', 'ssoAccount', 'signInDelayed', 'tooManyEmails'],
  },
  listAccountSessions: {
    method: 'GET',
    path: '/account/sessions',
    access: 'account',
    tag,
    summary: 'List my sessions, newest first',
    description: 'Every browser that is signed in to your account.',
    query: pageQuery,
    response: pageOf(accountSession),
  },
  endOtherAccountSessions: {
    method: 'POST',
    path: '/account/sessions/end-others',
    access: 'account',
    tag,
    summary: 'Sign out all my other sessions',
    description: 'Signs out every other browser immediately. This session stays.',
    response: endedSessions,
  },
  endAccountSession: {
    method: 'DELETE',
    path: '/account/sessions/:session_id',
    access: 'account',
    tag,
    summary: 'Sign out one of my sessions',
    description:
      'Signs the browser out immediately, on every replica. If it is the session of this request, you are signed out.',
    response: null,
  },
  beginTotp: {
    method: 'POST',
    path: '/account/totp',
    access: 'account',
    tag,
    summary: 'Start turning on two-factor authentication',
    description:
      'Creates a new secret for an authenticator app (TOTP: SHA-1, 6 digits, 30 seconds). You must have signed in or called `POST /account/reauthenticate` in the last 10 minutes. The secret takes effect after you confirm it with a code; until then, you sign in without one. Each call replaces an unconfirmed secret.',
    response: pendingTotp,
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
      'You must have signed in or called `POST /account/reauthenticate` in the last 10 minutes. From then on, every sign-in requires a code from the authenticator app or a recovery code. Returns ten recovery codes, shown only once. Each code works once.',
    body: totpConfirmation,
    response: recoveryCodes,
    errors: ['reauthenticationRequired', 'totpAlreadyOn', 'totpNotPending', 'signInDelayed'],
  },
  renewRecoveryCodes: {
    method: 'POST',
    path: '/account/totp/recovery-codes',
    access: 'account',
    tag,
    summary: 'Create new recovery codes',
    description:
      'Send the password, unless you signed in or called `POST /account/reauthenticate` in the last 10 minutes. Returns ten new codes, shown only once; the old codes stop working.',
    body: recoveryCodesInput.optional(),
    response: recoveryCodes,
    errors: ['reauthenticationRequired', 'passwordIncorrect', 'totpNotOn', 'signInDelayed'],
  },
  disableTotp: {
    method: 'DELETE',
    path: '/account/totp',
    access: 'account',
    tag,
    summary: 'Turn off two-factor authentication',
    description:
      'Requires the password. The secret and the recovery codes are deleted. A break-glass owner loses that status; while single sign-on is required, the last one keeps both (409).',
    body: passwordConfirmation,
    response: null,
    errors: ['passwordIncorrect', 'totpNotOn', 'ssoBreakGlassMissing', 'signInDelayed'],
  },
});

export const accounts = defineResource({
  chapters: { Accounts: 'The people who sign in to the dashboard, and their sessions' },
  routes: { ...accountRoutes, ...peopleRoutes },
});
