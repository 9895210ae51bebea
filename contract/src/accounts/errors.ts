// The errors of accounts: people who sign in to the dashboard.

import type { ErrorRow, ReasonRow } from '../error-row.ts';

export const accountsErrors = {
  notSignedIn: {
    status: 401,
    code: 'NOT_SIGNED_IN',
    message: 'Not signed in, or the session has ended',
    cause: 'There is no session cookie: nobody has signed in with this browser, or the person has signed out.',
    remedy: 'Sign in with POST /account/sign-in, which sets the session cookie.',
    step: 'credential',
  },
  originNotAllowed: {
    status: 403,
    code: 'ORIGIN_NOT_ALLOWED',
    message: 'The request does not come from a page of this server',
    cause:
      'The request has the session cookie and comes from a page of another site, or changes something and does not say which page it comes from.',
    remedy:
      'Open the dashboard at its own address (TOOLGATE_PUBLIC_URL), or use an API key: a cookie needs the Origin of this server.',
    step: 'permission',
  },
  signInFailed: {
    status: 401,
    code: 'SIGN_IN_FAILED',
    message: 'Email or password is wrong',
    cause: 'There is no account with this email address, or the password is wrong. Both look the same.',
    remedy: 'Check the email address and the password.',
    step: 'credential',
  },
  totpRequired: {
    status: 401,
    code: 'TOTP_REQUIRED',
    message: 'Authentication code required',
    cause: 'The password is right, and the account has two-factor authentication on.',
    remedy: 'Send code from the authenticator app, or recovery_code, with the same email and password.',
    step: 'credential',
  },
  totpInvalid: {
    status: 401,
    code: 'TOTP_INVALID',
    message: 'Authentication code is wrong or was used already',
    cause:
      'The code is not one of the last, the current or the next 30 seconds, or it, or a newer one, was used already.',
    remedy: 'Wait for the next code of the authenticator app and check the clock of the device.',
    step: 'credential',
  },
  signInDelayed: {
    status: 429,
    code: 'SIGN_IN_DELAYED',
    message: 'Too many failed sign-ins',
    cause:
      'Five sign-ins with this email address, or from this network, have failed. Each further failure makes the wait twice as long, up to 15 minutes.',
    remedy: 'Wait for retry_after_seconds, then try again.',
    step: 'rate_limit',
  },
  passwordIncorrect: {
    status: 403,
    code: 'PASSWORD_INCORRECT',
    message: 'Password is wrong',
    cause: 'The change needs the password of the account, and another text was sent.',
    remedy: 'Send the current password of your account.',
    step: 'permission',
  },
  tooManyEmails: {
    status: 429,
    code: 'TOO_MANY_EMAIL_ADDRESSES',
    message: 'Too many new email addresses',
    cause:
      'A person tried five new email addresses, or the people of an organization tried twenty. Each further one makes the wait twice as long, up to 15 minutes.',
    remedy: 'Wait for retry_after_seconds, then try again.',
    step: 'rate_limit',
  },
  reauthenticationRequired: {
    status: 403,
    code: 'REAUTHENTICATION_REQUIRED',
    message: 'This change needs your password again',
    cause:
      'The change could lock the person out or make owners, and neither the password nor a second factor was given in this session in the last 10 minutes.',
    remedy:
      'Send the password, or a code of the authenticator app, to POST /account/reauthenticate, then repeat the request.',
    step: 'permission',
  },
  emailTaken: {
    status: 409,
    code: 'EMAIL_TAKEN',
    message: 'Email address already belongs to an account',
    cause:
      'Another account has this email address, or a person was invited with it. An address belongs to one account.',
    remedy: 'Use another email address.',
    step: 'answer',
  },
  setupLinkInvalid: {
    status: 410,
    code: 'SETUP_LINK_INVALID',
    message: 'This set-up link has expired or was used already',
    cause: 'The token of the set-up link is unknown or older than 30 minutes.',
    remedy: 'Open the newest link in the log of the server: each start prints one, valid for 30 minutes.',
    step: 'body',
  },
  invitationInvalid: {
    status: 410,
    code: 'INVITATION_INVALID',
    message: 'This invitation has expired or was used already',
    cause:
      'The invitation is older than 7 days, was accepted, deleted or sent again, or the person who made it may no longer make it.',
    remedy: 'Ask for a new invitation: a link is valid for 7 days and works once.',
    step: 'body',
  },
  invitationExists: {
    status: 409,
    code: 'INVITATION_EXISTS',
    message: 'This email address is invited already',
    cause: 'An invitation of this email address is open.',
    remedy: 'Resend the invitation, or delete it first.',
    step: 'answer',
  },
  organizationInUse: {
    status: 409,
    code: 'ORGANIZATION_IN_USE',
    message: 'Organization still has projects',
    cause: 'An organization is deleted only when it has no projects.',
    remedy: 'Delete the projects of the organization first.',
    step: 'answer',
  },
  lastOwner: {
    status: 409,
    code: 'LAST_OWNER',
    message: 'An organization needs an owner',
    cause: 'The change would leave the organization without an owner.',
    remedy: 'Make another person an owner first.',
    step: 'answer',
  },
  totpAlreadyOn: {
    status: 409,
    code: 'TOTP_ALREADY_ON',
    message: 'Two-factor authentication is on already',
    cause: 'The account has a secret that was confirmed.',
    remedy: 'Turn two-factor authentication off first.',
    step: 'answer',
  },
  totpNotPending: {
    status: 409,
    code: 'TOTP_NOT_PENDING',
    message: 'There is no new secret to confirm',
    cause: 'No secret was made, or it was confirmed already.',
    remedy: 'Ask for a new secret: POST /api/v1/account/totp.',
    step: 'answer',
  },
  totpNotOn: {
    status: 409,
    code: 'TOTP_NOT_ON',
    message: 'Two-factor authentication is not on',
    cause: 'The account has no second factor.',
    remedy: 'Turn two-factor authentication on first.',
    step: 'answer',
  },
} as const satisfies Record<string, ErrorRow>;

export const accountsReasons = {
  session_ended: {
    cause:
      'The session of the cookie has ended: after 12 hours without use, after 7 days, by signing out, by a new password, or because the account was removed.',
    remedy: 'Sign in again.',
  },
  recovery_code_invalid: {
    cause: 'The recovery code is wrong or was used before.',
    remedy: 'Use another recovery code: each works once.',
  },
  current_password_required: {
    cause: 'A new email address or password was sent without the current password.',
    remedy: 'Send current_password: it is needed to change the email address or the password.',
  },
  password_too_common: {
    cause: 'The password is common, a sequence, one repeated character, or the email address itself.',
    remedy: 'Choose another password: this one is among the first that are guessed.',
  },
  first_organization: {
    cause: 'The first organization is that of the operator, and owns the projects that the root key makes.',
    remedy: 'Keep this organization: the projects of the root key belong to it.',
  },
  too_many_accounts: {
    cause: 'The organization has as many people as are allowed.',
    remedy: 'Remove people who have left the organization.',
  },
  too_many_invitations: {
    cause: 'The organization has as many open invitations as are allowed.',
    remedy: 'Delete invitations that are not needed.',
  },
  too_many_password_checks: {
    cause: 'More people sign in at this moment than passwords can be checked.',
    remedy: 'Try again after the seconds in Retry-After: many people sign in at this moment.',
  },
} as const satisfies Record<string, ReasonRow>;
