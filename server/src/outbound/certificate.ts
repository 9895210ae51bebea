// What a TLS connection is made with: the authorities that verify the host, and a client certificate. A context is made once for each
// content: parsing keys and certificates takes about as long as a handshake.

import { createHash } from 'node:crypto';
import { createSecureContext, getCACertificates, type SecureContext, type SecureContextOptions } from 'node:tls';
import { LRUCache } from 'lru-cache';
import { type Certificate, SendError } from './messages.ts';

export function toCertificate({ ca, client }: Pick<Certificate, 'ca' | 'client'>): Certificate {
  const content = JSON.stringify([ca, client?.certificate, client?.key]);
  return { fingerprint: createHash('sha256').update(content).digest('hex'), ca, client };
}

/** As createSecureContext takes it. Throws if it cannot be used. */
export function contextOptions({ ca, client }: Pick<Certificate, 'ca' | 'client'>): SecureContextOptions {
  return {
    // An intermediate, or the certificate of the host itself, is enough: it was given to be trusted.
    ...(ca === null ? {} : { ca, allowPartialTrustChain: true }),
    ...(client === null ? {} : { cert: client.certificate, key: client.key }),
  };
}

const MAX_CONTEXTS = 500;
const UNUSED_AFTER_MS = 5 * 60_000;

/** `extra`: authorities trusted in addition to the system's, as PEM, where a certificate does not replace them. */
export function createSecureContexts(extra: readonly string[], now: () => number) {
  const trusted = extra.length > 0 ? { ca: [...getCACertificates('default'), ...extra] } : {};
  // One for all connections without a certificate: loading the list of authorities takes milliseconds.
  const of_system = createSecureContext(trusted);
  const made = new LRUCache<string, { context: SecureContext; last_used: number }>({ max: MAX_CONTEXTS });

  function contextFor(certificate: Certificate | null): SecureContext {
    if (certificate === null) return of_system;
    const found = made.get(certificate.fingerprint);
    const context = found?.context ?? makeContext(certificate);
    made.set(certificate.fingerprint, { context, last_used: now() });
    return context;
  }

  function makeContext(certificate: Certificate): SecureContext {
    try {
      return createSecureContext({ ...trusted, ...contextOptions(certificate) });
    } catch (error) {
      // It was checked when it was saved, by what this machine accepted then.
      throw new SendError('connection', `the certificate cannot be used: ${(error as Error).message}`, 'tls_failed');
    }
  }

  /** The keys in them do not stay in memory longer than they are used. */
  function removeUnused(): void {
    for (const [fingerprint, { last_used }] of [...made.entries()])
      if (last_used < now() - UNUSED_AFTER_MS) made.delete(fingerprint);
  }

  return { contextFor, removeUnused };
}
