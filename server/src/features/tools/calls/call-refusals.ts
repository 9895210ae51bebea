// Maps errors of a request to the customer's API to refusals. Blocked, refused and unreachable are the same refusal, so that a
// caller cannot scan a network. The reason is in the log and the trace; who builds a tool is told it too (docs/design/api.md).

import type { Reason } from '@toolgate/contract/errors.ts';
import { allows } from '@toolgate/contract/permissions.ts';
import type { ToolCaller } from '../../../access/caller.ts';
import { ApiError, refuse } from '../../../errors/errors.ts';
import { InputRequired, TamperedState } from '../../../errors/input-required.ts';
import { type OutboundResponse, SendError, type SendErrorKind } from '../../../outbound/messages.ts';
import type { Requester } from '../../../outbound/requester.ts';
import { SecretUnreadable } from '../../../secrets/aes-gcm.ts';
import { responseText } from './results/response-text.ts';

const MAX_BODY_BYTES = 2048;

export function sendErrorToRefusal(
  error: unknown,
  caller: ToolCaller,
  requester: Requester | undefined,
): ApiError | InputRequired | TamperedState {
  if (error instanceof ApiError || error instanceof InputRequired || error instanceof TamperedState) return error;
  if (error instanceof SecretUnreadable) return refuse.authSecretUnreadable({ cause: error.message });
  if (!(error instanceof SendError)) return refuse.toolExecutionFailed({ cause: error });
  const cause = `${error.kind}: ${error.reason}`;
  switch (error.kind) {
    case 'timeout':
      return refuse.toolTimedOut({ cause });
    case 'connection':
    case 'blocked':
    case 'circuit_open':
      return connectionRefusal(error, caller, cause);
    case 'aborted':
      // The caller disconnected, or else the server is stopping.
      return requester?.is_gone ? refuse.callerGone() : refuse.serviceUnavailable({ headers: { 'retry-after': '1' } });
    case 'overloaded':
    case 'invalid':
      return refuse.toolExecutionFailed({ cause });
  }
}

function connectionRefusal({ kind, failure }: SendError, caller: ToolCaller, cause: string): ApiError {
  const hidden_reason = kind === 'blocked' ? 'address_not_public' : reasonOf(kind, failure);
  if (!mayKnowWhy(caller)) return refuse.upstreamConnection({ hidden_reason, cause });
  // A blocked name and one that does not resolve look the same, also when the circuit is open: otherwise a key could find out
  // which names exist in the operator's network.
  const reason = kind === 'blocked' || failure === 'host_not_resolved' ? 'host_not_resolved' : hidden_reason;
  return refuse.upstreamConnection({ details: { reason }, hidden_reason, cause });
}

const reasonOf = (kind: SendErrorKind, failure: Reason = 'upstream_connection'): Reason =>
  kind === 'circuit_open' ? 'circuit_open' : failure;

function mayKnowWhy(caller: ToolCaller): boolean {
  return (
    caller.kind !== 'member' && caller.project.environment === 'development' && allows(caller.permissions, 'write')
  );
}

/** For every status but 2xx. Redirects are never followed. */
export function upstreamRefusal({ status, headers, body, truncated }: OutboundResponse): ApiError {
  const shown = body.subarray(0, MAX_BODY_BYTES);
  const is_truncated = truncated || shown.length < body.length;
  const text = responseText(headers['content-type'] ?? null, shown, is_truncated) ?? shown.toString('utf8');
  return refuse.upstreamStatus({
    details: {
      upstream_status: status,
      body: text,
      remedy: `Your API returned ${status}. Its response is in details.body.`,
    },
  });
}
