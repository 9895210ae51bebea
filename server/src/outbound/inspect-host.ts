// Looks at the certificates that a host presents, and at what is wrong with them. The connection is closed before anything is sent.

import type { X509Certificate } from 'node:crypto';
import { checkServerIdentity, TLSSocket } from 'node:tls';
import type { CheckedOrigin } from './address-guard.ts';
import { describeError } from './connection-failure.ts';
import type { Connect } from './http1/client.ts';
import { type Certificate, SendError } from './messages.ts';

export type InspectRequest = { origin: string; certificate: Certificate };

export type Inspected = {
  /** As the host presented it, its own certificate first; at most 10. */
  chain: X509Certificate[];
  /** Such as TLSv1.3. */
  protocol: string | null;
  /** OpenSSL's word for why the chain was not verified, such as CERT_HAS_EXPIRED; null: it was. */
  verify_error: string | null;
  /** Whether the first certificate is for this host. */
  is_for_host: boolean;
};

const MAX_CHAIN = 10;

/** `connect` accepts any certificate. */
export function inspectHost({ hostname }: CheckedOrigin, connect: Connect): Promise<Inspected> {
  return new Promise((resolve, reject) => {
    connect({
      onConnect(socket) {
        socket.on('error', () => {});
        try {
          resolve(read(socket as TLSSocket, hostname));
        } catch (error) {
          reject(error);
        } finally {
          socket.destroy();
        }
      },
      onConnectError: (error) => reject(error instanceof SendError ? error : describeError(error)),
      // A host that requires a client certificate may say so before the connection is closed.
      onBytes: () => true,
    });
  });
}

function read(socket: TLSSocket, hostname: string): Inspected {
  if (!(socket instanceof TLSSocket)) throw new SendError('invalid', 'the connection has no TLS');
  const chain: X509Certificate[] = [];
  for (let next = socket.getPeerX509Certificate(); next && chain.length < MAX_CHAIN; next = next.issuerCertificate)
    chain.push(next);
  const [own] = chain;
  const mismatch = own && checkServerIdentity(hostname, own.toLegacyObject());
  // Node puts the name of the host here if everything else is in order.
  const { authorizationError: error } = socket;
  const code = error ? String(error) : null;
  return {
    chain,
    protocol: socket.getProtocol(),
    verify_error: code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? null : code,
    is_for_host: own !== undefined && mismatch === undefined,
  };
}
