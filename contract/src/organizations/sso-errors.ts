// The errors of single sign-on.

import type { ErrorRow, ReasonRow } from '../error-row.ts';

export const ssoErrors = {
  ssoRequired: {
    status: 403,
    code: 'SSO_REQUIRED',
    message: 'Your organization requires single sign-on',
    cause:
      'The organization has disabled passwords. They work only for break-glass owners with two-factor authentication.',
    remedy: 'Choose "Continue with single sign-on" on the sign-in page.',
    step: 'credential',
  },
  ssoNotConfigured: {
    status: 404,
    code: 'SSO_NOT_CONFIGURED',
    message: 'Single sign-on is not set up for this email domain',
    cause: "No organization has set up single sign-on for the email address's domain.",
    remedy: 'Check the email address, or sign in with your password.',
    step: 'credential',
  },
  ssoExpired: {
    status: 400,
    code: 'SSO_EXPIRED',
    message: 'This sign-in has expired or was already used',
    cause:
      "The provider's response arrived twice, after 10 minutes, in another browser than the one where the sign-in started, or after the single sign-on settings changed.",
    remedy: 'Start the sign-in again on the sign-in page.',
    step: 'credential',
  },
  ssoProviderUnavailable: {
    status: 502,
    code: 'SSO_PROVIDER_UNAVAILABLE',
    message: 'The identity provider does not respond',
    cause: "The organization's identity provider did not respond in time, or reported that it is unavailable.",
    remedy: 'Try again in a moment; an owner can test single sign-on in the organization settings.',
    step: 'credential',
  },
  ssoRefused: {
    status: 403,
    code: 'SSO_REFUSED',
    message: 'The identity provider did not accept the sign-in',
    cause: 'The identity provider refused the sign-in, or its response violates the protocol.',
    remedy: 'Try again; an owner can test single sign-on in the organization settings.',
    step: 'credential',
  },
  ssoEmailRefused: {
    status: 403,
    code: 'SSO_EMAIL_REFUSED',
    message: 'The email address from the identity provider cannot be used',
    cause:
      "The identity provider returned no email address, an unverified one, or one outside of the organization's domains.",
    remedy: "Sign in to the identity provider with your organization's email address.",
    step: 'credential',
  },
  ssoNoRole: {
    status: 403,
    code: 'SSO_NO_ROLE',
    message: 'Your groups at the identity provider give you no role here',
    cause: "The role map has no entry for the person's groups, and there is no default role.",
    remedy: 'Ask the person who manages the identity provider to add you to a group that has a role here.',
    step: 'permission',
  },
  ssoLinkRequired: {
    status: 409,
    code: 'SSO_LINK_REQUIRED',
    message: 'An account with a password has this email address',
    cause:
      'The organization has an account with the same email address that signs in with a password. The identity provider alone does not give access to it.',
    remedy:
      "Send that account's password once to POST /account/sso/link in the same browser, or ask an owner to remove that account.",
    step: 'credential',
  },
  ssoEmailTaken: {
    status: 409,
    code: 'SSO_EMAIL_TAKEN',
    message: 'Another account has this email address',
    cause:
      'The email address belongs to a break-glass owner, to a person from another identity provider, or to another organization.',
    remedy: 'Ask an owner to remove the account with this email address, then sign in again.',
    step: 'credential',
  },
  ssoAccount: {
    status: 409,
    code: 'SSO_ACCOUNT',
    message: 'This account uses single sign-on',
    cause:
      'An account that uses single sign-on has no password and no second factor here; its email address comes from the identity provider.',
    remedy: 'Change it at the identity provider; to confirm your identity, sign in again with single sign-on.',
    step: 'permission',
  },
  ssoDomainTaken: {
    status: 409,
    code: 'SSO_DOMAIN_TAKEN',
    message: 'Another organization has this domain',
    cause: 'Each domain belongs to one organization, and another one has set up single sign-on for it.',
    remedy: 'Remove the domain from the other organization first.',
    step: 'answer',
  },
  ssoBreakGlassMissing: {
    status: 409,
    code: 'SSO_BREAK_GLASS_MISSING',
    message: 'Required single sign-on needs a break-glass owner',
    cause:
      'While single sign-on is required, an owner must be able to sign in with a password. Otherwise, nobody could sign in when the identity provider fails.',
    remedy:
      'Make an owner with a password and two-factor authentication a break-glass owner: PATCH /organization/accounts/{account_id} with is_break_glass.',
    step: 'answer',
  },
  breakGlassNotAllowed: {
    status: 409,
    code: 'BREAK_GLASS_NOT_ALLOWED',
    message: 'This account cannot be a break-glass owner',
    cause: 'A break-glass owner must have the role owner, a password and two-factor authentication.',
    remedy: 'Choose an owner who signs in with a password, and turn two-factor authentication on first.',
    step: 'answer',
  },
} as const satisfies Record<string, ErrorRow>;

export const ssoReasons = {
  domain_not_proven: {
    cause: "The domain's DNS has no TXT record for this organization.",
    remedy: 'Add the TXT record record_name with the text record_value, wait until it is published, then try again.',
  },
  email_not_verified: {
    cause: 'The ID token has no email address, or email_verified is not true.',
    remedy: 'Make the identity provider send the claims email and email_verified, and verify the email address there.',
  },
  email_of_other_domain: {
    cause: "The email address is not in one of the organization's domains.",
    remedy: 'Sign in with an email address of the organization, or add its domain in the settings.',
  },
  provider_refused: {
    cause: 'The identity provider, or the person signing in there, refused the sign-in.',
    remedy: 'Sign in again, and accept the request at the identity provider.',
  },
} as const satisfies Record<string, ReasonRow>;
