// Which step of a tool call failed, and what the caller was told about it. For the call log and the trace of its request.

import type { ApiError } from '../../errors.ts';
import type { SendErrorKind } from '../../outbound/messages.ts';

export type FailedStep = 'credential' | 'tool' | 'member' | 'arguments' | 'address' | 'upstream' | 'answer';

const steps: Record<string, FailedStep> = {
  INVALID_API_KEY: 'credential',
  MEMBER_SESSION_EXPIRED: 'credential',
  NOT_FOUND: 'tool',
  TOOL_NOT_ENABLED: 'tool',
  AUTH_SECRET_UNREADABLE: 'tool',
  MEMBER_CONTEXT_REQUIRED: 'member',
  RESERVED_VARIABLE: 'arguments',
  VALIDATION_ERROR: 'arguments',
  BODY_TOO_LARGE: 'arguments',
  CALLER_GONE: 'answer',
};

/** The cause of a refusal begins with the kind of the SendError. */
const BLOCKED = 'blocked: ' satisfies `${SendErrorKind}: `;
const MAX_LENGTH = 500;

export function failureOf(refusal: ApiError): {
  failed_step: FailedStep;
  reason: string | null;
  remedy: string | null;
} {
  const { reason, remedy } = refusal.details;
  return { failed_step: stepOf(refusal), reason: storable(reason), remedy: storable(remedy) };
}

/** A call that was blocked by the address guard, and any other that did not get through, have the same refusal. */
function stepOf({ code, cause }: ApiError): FailedStep {
  if (typeof cause === 'string' && cause.startsWith(BLOCKED)) return 'address';
  return steps[code] ?? 'upstream';
}

/** PostgreSQL text cannot hold NUL and lone surrogates. */
function storable(text: unknown): string | null {
  return typeof text === 'string' ? text.slice(0, MAX_LENGTH).replaceAll('\0', '').toWellFormed() : null;
}
