// Which step of a request a refusal belongs to: the one place that decides it, for the call log and for request traces.

import type { ApiError, RefusalName } from '../../errors.ts';
import { refusals } from '../../errors.ts';

/** In the order in which a request passes them. */
export const steps = [
  'credential',
  'rate_limit',
  'permission',
  'body',
  'tool',
  'member',
  'arguments',
  'address',
  'upstream',
  'answer',
] as const;

export type Step = (typeof steps)[number];

/**
 * Where a request was refused: before its caller was known, in a request that is no tool call, in a request that would have
 * been one, or in a tool call.
 */
export type RefusedIn = 'credential' | 'request' | 'call_request' | 'call';

type InStep = Step | { request: Step; call_request: Step; call: Step };

/** `body` stands for path, query, headers and body; `answer` for the operation itself. */
const stepOfRefusal: Record<RefusalName, InStep> = {
  invalidApiKey: 'credential',
  insufficientPermissions: 'permission',
  rateLimitExceeded: 'rate_limit',
  internal: { request: 'answer', call_request: 'tool', call: 'upstream' },
  serviceUnavailable: { request: 'answer', call_request: 'tool', call: 'upstream' },
  malformedRequest: 'body',
  invalidJson: 'body',
  validation: { request: 'body', call_request: 'body', call: 'arguments' },
  notFound: { request: 'answer', call_request: 'tool', call: 'tool' },
  hostNotAllowed: 'permission',
  methodNotAllowed: 'body',
  nameTaken: 'answer',
  requestTimeout: 'body',
  projectLimitReached: 'answer',
  sampleToolsNotAllowed: 'answer',
  limitReached: 'answer',
  bodyTooLarge: { request: 'body', call_request: 'body', call: 'arguments' },
  unsupportedMediaType: 'body',
  headersTooLarge: 'body',
  idempotencyKeyInUse: 'body',
  idempotencyKeyReused: 'body',
  idempotencyAnswerNotKept: 'body',
  keyNotActive: 'answer',
  keyRotated: 'answer',
  webhookDisabled: 'answer',
  deliveryUnderWay: 'answer',
  assertionOrExternalIdRequired: 'member',
  memberUnresolved: 'member',
  keyWithoutIntegration: 'member',
  externalIdDisabled: 'member',
  assertionMissingKid: 'member',
  assertionKeyNotFound: 'member',
  assertionAudMismatch: 'member',
  assertionExpired: 'member',
  assertionInvalidSignature: 'member',
  assertionMalformed: 'member',
  assertionTtlTooLong: 'member',
  assertionReplayed: 'member',
  memberSessionExpired: 'credential',
  invalidPublicKey: 'body',
  unsupportedAlgorithm: 'body',
  kidTaken: 'answer',
  baseUrlNotHttps: 'body',
  baseUrlNotOrigin: 'body',
  endpointPathNotAbsolute: 'body',
  authSecretRequired: 'body',
  memberIdWithoutMember: 'body',
  notSignedIn: 'credential',
  originNotAllowed: 'permission',
  signInFailed: 'credential',
  totpRequired: 'credential',
  totpInvalid: 'credential',
  signInDelayed: 'rate_limit',
  passwordIncorrect: 'permission',
  emailTaken: 'answer',
  setupLinkInvalid: 'body',
  invitationInvalid: 'body',
  invitationExists: 'answer',
  organizationInUse: 'answer',
  lastOwner: 'answer',
  totpAlreadyOn: 'answer',
  totpNotPending: 'answer',
  totpNotOn: 'answer',
  oauthInvalidRequest: 'body',
  oauthInvalidClient: 'credential',
  oauthInvalidGrant: 'credential',
  oauthInvalidScope: 'body',
  oauthInvalidTarget: 'body',
  oauthUnsupportedGrantType: 'body',
  oauthUnsupportedResponseType: 'body',
  oauthAccessDenied: 'permission',
  oauthNoProvider: 'answer',
  oauthInvalidRedirectUri: 'body',
  oauthInvalidClientMetadata: 'body',
  insufficientScope: 'permission',
  unknownOAuthClient: 'body',
  redirectUriNotRegistered: 'body',
  signInExpired: 'body',
  signInFromOtherSite: 'body',
  signInRefused: 'body',
  signInProviderUnavailable: 'body',
  verifiedEmailRequired: 'body',
  reservedVariable: 'arguments',
  toolNotEnabled: 'tool',
  memberContextRequired: 'member',
  memberSignInRequired: 'member',
  connectLinkInvalid: 'body',
  toolExecutionFailed: 'upstream',
  toolTimedOut: 'upstream',
  authSecretUnreadable: 'upstream',
  upstreamStatus: 'upstream',
  upstreamConnection: 'upstream',
  callerGone: 'upstream',
  outputSchemaMismatch: 'answer',
};

const byCode = new Map(refusals.map(({ code, name }) => [code as string, stepOfRefusal[name]]));

/** `code` is null for an error of the MCP protocol. */
export function failedStep({ code, reason }: { code: string | null; reason: string }, where: RefusedIn): Step {
  if (where === 'credential') return 'credential';
  // The caller is told the same as of an API that cannot be reached.
  if (reason === 'address_not_public' && code === 'UPSTREAM_CONNECTION') return 'address';
  if (reason === 'unknown_tool') return 'tool';
  const step = code === null ? 'body' : (byCode.get(code) ?? 'answer');
  return typeof step === 'string' ? step : step[where];
}

const MAX_LENGTH = 500;

/** For the row of a tool call. */
export function failureOf(refusal: ApiError): { failed_step: Step; reason: string; remedy: string } {
  const { reason, remedy } = refusal;
  return { failed_step: failedStep(refusal, 'call'), reason, remedy: storable(remedy) };
}

/** PostgreSQL text cannot hold NUL and lone surrogates. A remedy may contain names that the caller sent. */
export function storable(text: string): string {
  return text.slice(0, MAX_LENGTH).replaceAll('\0', '').toWellFormed();
}
