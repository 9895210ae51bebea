// Why a batch was not accepted, as it is shown. Log streams are for administrators, so an address that may not be reached is named.

import type { LogStreamErrorCode } from '@toolgate/contract/log-streams/rules.ts';
import { type ConnectionFailure, SendError } from '../../../outbound/messages.ts';
import { SecretUnreadable } from '../../../secrets/aes-gcm.ts';

export class StreamFailure extends Error {
  readonly code: LogStreamErrorCode;
  readonly status: number | null;
  /** What the receiver asks for, in seconds. */
  readonly retry_after: string | undefined;

  constructor(code: LogStreamErrorCode, message: string, status: number | null = null, retry_after?: string) {
    super(message);
    this.code = code;
    this.status = status;
    this.retry_after = retry_after;
  }
}

const connectionMessages: Record<ConnectionFailure, string> = {
  host_not_resolved: 'The host name was not found.',
  host_unreachable: 'The host cannot be reached.',
  connection_refused: 'The host refused the connection.',
  connect_timed_out: 'The host did not accept the connection in time.',
  connection_closed: 'The connection was closed before a response arrived.',
  certificate_not_accepted: "The host's certificate is not accepted.",
  client_certificate_refused: 'The host refused the client certificate, or requires one.',
  tls_failed: 'A secure connection could not be established.',
  malformed_response: 'The response is not valid HTTP.',
  refused_by_egress_proxy: 'The connection was refused by the egress proxy.',
  egress_proxy_unreachable: 'The egress proxy cannot be reached.',
};

/** Undefined: nothing that a receiver or an administrator can cause. */
export function failureOf(error: unknown): StreamFailure | undefined {
  if (error instanceof StreamFailure) return error;
  if (error instanceof SecretUnreadable)
    return new StreamFailure('secret', 'The stored credentials cannot be decrypted. Set them again.');
  if (!(error instanceof SendError)) return undefined;
  switch (error.kind) {
    case 'timeout':
      return new StreamFailure('timeout', 'The receiver did not respond in time.');
    case 'blocked':
      return new StreamFailure('address', 'The IP address is not public. The operator can allow it.');
    case 'invalid':
      return new StreamFailure('internal', 'The request cannot be sent.');
    default:
      return new StreamFailure(
        'connection',
        error.failure ? connectionMessages[error.failure] : 'No connection could be made.',
      );
  }
}

const MAX_CODE_LENGTH = 64;

/** Throws unless the response is a success. `detail`: a word of its body, such as the code of a store. */
export function refuseStatus(status: number, retry_after: string | undefined, detail: string | undefined): void {
  if (status >= 200 && status < 300) return;
  const more = detail === undefined ? '' : ` (${detail.slice(0, MAX_CODE_LENGTH)})`;
  throw new StreamFailure('status', `The receiver returned ${status}${more}.`, status, retry_after);
}
