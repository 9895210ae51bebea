// Which step of a tool call failed, and what the caller was told about it. For the call log and the trace of its request.

import type { ApiError } from '../../errors.ts';

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

/** A remedy can name what the caller sent. */
const MAX_LENGTH = 500;

/** With the reason that the response may not name: whoever shows it decides who may see it. */
export function failureOf(refusal: ApiError): { failed_step: FailedStep; reason: string; remedy: string } {
  const { code, reason, remedy } = refusal;
  const failed_step = reason === 'address_not_public' ? 'address' : (steps[code] ?? 'upstream');
  return { failed_step, reason, remedy: storable(remedy) };
}

/** PostgreSQL text cannot hold NUL and lone surrogates. */
function storable(text: string): string {
  return text.slice(0, MAX_LENGTH).replaceAll('\0', '').toWellFormed();
}
