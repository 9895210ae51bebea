// HMAC-SHA256 by Web Crypto, whose verify() compares in constant time, and the window of accepted times.

import { SignatureError } from './signature-error.ts';

const algorithm = { name: 'HMAC', hash: 'SHA-256' };

export type Bytes = Uint8Array<ArrayBuffer>;

/** Whether one of the signatures was made with one of the keys. */
export async function isSigned(keys: readonly Bytes[], signatures: readonly Bytes[], signed: Bytes): Promise<boolean> {
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
    for (const signature of signatures) if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true;
  }
  return false;
}

/** An empty secret would accept what anybody can sign. */
export function readSecrets(secret: string | readonly string[]): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const isUsable = (each: unknown) => typeof each === 'string' && each !== '';
  if (!Array.isArray(secrets) || secrets.length === 0 || !secrets.every(isUsable))
    throw new TypeError('secret must be a text that is not empty, or several');
  return secrets;
}

/** `text` is a Unix time in seconds. */
export function parseTime(text: string): number {
  if (!/^\d{1,12}$/.test(text))
    throw new SignatureError({ reason: 'malformed', message: 'The timestamp is not a Unix time' });
  return Number(text);
}

export function refuseExpired(time: number, toleranceSeconds = 300): void {
  if (!Number.isFinite(toleranceSeconds) || toleranceSeconds < 0)
    throw new TypeError('toleranceSeconds must be 0 or more');
  const age = Math.floor(Date.now() / 1000) - time;
  if (Math.abs(age) <= toleranceSeconds) return;
  const words = age > 0 ? `${age} s old` : `${-age} s ahead of this clock`;
  throw new SignatureError({
    reason: 'expired',
    message: `Signed correctly, but ${words}; ${toleranceSeconds} s are accepted`,
  });
}

export function required(header: (name: string) => string | null, name: string): string {
  const value = header(name);
  if (value !== null) return value;
  throw new SignatureError({ reason: 'missing_header', message: `The header ${name} is missing` });
}
