// Which failure an error of a socket, of TLS or of the response parser is.

import { type ConnectionFailure, SendError } from './messages.ts';

const codes: [pattern: RegExp, failure: ConnectionFailure][] = [
  [/^ECONNREFUSED$/, 'connection_refused'],
  [/^(?:EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/, 'host_unreachable'],
  [/^ETIMEDOUT$/, 'connect_timed_out'],
  [/^(?:|ECONNRESET|ECONNABORTED|EPIPE)$/, 'connection_closed'],
  [/^MALFORMED_RESPONSE$/, 'malformed_response'],
  // Alerts of the host about the certificate that it got, or did not get. Before TLS 1.3 a missing one is a handshake failure like others.
  [
    /^ERR_SSL_.*_ALERT_(?:BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_\w+|UNKNOWN_CA|ACCESS_DENIED)$/,
    'client_certificate_refused',
  ],
  [/^(?:ERR_SSL_|EPROTO$)/, 'tls_failed'],
  // OpenSSL's names for the results of verifying a certificate (X509_V_ERR_*), and Node's for a name that does not match.
  [
    /CERT|CRL|^UNABLE_TO_|^HOSTNAME_MISMATCH$|^INVALID_(?:CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$/,
    'certificate_not_accepted',
  ],
];

export function describeError(error: Error & { code?: string }): SendError {
  const { code = '', message } = error;
  const [, failure] = codes.find(([pattern]) => pattern.test(code)) ?? [];
  return new SendError('connection', code === '' ? message : `${code}: ${message}`, failure);
}
