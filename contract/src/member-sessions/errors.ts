// The errors of member sessions.

import type { ErrorRow, ReasonRow } from '../error-row.ts';

export const memberSessionsErrors = {
  assertionOrExternalIdRequired: {
    status: 400,
    code: 'MEMBER_REQUIRED',
    message: 'Provide member_assertion or member_external_id',
    cause: 'The body has neither member_assertion nor member_external_id.',
    remedy: 'Send member_assertion, a JWT that your backend signed for the member.',
    step: 'member',
  },
  memberUnresolved: {
    status: 400,
    code: 'MEMBER_UNRESOLVED',
    message: 'Could not resolve member_external_id',
    cause: 'The claim sub, or member_external_id, does not identify a member.',
    remedy:
      'Set the claim sub to your own id for the user: 1 to 255 characters (POST /api/v1/assertion-keys/debug explains an assertion).',
    step: 'member',
  },
  keyWithoutIntegration: {
    status: 400,
    code: 'API_KEY_WITHOUT_INTEGRATION',
    message: 'API key missing project or integration',
    cause: "The API key was created from the project. Only an integration's key can create sessions.",
    remedy:
      'Create a key from an integration (POST /api/v1/projects/{project_id}/integrations/{id}/api-keys) and use it here.',
    step: 'member',
  },
  externalIdDisabled: {
    status: 403,
    code: 'MEMBER_EXTERNAL_ID_DISABLED',
    message: 'member_external_id mode disabled in production',
    cause: 'The project is in production, where only a signed assertion can identify a member.',
    remedy: 'Send member_assertion: in production, only signed assertions are accepted.',
    step: 'member',
  },
  assertionMissingKid: {
    status: 401,
    code: 'ASSERTION_MISSING_KID',
    message: 'Invalid member assertion: MISSING_KID',
    cause: 'The JWT header has no kid.',
    remedy:
      'Set kid in the JWT header to the kid of a registered key (POST /api/v1/assertion-keys/debug explains an assertion).',
    step: 'member',
  },
  assertionKeyNotFound: {
    status: 401,
    code: 'ASSERTION_KEY_NOT_FOUND',
    message: 'Invalid member assertion: KEY_NOT_FOUND',
    cause: "The project has no active assertion key with the JWT's kid.",
    remedy:
      'Register the public key under this kid, or sign with an active one (POST /api/v1/assertion-keys/debug explains an assertion).',
    step: 'member',
  },
  assertionAudMismatch: {
    status: 401,
    code: 'ASSERTION_AUD_MISMATCH',
    message: 'Invalid member assertion: AUD_MISMATCH',
    cause: "The claim aud is not service:project: followed by this project's id.",
    remedy:
      "Set aud to service:project:<project id> for this API key's project (POST /api/v1/assertion-keys/debug explains an assertion).",
    step: 'member',
  },
  assertionUnknownToolset: {
    status: 401,
    code: 'ASSERTION_UNKNOWN_TOOLSET',
    message: 'Invalid member assertion: UNKNOWN_TOOLSET',
    cause: 'The claim toolsets contains a toolset that the project does not have.',
    remedy:
      "Use slugs of the project's toolsets, or leave the claim out (POST /api/v1/assertion-keys/debug explains an assertion).",
    step: 'member',
  },
  assertionExpired: {
    status: 401,
    code: 'ASSERTION_EXPIRED',
    message: 'Invalid member assertion: EXPIRED',
    cause: 'The claim exp is in the past.',
    remedy:
      'Sign a new assertion for each exchange, and check the clock (POST /api/v1/assertion-keys/debug explains an assertion).',
    step: 'member',
  },
  assertionInvalidSignature: {
    status: 401,
    code: 'ASSERTION_INVALID_SIGNATURE',
    message: 'Invalid member assertion: INVALID_SIGNATURE',
    cause: 'The signature does not match the registered public key, or alg is a different algorithm.',
    remedy:
      'Sign with the private key and the algorithm registered for this kid (POST /api/v1/assertion-keys/debug explains an assertion).',
    step: 'member',
  },
  assertionMalformed: {
    status: 401,
    code: 'ASSERTION_MALFORMED',
    message: 'Invalid member assertion: MALFORMED',
    cause: 'The assertion is not a compact JWT, or a header parameter or claim is missing or not allowed.',
    remedy:
      'Send a compact JWT with only alg, kid and typ in its header, and with exp (POST /api/v1/assertion-keys/debug explains an assertion).',
    step: 'member',
  },
  assertionTtlTooLong: {
    status: 401,
    code: 'ASSERTION_TTL_TOO_LONG',
    message: 'Invalid member assertion: TTL_TOO_LONG',
    cause: 'The assertion is valid for more than 60 seconds.',
    remedy:
      'Set exp at most 60 seconds after the current time and iat (POST /api/v1/assertion-keys/debug explains an assertion).',
    step: 'member',
  },
  assertionReplayed: {
    status: 401,
    code: 'ASSERTION_REPLAYED',
    message: 'Invalid member assertion: REPLAYED',
    cause: 'An assertion with this jti was already exchanged.',
    remedy:
      'Sign a new assertion with a new jti for each exchange (POST /api/v1/assertion-keys/debug explains an assertion).',
    step: 'member',
  },
  memberSessionExpired: {
    status: 401,
    code: 'MEMBER_SESSION_EXPIRED',
    message: 'Member JWT has expired',
    cause: 'The session token is older than 15 minutes.',
    remedy: 'Exchange a new assertion for a new session token: a member session lasts 15 minutes.',
    step: 'credential',
  },
} as const satisfies Record<string, ErrorRow>;

export const memberSessionsReasons = {
  not_a_test_member: {
    cause:
      'In production, people can try tools only for members whose external id begins with test_, so that nobody acts for a real user.',
    remedy: 'Choose a test member, whose external id begins with test_: this project is in production.',
  },
  external_id_unusable: {
    cause: 'member_external_id is empty, blank, too long or contains control characters.',
    remedy: 'Send your own id for the user: 1 to 255 characters, not blank, without control characters.',
  },
} as const satisfies Record<string, ReasonRow>;
