// Why readPublicKey() refused a text, and what to send instead. The result never contains any of the text: it may be a private key.

import { createPublicKey } from 'node:crypto';
import type { AssertionAlgorithm } from '@toolgate/contract/assertion-keys/rules.ts';
import type { Reason } from '@toolgate/contract/errors.ts';
import { algorithmOf, MAX_PEM_LENGTH, readPem } from './public-key.ts';

/** The remedy of the reason, unless it depends on the key. */
type Advice = { reason: Reason; remedy?: string };

const PUBLIC_KEY_BLOCK = '-----BEGIN PUBLIC KEY-----';

/** In this order: a private key in any spelling is reported first. */
const texts: [pattern: RegExp, reason: Reason][] = [
  [/PRIVATE KEY-----/, 'private_key'],
  [/BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/, 'certificate'],
  [/^\s*(?:ssh-|ecdsa-sha2-|sk-)|BEGIN SSH2 PUBLIC KEY/, 'ssh_public_key'],
  [/BEGIN RSA PUBLIC KEY-----/, 'pkcs1_public_key'],
  [/^\s*\{/, 'json_web_key'],
  [/\\r?\\?n/, 'escaped_line_breaks'],
  [/^\s*-----BEGIN PUBLIC KEY-----[^\r\n]*-----END PUBLIC KEY-----\s*$/, 'one_line'],
];

/** For a text that readPublicKey() refused. */
export function explainPublicKey(pem: string, algorithm: AssertionAlgorithm): Advice {
  // A text of any length is not searched.
  if (pem.length > MAX_PEM_LENGTH) return { reason: 'pem_too_long' };
  const [, reason] = texts.find(([pattern]) => pattern.test(pem)) ?? [];
  if (reason) return { reason };
  const blocks = pem.split(PUBLIC_KEY_BLOCK).length - 1;
  if (blocks === 0) return { reason: 'not_pem' };
  if (blocks > 1) return { reason: 'several_keys' };
  const der = readPem(pem);
  return der ? explainKey(der, algorithm) : { reason: 'damaged_pem' };
}

const RSA = '06092a864886f70d0101010500';
const EC = '06072a8648ce3d0201';

function explainKey(der: Buffer, algorithm: AssertionAlgorithm): Advice {
  const start = der.toString('hex', 0, 32);
  const actual = start.includes(RSA) ? 'RS256' : algorithmOf(der);
  if (actual !== null && actual !== algorithm)
    return {
      reason: 'algorithm_mismatch',
      remedy: `Register this key with algorithm ${actual}, or send ${keyFor[algorithm]} for ${algorithm}.`,
    };
  if (actual === 'RS256') return explainRsa(der);
  if (actual === null && start.includes(EC)) return { reason: 'unsupported_curve' };
  if (actual === null) return { reason: 'unsupported_key', remedy: `Send ${keyFor[algorithm]} for ${algorithm}.` };
  return { reason: 'unsafe_key' };
}

const keyFor: Record<AssertionAlgorithm, string> = {
  ES256: 'an EC key on P-256',
  ES384: 'an EC key on P-384',
  Ed25519: 'an Ed25519 key',
  RS256: 'an RSA key of 2,048 to 8,192 bits',
};

function explainRsa(der: Buffer): Advice {
  const bits = modulusLength(der);
  if (bits < 2048) return { reason: 'rsa_too_short' };
  return { reason: bits > 8192 ? 'rsa_too_long' : 'unsafe_key' };
}

/** OpenSSL parses only RSA keys here, which have no curve parameters (see hasFormOf). */
function modulusLength(der: Buffer): number {
  try {
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return key.asymmetricKeyDetails?.modulusLength ?? Number.NaN;
  } catch {
    return Number.NaN;
  }
}
