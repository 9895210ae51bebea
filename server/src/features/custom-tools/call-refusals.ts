// What went wrong on the way to the customer's API → what the caller is told. Blocked, refused and unreachable are one
// answer, so that nobody can map a network by asking; the reason goes to our log only.

import { ApiError, refuse } from '../../errors.ts';
import { type OutboundResponse, SendError, type Signal } from '../../outbound/messages.ts';
import { SecretUnreadable } from '../../secrets/aes-gcm.ts';
import { answerText } from './answer-text.ts';

const SHOWN_BYTES = 2048;

export function toRefusal(error: unknown, signal: Signal | undefined): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof SecretUnreadable) return refuse.authSecretUnreadable({ cause: error });
  if (!(error instanceof SendError)) return refuse.toolExecutionFailed({ cause: error });
  const cause = new Error(`${error.kind}: ${error.reason}`);
  switch (error.kind) {
    case 'timeout':
      return refuse.toolTimedOut({ cause });
    case 'connection':
    case 'blocked':
    case 'circuit_open':
      return refuse.upstreamConnection({ cause });
    case 'aborted':
      // Nobody waits for an answer any more; or it is we who are leaving.
      return signal?.aborted ? refuse.callerGone() : refuse.serviceUnavailable({ headers: { 'retry-after': '1' } });
    case 'overloaded':
    case 'invalid':
      return refuse.toolExecutionFailed({ cause });
  }
}

/** A redirect is no success either: it is never followed. */
export function upstreamRefusal({ status, headers, body, truncated }: OutboundResponse): ApiError {
  const shown = body.subarray(0, SHOWN_BYTES);
  const is_cut = truncated || shown.length < body.length;
  const text = answerText(headers['content-type'] ?? null, shown, is_cut) ?? shown.toString('utf8');
  return refuse.upstreamStatus({ details: { upstream_status: status, body: text } });
}
