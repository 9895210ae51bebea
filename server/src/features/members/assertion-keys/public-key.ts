// Parses a customer's public key (PEM). Returns a key that is safe to verify with, or null.
// Stricter than OpenSSL, which imports weak keys too (explicit curves, e = 1, points of small order).

import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { type AssertionAlgorithm, assertionAlgorithms } from '@toolgate/contract/assertion-keys/rules.ts';
import { isRocaModulus } from './roca.ts';

export type PublicKey = {
  /** Normalised PEM: 64 characters to a line, one newline at the end. */
  public_key: string;
  /** SHA-256 of the SubjectPublicKeyInfo, as `openssl pkey -pubin -outform DER | openssl sha256` has it. */
  fingerprint: string;
  key: KeyObject;
};

/** Returns null for `Invalid public key format`; explainPublicKey() says why. Never throws, so the text (it may be a private key) reaches no log. */
export function readPublicKey(pem: string, algorithm: AssertionAlgorithm): PublicKey | null {
  const der = readPem(pem);
  if (!der || !hasFormOf(algorithm, der)) return null;
  const key = importCanonical(der);
  if (!key || !isStrong(algorithm, key)) return null;
  return {
    public_key: String(key.export({ type: 'spki', format: 'pem' })),
    fingerprint: fingerprintOf(key),
    key,
  };
}

export function fingerprintOf(key: KeyObject): string {
  const der = key.export({ type: 'spki', format: 'der' });
  return `SHA256:${createHash('sha256').update(der).digest('base64url')}`;
}

// An RSA key of 8,192 bits takes 1,500 characters.
export const MAX_PEM_LENGTH = 4096;

const onePublicKey = /^-----BEGIN PUBLIC KEY-----\r?\n((?:[A-Za-z0-9+/=]+\r?\n)+)-----END PUBLIC KEY-----$/;

export function readPem(pem: string): Buffer | null {
  if (pem.length > MAX_PEM_LENGTH) return null;
  const base64 = onePublicKey.exec(pem.trim())?.[1]?.replace(/[\r\n]/g, '');
  if (!base64) return null;
  const der = Buffer.from(base64, 'base64');
  return der.toString('base64') === base64 ? der : null;
}

// Up to the first byte that differs from key to key. For EC that is the uncompressed point (04) on the *named* curve.
const forms: Record<AssertionAlgorithm, { prefix: RegExp; length?: number }> = {
  ES256: { prefix: /^3059301306072a8648ce3d020106082a8648ce3d03010703420004/, length: 91 },
  ES384: { prefix: /^3076301006072a8648ce3d020106052b8104002203620004/, length: 120 },
  Ed25519: { prefix: /^302a300506032b6570032100/, length: 44 },
  RS256: { prefix: /^3082....300d06092a864886f70d01010105000382....003082/ },
};

// Checked before OpenSSL parses it: parsing unknown curve parameters has been an endless loop (CVE-2022-0778).
function hasFormOf(algorithm: AssertionAlgorithm, der: Buffer): boolean {
  const { prefix, length } = forms[algorithm];
  return prefix.test(der.toString('hex', 0, 32)) && (length === undefined || der.length === length);
}

/** The algorithm whose form these bytes have. */
export function algorithmOf(der: Buffer): AssertionAlgorithm | null {
  return assertionAlgorithms.find((algorithm) => hasFormOf(algorithm, der)) ?? null;
}

// Exports the numbers of the key and imports them again. Trailing bytes, negative moduli and other encodings change the DER.
function importCanonical(der: Buffer): KeyObject | null {
  try {
    const jwk = createPublicKey({ key: der, format: 'der', type: 'spki' }).export({ format: 'jwk' });
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    return key.export({ type: 'spki', format: 'der' }).equals(der) ? key : null;
  } catch {
    // OpenSSL's reasons (not on the curve, point at infinity, bad DER) are one refusal for the customer.
    return null;
  }
}

function isStrong(algorithm: AssertionAlgorithm, key: KeyObject): boolean {
  const jwk = key.export({ format: 'jwk' });
  if (algorithm === 'RS256') return isStrongRsa(toBigInt(jwk.n), toBigInt(jwk.e));
  if (algorithm === 'Ed25519') return isStrongEdwardsPoint(Buffer.from(jwk.x ?? '', 'base64url'));
  // The NIST curves have prime order, so every point on the curve is safe. OpenSSL checks that it is on the curve.
  return true;
}

function isStrongRsa(n: bigint, e: bigint): boolean {
  const bits = n.toString(2).length;
  // e above 64 bits: OpenSSL refuses to verify with it where the modulus is large, and it only costs CPU where it is small.
  return (
    bits >= 2048 &&
    bits <= 8192 &&
    e >= 65_537n &&
    e < 2n ** 64n &&
    e % 2n === 1n &&
    !hasSmallFactor(n) &&
    !isRocaModulus(n)
  );
}

// NIST SP 800-89, 5.3.3: a modulus has no factor below 752. (Testing composite divisors too is harmless.)
function hasSmallFactor(n: bigint): boolean {
  for (let divisor = 2n; divisor < 752n; divisor += 1n) if (n % divisor === 0n) return true;
  return false;
}

// With a point of small order anyone can forge signatures; with a torsion part, libraries disagree whether a signature is valid.
function isStrongEdwardsPoint(bytes: Buffer): boolean {
  try {
    const point = ed25519.Point.fromBytes(bytes);
    return !point.isSmallOrder() && point.isTorsionFree();
  } catch {
    // Not on the curve, or y at or above the prime.
    return false;
  }
}

function toBigInt(base64url: string | undefined): bigint {
  return BigInt(`0x${Buffer.from(base64url ?? '', 'base64url').toString('hex')}`);
}
