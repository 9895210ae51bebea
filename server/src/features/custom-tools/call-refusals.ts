// Maps errors of a request to the customer's API to refusals. Blocked, refused and unreachable are the same refusal, so that a
// caller cannot scan a network; the reason is only logged.

import { ApiError, refuse } from '../../errors.ts';
import { type OutboundResponse, SendError, type Signal } from '../../outbound/messages.ts';
import { SecretUnreadable } from '../../secrets/aes-gcm.ts';
import { responseText } from './response-text.ts';

const MAX_BODY_BYTES = 2048;

export function sendErrorToRefusal(error: unknown, signal: Signal | undefined): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof SecretUnreadable) return refuse.authSecretUnreadable({ cause: error.message });
  if (!(error instanceof SendError)) return refuse.toolExecutionFailed({ cause: error });
  const cause = `${error.kind}: ${error.reason}`;
  switch (error.kind) {
    case 'timeout':
      return refuse.toolTimedOut({ cause });
    case 'connection':
    case 'blocked':
    case 'circuit_open':
      return refuse.upstreamConnection({ cause });
    case 'aborted':
      // The caller disconnected, or else the server is stopping.
      return signal?.aborted ? refuse.callerGone() : refuse.serviceUnavailable({ headers: { 'retry-after': '1' } });
    case 'overloaded':
    case 'invalid':
      return refuse.toolExecutionFailed({ cause });
  }
}

/** For every status but 2xx. Redirects are never followed. */
export function upstreamRefusal({ status, headers, body, truncated }: OutboundResponse): ApiError {
  const shown = body.subarray(0, MAX_BODY_BYTES);
  const is_truncated = truncated || shown.length < body.length;
  const text = responseText(headers['content-type'] ?? null, shown, is_truncated) ?? shown.toString('utf8');
  return refuse.upstreamStatus({ details: { upstream_status: status, body: text } });
}
