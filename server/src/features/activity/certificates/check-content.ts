// Checks what a certificate is made of before it is saved, and finds out when it expires.

import { createSecureContext } from 'node:tls';
import type { Reason } from '@toolgate/contract/errors.ts';
import { type ApiError, invalidField } from '../../../errors/errors.ts';
import { contextOptions } from '../../../outbound/certificate.ts';
import { chainProblem, endOf, PemProblem, readCertificates, readKey, refuseExpired } from './pem.ts';

export type Content = { ca: string | null; client_certificate: string | null; client_key: string | null };
type Field = keyof Content;

export const contentFields = ['ca', 'client_certificate', 'client_key'] as const satisfies Field[];

/**
 * `given`: the fields of the request. Those that stay were checked when they were saved, and may have expired since. Returns when the
 * first of the certificates ends, in epoch milliseconds, and the key alone.
 */
export function checkContent(
  content: Content,
  given: ReadonlySet<Field>,
  now: number,
): { expires_at: number; client_key: string | null } {
  const { ca, client_certificate, client_key } = content;
  if (ca === null && client_certificate === null && client_key === null)
    throw invalidField('ca', 'is required unless client_certificate and client_key are given');
  if (client_certificate !== null && client_key === null)
    throw invalidField('client_key', 'is required with client_certificate');
  if (client_certificate === null && client_key !== null)
    throw invalidField('client_certificate', 'is required with client_key');
  const read = (field: 'ca' | 'client_certificate', text: string) =>
    inField(field, 'certificate_invalid', () => readCertificates(text));
  const authorities = ca === null ? [] : read('ca', ca);
  const chain = client_certificate === null ? [] : read('client_certificate', client_certificate);
  if (given.has('ca')) inField('ca', 'certificate_expired', () => refuseExpired(authorities, now));
  if (given.has('client_certificate'))
    inField('client_certificate', 'certificate_expired', () => refuseExpired(chain, now));
  const key = client_key === null ? null : checkKey(client_key, chain, given);
  const client = client_certificate === null || key === null ? null : { certificate: client_certificate, key };
  tryContext({ ca, client });
  return { expires_at: endOf([...authorities, ...chain]), client_key: key };
}

/** Returns the key without what is around it. */
function checkKey(text: string, chain: ReturnType<typeof readCertificates>, given: ReadonlySet<Field>): string {
  const { key, pem } = inField('client_key', 'certificate_invalid', () => readKey(text));
  const problem = chainProblem(chain, key);
  if (problem === 'no_key_fits') {
    const reason = 'client_key_mismatch';
    throw given.has('client_key')
      ? invalidField('client_key', 'does not fit client_certificate', { reason })
      : invalidField('client_certificate', 'does not fit the stored client_key: send its client_key too', { reason });
  }
  if (problem) throw invalid('client_certificate', 'certificate_invalid', problem);
  return pem;
}

/** What only OpenSSL knows, such as a signature that is too weak. */
function tryContext(used: Parameters<typeof contextOptions>[0]): void {
  try {
    createSecureContext(contextOptions(used));
  } catch (error) {
    const words = (error as Error).message.split(':').at(-1);
    const field = used.client === null ? 'ca' : 'client_certificate';
    throw invalidField(field, `cannot be used for TLS: ${words}`, { reason: 'certificate_invalid' });
  }
}

function inField<T>(field: Field, reason: Reason, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof PemProblem) throw invalid(field, reason, error);
    throw error;
  }
}

const invalid = (field: Field, reason: Reason, { message }: PemProblem): ApiError =>
  invalidField(field, message, { reason });
