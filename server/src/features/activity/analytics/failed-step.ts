// Which step of a request a refusal belongs to: the one place that decides it, for the call log and for request traces.

import { errorRowOf, isReason, reasonRows } from '@toolgate/contract/errors.ts';
import type { Step } from '@toolgate/contract/trace-steps.ts';
import type { ApiError } from '../../../errors/errors.ts';

/**
 * Where a request was refused: before its caller was known, in a request that is not a tool call, in a request that would have
 * been one, or in a tool call.
 */
export type RefusedIn = 'credential' | 'request' | 'call_request' | 'call';

/** `code` is null for an error of the MCP protocol. */
export function failedStep({ code, reason }: { code: string | null; reason: string }, where: RefusedIn): Step {
  if (where === 'credential') return 'credential';
  const is_call = where !== 'request' || code === null;
  const ofReason = is_call && isReason(reason) ? reasonRows[reason].step : undefined;
  if (ofReason) return ofReason;
  const step = code === null ? 'body' : (errorRowOf(code)?.step ?? 'answer');
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
