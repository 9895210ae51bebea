// The texts of the API reference for these routes.

import { routeDocs } from '../../api/route-docs.ts';

export const docs = routeDocs({
  getSetup: {
    summary: 'Whether this installation has no owner yet',
    description: 'Answers while there is no owner; afterwards the route is gone (404).',
  },
  setUp: {
    summary: 'Create the first owner with the link from the log',
    description:
      'Creates the owner of the first organization and a first project, and signs the person in with a cookie. The token is printed by the server when it starts without an owner; it is valid for 30 minutes and works once. Of requests at the same time one succeeds. Projects that the root key made before belong to the same organization.',
  },
  signIn: {
    summary: 'Sign in with email and password',
    description:
      'Sets the session cookie: HttpOnly, for 7 days at most, ended after 12 hours without use. With two-factor authentication the first answer is 401 `TOTP_REQUIRED`; send the same again with `code` or `recovery_code`. After five failures each further one has a longer wait, for the account and for the address. An unknown email address gets the answer of a wrong password. A session that the browser had before ends.',
  },
  signOut: {
    summary: 'End the session of this browser',
    description: 'The cookie is deleted and its session refused from now on. Without a session nothing happens.',
  },
  getAccount: {
    summary: 'Read my account',
    description: 'The person who is signed in, with organization, permissions and session.',
  },
  updateAccount: {
    summary: 'Change my name, email or password',
    description:
      'A new email address or password needs `current_password`. A new password ends all other sessions and renews the cookie of this one.',
  },
  listAccountSessions: {
    summary: 'List my sessions, newest first',
    description: 'Every browser that is signed in to this account.',
  },
  endAccountSession: {
    summary: 'End one of my sessions',
    description: 'The browser is signed out at once, on every replica. Ending the session of this request signs out.',
  },
  endOtherAccountSessions: {
    summary: 'End all my other sessions',
    description: 'Every other browser is signed out at once. This session stays.',
  },
  beginTotp: {
    summary: 'Begin to turn on two-factor authentication',
    description:
      'Makes a new secret for an authenticator app (TOTP: SHA-1, 6 digits, 30 seconds). It counts once it is confirmed with a code; until then sign-ins need no code. Each call replaces a secret that was not confirmed.',
  },
  confirmTotp: {
    summary: 'Turn on two-factor authentication with a code',
    description:
      'From now on a sign-in needs a code of the authenticator app or a recovery code. Answers with ten recovery codes, shown once. A code is accepted once.',
  },
  renewRecoveryCodes: {
    summary: 'Make new recovery codes',
    description: 'Needs the password. Answers with ten new codes, shown once; the codes before no longer work.',
  },
  disableTotp: {
    summary: 'Turn off two-factor authentication',
    description: 'Needs the password. The secret and the recovery codes are deleted.',
  },
  listAccounts: {
    summary: 'List the people of the organization, newest first',
    description: 'Everyone with an account in the organization, with role and second factor. For every role.',
  },
  getOrganizationAccount: {
    summary: 'Read an account of the organization',
    description: 'One person of the organization. For every role.',
  },
  changeRole: {
    summary: 'Change the role of a person',
    description:
      'Takes effect with the next request of that person. Only an owner may make somebody an owner or change the role of one. The last owner stays an owner (409).',
  },
  removeAccount: {
    summary: 'Remove a person from the organization',
    description:
      'Deletes the account: its sessions end at once, and so do the invitations that it made. What it created stays. Needs the role `owner` or `admin`, and for an owner the role `owner`; everyone may remove themselves. The last owner cannot be removed (409).',
  },
});
