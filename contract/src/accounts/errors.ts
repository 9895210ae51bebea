// The errors of accounts: people who sign in to the dashboard.

import type { ErrorRow, ReasonRow } from '../error-row.ts';

export const accountsErrors = {
  notSignedIn: {
    status: 401,
    code: 'NOT_SIGNED_IN',
    message: 'Not signed in, or the session has expired',
    cause: 'There is no session cookie: nobody has signed in with this browser, or the person signed out.',
    remedy: 'Sign in with POST /account/sign-in to get a session cookie.',
    step: 'credential',
  },
  originNotAllowed: {
    status: 403,
    code: 'ORIGIN_NOT_ALLOWED',
    message: 'The request does not come from a page of this server',
    cause:
      "The request carries the session cookie, but it comes from another site's page, or it changes something without an Origin header.",
    remedy:
      "Open the dashboard at its own URL (TOOLGATE_PUBLIC_URL), or use an API key: cookies are accepted only from this server's Origin.",
    step: 'permission',
  },
  signInFailed: {
    status: 401,
    code: 'SIGN_IN_FAILED',
    message: 'Email or password is wrong',
    cause: 'No account has this email address, or the password is wrong. Both cases look the same.',
    remedy: 'Check the email address and the password.',
    step: 'credential',
  },
  totpRequired: {
    status: 401,
    code: 'TOTP_REQUIRED',
    message: 'Authentication code required',
    cause: 'The password is right, but the account also requires a second factor.',
    remedy: 'Send the same email and password again, with code from the authenticator app or recovery_code.',
    step: 'credential',
  },
  totpInvalid: {
    status: 401,
    code: 'TOTP_INVALID',
    message: 'Authentication code is wrong or was already used',
    cause:
      'The code is not from the previous, current or next 30 seconds, or this code or a newer one was already used.',
    remedy: 'Wait for the next code in the authenticator app, and check the clock of the device.',
    step: 'credential',
  },
  signInDelayed: {
    status: 429,
    code: 'SIGN_IN_DELAYED',
    message: 'Too many failed sign-ins',
    cause:
      'Five sign-ins with this email address or from this network have failed. Each further failure doubles the wait, up to 15 minutes.',
    remedy: 'Wait for retry_after_seconds, then try again.',
    step: 'rate_limit',
  },
  passwordIncorrect: {
    status: 403,
    code: 'PASSWORD_INCORRECT',
    message: 'Password is wrong',
    cause: "This change requires the account's password, and the password sent is wrong.",
    remedy: "Send your account's current password.",
    step: 'permission',
  },
  tooManyEmails: {
    status: 429,
    code: 'TOO_MANY_EMAIL_ADDRESSES',
    message: 'Too many new email addresses',
    cause:
      'One person tried five new email addresses, or people in one organization tried twenty. Each further one doubles the wait, up to 15 minutes.',
    remedy: 'Wait for retry_after_seconds, then try again.',
    step: 'rate_limit',
  },
  reauthenticationRequired: {
    status: 403,
    code: 'REAUTHENTICATION_REQUIRED',
    message: 'Enter your password again to make this change',
    cause:
      'This change could lock someone out or create an owner, and this session has not confirmed a password or second factor in the last 10 minutes.',
    remedy: 'Send the password or an authenticator code to POST /account/reauthenticate, then repeat the request.',
    step: 'permission',
  },
  emailTaken: {
    status: 409,
    code: 'EMAIL_TAKEN',
    message: 'Email address already belongs to an account',
    cause: 'Another account or an open invitation has this email address. Each email address belongs to one account.',
    remedy: 'Use another email address.',
    step: 'answer',
  },
  setupLinkInvalid: {
    status: 410,
    code: 'SETUP_LINK_INVALID',
    message: 'This setup link has expired or was already used',
    cause: 'The token in the setup link is unknown or older than 30 minutes.',
    remedy: 'Open the newest link in the server log: each start prints one that is valid for 30 minutes.',
    step: 'body',
  },
  invitationInvalid: {
    status: 410,
    code: 'INVITATION_INVALID',
    message: 'This invitation has expired or was already used',
    cause:
      'The invitation is older than 7 days, was accepted, deleted or resent, or its sender is no longer allowed to invite people.',
    remedy: 'Ask for a new invitation: a link works once, for 7 days.',
    step: 'body',
  },
  invitationExists: {
    status: 409,
    code: 'INVITATION_EXISTS',
    message: 'This email address has already been invited',
    cause: 'There is an open invitation for this email address.',
    remedy: 'Resend the open invitation, or delete it first.',
    step: 'answer',
  },
  organizationInUse: {
    status: 409,
    code: 'ORGANIZATION_IN_USE',
    message: 'Organization still has projects',
    cause: 'You can delete an organization only after deleting its projects.',
    remedy: "Delete the organization's projects first.",
    step: 'answer',
  },
  lastOwner: {
    status: 409,
    code: 'LAST_OWNER',
    message: 'An organization needs an owner',
    cause: 'The change would leave the organization without an owner.',
    remedy: 'Make someone else an owner first.',
    step: 'answer',
  },
  totpAlreadyOn: {
    status: 409,
    code: 'TOTP_ALREADY_ON',
    message: 'Two-factor authentication is already on',
    cause: 'The account already has a confirmed secret.',
    remedy: 'Turn two-factor authentication off first.',
    step: 'answer',
  },
  totpNotPending: {
    status: 409,
    code: 'TOTP_NOT_PENDING',
    message: 'There is no new secret to confirm',
    cause: 'No secret was created, or it was already confirmed.',
    remedy: 'Create a new secret: POST /api/v1/account/totp.',
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
      'The session expired or was revoked: it was unused for 12 hours, is older than 7 days, or the person signed out, changed the password or was removed.',
    remedy: 'Sign in again.',
  },
  recovery_code_invalid: {
    cause: 'The recovery code is wrong or was already used.',
    remedy: 'Use another recovery code: each one works once.',
  },
  current_password_required: {
    cause: 'The request changes the email address or password without the current password.',
    remedy: 'Send current_password: changing the email address or the password requires it.',
  },
  password_too_common: {
    cause: 'The password is a common one, a sequence, one repeated character, or the email address itself.',
    remedy: 'Choose another password: this one is among the first that attackers guess.',
  },
  first_organization: {
    cause: 'The organization belongs to the operator and owns the projects that the root key creates.',
    remedy: 'Keep this organization: projects created with the root key belong to it.',
  },
  too_many_accounts: {
    cause: 'The organization has reached its maximum number of people.',
    remedy: 'Remove people who have left the organization.',
  },
  too_many_invitations: {
    cause: 'The organization has reached its maximum number of open invitations.',
    remedy: 'Delete invitations that you no longer need.',
  },
  too_many_password_checks: {
    cause: 'Too many people are signing in at the same time, and checking passwords takes a while.',
    remedy: 'Wait for the seconds in Retry-After, then try again: many people are signing in.',
  },
} as const satisfies Record<string, ReasonRow>;
