import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeError } from './connection-failure.ts';

test('an error code becomes the kind of failure that a customer can act on', () => {
  for (const [code, failure] of [
    ['ECONNREFUSED', 'connection_refused'],
    ['EHOSTUNREACH', 'host_unreachable'],
    ['ETIMEDOUT', 'connect_timed_out'],
    ['ECONNRESET', 'connection_closed'],
    ['CERT_HAS_EXPIRED', 'certificate_not_accepted'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate_not_accepted'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate_not_accepted'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate_not_accepted'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls_failed'],
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'tls_failed'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'client_certificate_refused'],
    ['ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE', 'client_certificate_refused'],
    ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'client_certificate_refused'],
    ['MALFORMED_RESPONSE', 'malformed_response'],
    ['SOMETHING_NEW', undefined],
  ] as const) {
    const error = describeError(Object.assign(new Error('x'), { code }));
    assert.deepEqual([error.kind, error.failure, error.reason], ['connection', failure, `${code}: x`]);
  }
  assert.equal(describeError(new Error('the other side closed the connection')).failure, 'connection_closed');
});
