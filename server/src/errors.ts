// Every refusal of this service: status, code and message. Spec 7 fixes the messages; remedies.ts says what to do about each,
// and causes.ts why it happens. http/error-reply.ts and mcp/error-reply.ts render them. docs/reference/errors.md and the page
// /docs/errors are generated from the three tables.

import { type Reason, remedies } from './remedies.ts';

const table = {
  // General
  invalidApiKey: [401, 'INVALID_API_KEY', 'Invalid or inactive API key'],
  insufficientPermissions: [403, 'INSUFFICIENT_PERMISSIONS', 'Insufficient permissions'],
  rateLimitExceeded: [429, 'RATE_LIMIT_EXCEEDED', 'Rate limit exceeded'],
  internal: [500, 'INTERNAL_ERROR', 'Internal server error'],
  serviceUnavailable: [503, 'SERVICE_UNAVAILABLE', 'Service unavailable'],
  malformedRequest: [400, 'MALFORMED_REQUEST', 'Malformed request'],
  invalidJson: [400, 'INVALID_JSON', 'Body is not valid JSON'],
  validation: [422, 'VALIDATION_ERROR', 'Validation error'],
  notFound: [404, 'NOT_FOUND', 'Not found'],
  hostNotAllowed: [403, 'HOST_NOT_ALLOWED', 'Host or Origin is not this server'],
  methodNotAllowed: [405, 'METHOD_NOT_ALLOWED', 'Method not allowed'],
  nameTaken: [409, 'NAME_TAKEN', 'Name already exists for this project'],
  requestTimeout: [408, 'REQUEST_TIMEOUT', 'Request took too long to arrive'],
  projectLimitReached: [403, 'PROJECT_LIMIT_REACHED', 'Project limit reached'],
  limitReached: [409, 'LIMIT_REACHED', 'Limit reached'],
  bodyTooLarge: [413, 'BODY_TOO_LARGE', 'Body is too large'],
  unsupportedMediaType: [415, 'UNSUPPORTED_MEDIA_TYPE', 'Content-Type must be application/json'],
  headersTooLarge: [431, 'HEADERS_TOO_LARGE', 'Headers are too large'],
  idempotencyKeyInUse: [409, 'IDEMPOTENCY_KEY_IN_USE', 'Idempotency key in use'],
  idempotencyKeyReused: [422, 'IDEMPOTENCY_KEY_REUSED', 'Idempotency key was used with another request'],
  idempotencyAnswerNotKept: [
    409,
    'IDEMPOTENCY_ANSWER_NOT_KEPT',
    'The request with this idempotency key was done; its answer is not kept',
  ],
  keyNotActive: [409, 'API_KEY_NOT_ACTIVE', 'API key is revoked or expired'],
  keyRotated: [409, 'API_KEY_ALREADY_ROTATED', 'API key was already rotated'],

  // Accounts: people who sign in to the dashboard
  notSignedIn: [401, 'NOT_SIGNED_IN', 'Not signed in, or the session has ended'],
  originNotAllowed: [403, 'ORIGIN_NOT_ALLOWED', 'The request does not come from a page of this server'],
  signInFailed: [401, 'SIGN_IN_FAILED', 'Email or password is wrong'],
  totpRequired: [401, 'TOTP_REQUIRED', 'Authentication code required'],
  totpInvalid: [401, 'TOTP_INVALID', 'Authentication code is wrong or was used already'],
  signInDelayed: [429, 'SIGN_IN_DELAYED', 'Too many failed sign-ins'],
  passwordIncorrect: [403, 'PASSWORD_INCORRECT', 'Password is wrong'],
  emailTaken: [409, 'EMAIL_TAKEN', 'Email address already belongs to an account'],
  setupLinkInvalid: [410, 'SETUP_LINK_INVALID', 'This set-up link has expired or was used already'],
  invitationInvalid: [410, 'INVITATION_INVALID', 'This invitation has expired or was used already'],
  invitationExists: [409, 'INVITATION_EXISTS', 'This email address is invited already'],
  organizationInUse: [409, 'ORGANIZATION_IN_USE', 'Organization still has projects'],
  lastOwner: [409, 'LAST_OWNER', 'An organization needs an owner'],
  totpAlreadyOn: [409, 'TOTP_ALREADY_ON', 'Two-factor authentication is on already'],
  totpNotPending: [409, 'TOTP_NOT_PENDING', 'There is no new secret to confirm'],
  totpNotOn: [409, 'TOTP_NOT_ON', 'Two-factor authentication is not on'],

  // OAuth: the endpoints answer in the form of RFC 6749, where `error` is the code in lower case without OAUTH_
  oauthInvalidRequest: [400, 'OAUTH_INVALID_REQUEST', 'Invalid OAuth request'],
  oauthInvalidClient: [401, 'OAUTH_INVALID_CLIENT', 'Client authentication failed'],
  oauthInvalidGrant: [400, 'OAUTH_INVALID_GRANT', 'The code or refresh token is invalid, expired or revoked'],
  oauthInvalidScope: [400, 'OAUTH_INVALID_SCOPE', 'None of the requested scopes can be granted'],
  oauthInvalidTarget: [400, 'OAUTH_INVALID_TARGET', 'The resource is not an MCP endpoint of this project'],
  oauthUnsupportedGrantType: [400, 'OAUTH_UNSUPPORTED_GRANT_TYPE', 'Unsupported grant type'],
  oauthUnsupportedResponseType: [400, 'OAUTH_UNSUPPORTED_RESPONSE_TYPE', 'response_type must be code'],
  oauthAccessDenied: [403, 'OAUTH_ACCESS_DENIED', 'Access was denied'],
  oauthNoProvider: [500, 'OAUTH_SERVER_ERROR', 'The project has no OAuth provider that is enabled'],
  oauthInvalidRedirectUri: [400, 'OAUTH_INVALID_REDIRECT_URI', 'Invalid redirect URI'],
  oauthInvalidClientMetadata: [400, 'OAUTH_INVALID_CLIENT_METADATA', 'Invalid client metadata'],
  insufficientScope: [403, 'INSUFFICIENT_SCOPE', 'The token lacks the scope mcp'],

  // OAuth: what a person sees as a page
  unknownOAuthClient: [400, 'UNKNOWN_OAUTH_CLIENT', 'This app is not known here'],
  redirectUriNotRegistered: [400, 'REDIRECT_URI_NOT_REGISTERED', 'This app gave an address that is not registered'],
  signInExpired: [400, 'SIGN_IN_EXPIRED', 'This sign-in has expired'],
  signInFromOtherSite: [403, 'SIGN_IN_FROM_OTHER_SITE', 'This form was sent from another site'],
  signInRefused: [403, 'SIGN_IN_REFUSED', 'The provider did not accept the sign-in'],
  signInProviderUnavailable: [502, 'SIGN_IN_PROVIDER_UNAVAILABLE', 'The provider cannot be reached'],
  verifiedEmailRequired: [403, 'VERIFIED_EMAIL_REQUIRED', 'The provider has no verified email address of you'],

  // Webhooks
  webhookDisabled: [409, 'WEBHOOK_DISABLED', 'Webhook is not enabled'],
  deliveryUnderWay: [409, 'DELIVERY_UNDER_WAY', 'An attempt of this delivery is under way'],

  // Member sessions (POST /mcp/session-token)
  assertionOrExternalIdRequired: [400, 'MEMBER_REQUIRED', 'Provide member_assertion or member_external_id'],
  memberUnresolved: [400, 'MEMBER_UNRESOLVED', 'Could not resolve member_external_id'],
  keyWithoutIntegration: [400, 'API_KEY_WITHOUT_INTEGRATION', 'API key missing project or integration'],
  externalIdDisabled: [403, 'MEMBER_EXTERNAL_ID_DISABLED', 'member_external_id mode disabled in production'],
  assertionMissingKid: [401, 'ASSERTION_MISSING_KID', 'Invalid member assertion: MISSING_KID'],
  assertionKeyNotFound: [401, 'ASSERTION_KEY_NOT_FOUND', 'Invalid member assertion: KEY_NOT_FOUND'],
  assertionAudMismatch: [401, 'ASSERTION_AUD_MISMATCH', 'Invalid member assertion: AUD_MISMATCH'],
  assertionExpired: [401, 'ASSERTION_EXPIRED', 'Invalid member assertion: EXPIRED'],
  assertionInvalidSignature: [401, 'ASSERTION_INVALID_SIGNATURE', 'Invalid member assertion: INVALID_SIGNATURE'],
  assertionMalformed: [401, 'ASSERTION_MALFORMED', 'Invalid member assertion: MALFORMED'],
  assertionTtlTooLong: [401, 'ASSERTION_TTL_TOO_LONG', 'Invalid member assertion: TTL_TOO_LONG'],
  assertionReplayed: [401, 'ASSERTION_REPLAYED', 'Invalid member assertion: REPLAYED'],
  memberSessionExpired: [401, 'MEMBER_SESSION_EXPIRED', 'Member JWT has expired'],

  // Assertion keys (POST /assertion-keys)
  invalidPublicKey: [400, 'INVALID_PUBLIC_KEY', 'Invalid public key format'],
  unsupportedAlgorithm: [400, 'UNSUPPORTED_ALGORITHM', 'Unsupported algorithm'],
  kidTaken: [409, 'KID_ALREADY_EXISTS', 'kid already exists for this project'],

  // OAuth connections
  connectLinkInvalid: [410, 'CONNECT_LINK_INVALID', 'This link has expired or was used already'],

  // Custom tools (POST /custom-tools)
  baseUrlNotHttps: [400, 'BASE_URL_NOT_HTTPS', 'base_url must use HTTPS'],
  baseUrlNotOrigin: [400, 'BASE_URL_NOT_ORIGIN', 'base_url must be origin-only (no paths)'],
  endpointPathNotAbsolute: [400, 'ENDPOINT_PATH_NOT_ABSOLUTE', 'endpoint_path must start with /'],
  authSecretRequired: [
    400,
    'AUTH_SECRET_REQUIRED',
    "encrypted_auth_secret is required when auth_strategy is 'hmac_signature'",
  ],
  memberIdWithoutMember: [
    400,
    'MEMBER_ID_WITHOUT_REQUIRE_MEMBER',
    'endpoint_path uses {{member_id}} but require_member=False',
  ],
  sampleToolsNotAllowed: [403, 'SAMPLE_TOOLS_NOT_ALLOWED', 'The sample shop is for development projects'],

  // Tool execution
  reservedVariable: [400, 'RESERVED_VARIABLE', 'Reserved variable cannot be provided as user input'],
  toolNotEnabled: [403, 'TOOL_NOT_ENABLED', 'Tool not enabled for this project'],
  memberContextRequired: [403, 'MEMBER_CONTEXT_REQUIRED', 'Member context required for this tool'],
  memberSignInRequired: [409, 'MEMBER_SIGN_IN_REQUIRED', 'Member must sign in to connect an account for this tool'],
  toolExecutionFailed: [500, 'TOOL_EXECUTION_FAILED', 'Tool execution failed'],
  toolTimedOut: [500, 'TOOL_TIMED_OUT', 'Tool execution timed out'],
  authSecretUnreadable: [500, 'AUTH_SECRET_UNREADABLE', 'Failed to decrypt auth secret'],
  upstreamStatus: [502, 'UPSTREAM_STATUS', 'Upstream tool call failed - non-2xx response'],
  upstreamConnection: [502, 'UPSTREAM_CONNECTION', 'Upstream tool call failed - connection error'],
  callerGone: [499, 'CALLER_GONE', 'The caller closed the connection'],
  outputSchemaMismatch: [502, 'OUTPUT_SCHEMA_MISMATCH', 'The answer does not match output_schema'],
} as const satisfies Record<string, readonly [status: number, code: Uppercase<Reason>, message: string]>;

export type RefusalName = keyof typeof table;

/** `field` is dotted (`lines.0.sku`); empty when the value as a whole is wrong. */
export type FieldProblem = { field: string; message: string };

export type Details = {
  /** The first field that is wrong, and its value. */
  field?: string;
  value?: string;
  /** Which rule was broken, for programs. The code in lower case if nothing more exact is given. */
  reason?: Reason;
  /** What to do about it, for people and models. That of the reason if nothing more exact is given. */
  remedy?: string;
  /** Every field that is wrong. */
  problems?: FieldProblem[];
  [more: string]: unknown;
};

export type RefusalOptions = {
  /** Never a secret. `reason` and `remedy` are added. */
  details?: Details;
  /** The rule, where the response must not name it: for the log and the request trace. */
  hidden_reason?: Reason;
  /** Only for the log, never in a response. A string is a reason outside of this service. An Error is a bug, logged with its stack. */
  cause?: unknown;
  /** Response headers of this refusal, such as Retry-After. */
  headers?: Record<string, string>;
};

/** Their `details` are always empty (contract 2): nothing that the caller sent is to blame, or a stranger would learn which keys exist. */
const withoutDetails: ReadonlySet<RefusalName> = new Set(['invalidApiKey', 'internal']);

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** As sent. */
  readonly details: Details;
  /** Which rule refused the request, and what to do: always known, also where `details` has neither. */
  readonly reason: Reason;
  readonly remedy: string;
  /** Where the page of errors explains it: the reason as sent, never a hidden one. */
  readonly anchor: Reason;
  readonly headers: Record<string, string>;
  /** Set by who logs it, so that the renderer of the response does not log it again. */
  is_logged = false;
  /** The tool call that it ended, once the call log has that call. */
  call_id: string | null = null;

  constructor(name: RefusalName, { details = {}, hidden_reason, cause, headers = {} }: RefusalOptions = {}) {
    const [status, code, message] = table[name];
    super(message, { cause });
    const { reason = code.toLowerCase() as Lowercase<typeof code>, remedy = remedies[reason], ...others } = details;
    this.status = status;
    this.code = code;
    this.details = withoutDetails.has(name) ? {} : { ...others, reason, remedy };
    this.reason = hidden_reason ?? reason;
    this.remedy = hidden_reason ? remedies[hidden_reason] : remedy;
    this.anchor = withoutDetails.has(name) ? (code.toLowerCase() as Lowercase<typeof code>) : reason;
    this.headers = headers;
  }
}

const LOOPBACK = /\/\/(?:127\.0\.0\.1|\[::1\])(?=:|$)/;

/** The page of this server that explains a refusal. No IP address is in an error, not even our own: a loopback one gets its name. */
export const docsUrl = (public_url: string, anchor: Reason) =>
  `${public_url.replace(LOOPBACK, '//localhost')}/docs/errors#${anchor}`;

/** `throw refuse.notFound()`: one function for each row of the table. */
export const refuse = Object.fromEntries(
  Object.keys(table).map((name) => [name, (options?: RefusalOptions) => new ApiError(name as RefusalName, options)]),
) as Record<RefusalName, (options?: RefusalOptions) => ApiError>;

/** 422 for one field, without its value: it may be a secret or very long. */
export function invalidField(field: string, message: string, more: Details = {}): ApiError {
  return refuse.validation({ details: { field, reason: 'invalid_value', ...more, problems: [{ field, message }] } });
}

/** One line for a person: the first field and what is wrong with it. */
export function describeRefusal({ message, details: { field, problems } }: ApiError): string {
  return [field, problems?.[0]?.message ?? message].filter(Boolean).join(': ');
}

/** The rows of the table, for the documentation. */
export const refusals = Object.entries(table).map(([name, [status, code, message]]) => ({
  name: name as RefusalName,
  status,
  code,
  message,
  reason: code.toLowerCase() as Reason,
}));
