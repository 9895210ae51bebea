// What a model reads about a call that failed: what it can change in the arguments, or that it cannot fix the call, and the id of
// the call. What the owner of the tool should do is the remedy, which the trace, the log and REST have.

import type { Reason } from '@toolgate/contract/errors.ts';
import type { ApiError } from '../../../errors/errors.ts';

/** Their remedies say what to change in the call. All others are for the people who run the tool. */
const fixableByModel: ReadonlySet<Reason> = new Set([
  'reserved_variable',
  'invalid_arguments',
  'arguments_too_large',
  'member_sign_in_required',
  'result_too_large',
  'confirmation_required',
  'elicitation_required',
  'call_declined',
  'call_cancelled',
  'call_denied_after',
  'hook_failed_after',
  'changed_result_invalid',
]);

const NOT_FIXABLE = 'Other arguments do not help: tell the user that the call failed, with its id.';
const REFUSED =
  'The API refused the call, and body is its response. If that says what is wrong with the arguments, correct them and call the tool again; otherwise tell the user.';
const TIMED_OUT =
  'The API did not respond in time. The call may have taken effect all the same: find that out before you repeat it.';
const TEMPORARY =
  'This may be temporary: the same call may succeed later. If it fails again, tell the user, with the id of the call.';

const DENIED =
  'A policy denied the call, and hook_reason says why, if anything. If that names what to change, change it and call the tool again; otherwise tell the user.';

const limited = (seconds: number) =>
  `Too many calls of this tool: the same call passes in ${seconds} second${seconds === 1 ? '' : 's'}. Do not repeat it before.`;

/** `request_id` is named where the call log has no such call. */
export function modelText(refusal: ApiError, call_id: string | null, request_id: string): string {
  const { message, details } = refusal;
  const { remedy: _forPeople, ...facts } = details;
  const lines = [message];
  if (Object.keys(facts).length > 0) lines.push(JSON.stringify(facts));
  lines.push(adviceFor(refusal), idLine(call_id, request_id));
  return lines.join('\n');
}

export const idLine = (call_id: string | null, request_id: string) =>
  call_id === null ? `Request id: ${request_id}` : `Call id: ${call_id}`;

function adviceFor(refusal: ApiError): string {
  const { code, anchor, details } = refusal;
  if (details.remedy !== undefined && fixableByModel.has(anchor)) return details.remedy;
  if (code === 'TOOL_TIMED_OUT') return TIMED_OUT;
  if (code === 'CALL_DENIED') return DENIED;
  if (code === 'TOOL_LIMIT_REACHED') return limited(Number(details.retry_after_seconds));
  if (isRetryable(refusal)) return TEMPORARY;
  if (code === 'UPSTREAM_ERROR') return REFUSED;
  const status = Number(details.upstream_status);
  return anchor === 'upstream_status' && status >= 400 && status < 500 ? REFUSED : NOT_FIXABLE;
}

const retryableCodes = new Set([
  'TOOL_TIMED_OUT',
  'UPSTREAM_CONNECTION',
  'TOOL_LIMIT_REACHED',
  'CONFIRMATION_REQUIRED',
  'TOO_MANY_PENDING',
]);
const retryableStatuses = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Whether the same call may succeed later. */
export function isRetryable({ code, reason, details }: ApiError): boolean {
  // The client cannot ask anybody, however often it calls.
  if (reason === 'elicitation_required') return false;
  // When a result is there, the call has taken effect.
  if (code === 'HOOK_FAILED') return details.point === 'before';
  return (
    retryableCodes.has(code) || (code === 'UPSTREAM_STATUS' && retryableStatuses.has(Number(details.upstream_status)))
  );
}
