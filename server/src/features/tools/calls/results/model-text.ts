// What a model reads about a call that failed: what it can change in the arguments, or that it cannot fix the call, and the id of
// the call. What the owner of the tool should do is the remedy, which the trace, the log and REST have.

import { adviceFor } from '../../../../errors/call-failure.ts';
import type { ApiError } from '../../../../errors/errors.ts';

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
