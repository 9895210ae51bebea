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
});
