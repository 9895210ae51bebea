// Key pairs that are the same on every run: each number is derived from a name. For vectors only; everybody can compute them.

import { checkPrimeSync, createHash, createPrivateKey, createPublicKey, type JsonWebKey, sign } from 'node:crypto';
import { p256, p384 } from '@noble/curves/nist.js';
import type { AssertionAlgorithm } from '@toolgate/contract/assertion-keys/rules.ts';
import type { Signer } from '../support/make/sign-assertion.ts';

/** A signer whose signatures too are the same on every run: ECDSA with the nonce of RFC 6979. */
export type FixedSigner = Signer & { sign: (data: Buffer) => Buffer };

export function fixedSigner(algorithm: AssertionAlgorithm, kid: string): FixedSigner {
  const { jwk, sign } = makers[algorithm](kid);
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' });
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  const pem = String(publicKey.export({ type: 'spki', format: 'pem' }));
  return { algorithm, kid, privateKey, publicKey, pem, sign: (data) => sign(data, privateKey) };
}

type Made = { jwk: JsonWebKey; sign: (data: Buffer, key: ReturnType<typeof createPrivateKey>) => Buffer };

const makers: Record<AssertionAlgorithm, (name: string) => Made> = {
  ES256: (name) => ellipticKey(p256, 'P-256', bytesOf(name, 32)),
  ES384: (name) => ellipticKey(p384, 'P-384', bytesOf(name, 48)),
  Ed25519: (name) => ({ jwk: edwardsKey(bytesOf(name, 32)), sign: (data, key) => sign(null, data, key) }),
  RS256: (name) => ({ jwk: rsaKey(name), sign: (data, key) => sign('sha256', data, key) }),
};

function ellipticKey(curve: typeof p256, crv: string, secret: Buffer): Made {
  const point = Buffer.from(curve.getPublicKey(secret, false)).subarray(1);
  const half = point.length / 2;
  const jwk = {
    kty: 'EC',
    crv,
    d: base64url(secret),
    x: base64url(point.subarray(0, half)),
    y: base64url(point.subarray(half)),
  };
  return { jwk, sign: (data) => Buffer.from(curve.sign(data, secret, { lowS: false })) };
}

// RFC 8410: what comes before the 32 secret bytes in PKCS #8.
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

function edwardsKey(secret: Buffer): JsonWebKey {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, secret]), format: 'der', type: 'pkcs8' });
  return key.export({ format: 'jwk' });
}

function rsaKey(name: string): JsonWebKey {
  const e = 65_537n;
  const p = primeOf(`${name} p`, e);
  const q = primeOf(`${name} q`, e);
  const d = inverse(e, (p - 1n) * (q - 1n));
  const numbers = { n: p * q, e, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) };
  return {
    kty: 'RSA',
    ...Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, base64url(toBytes(number))])),
  };
}

/** The first prime of 1,024 bits at or above the number the name gives. Its two top bits are set, so the product has 2,048. */
function primeOf(name: string, e: bigint): bigint {
  const start = BigInt(`0x${bytesOf(name, 128).toString('hex')}`) | (3n << 1022n) | 1n;
  for (let candidate = start; ; candidate += 2n) {
    if ((candidate - 1n) % e !== 0n && checkPrimeSync(candidate)) return candidate;
  }
}

function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [value, modulus, 1n, 0n];
  while (b !== 0n) [a, b, x, y] = [b, a % b, y, x - (a / b) * y];
  return ((x % modulus) + modulus) % modulus;
}

function bytesOf(name: string, length: number): Buffer {
  return createHash('shake256', { outputLength: length }).update(`toolgate vectors: ${name}`).digest();
}

function toBytes(number: bigint): Buffer {
  const hex = number.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
}

function base64url(bytes: Buffer): string {
  return bytes.toString('base64url');
}
