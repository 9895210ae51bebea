// Private keys for assertions: PEM, JWK or CryptoKey become a CryptoKey that fits the algorithm. No error shows the key.

import type { AssertionKey } from './types.ts';

export type AssertionAlgorithm = AssertionKey['algorithm'];

/** A CryptoKey, described by its shape: runtimes declare the type in different places. */
export type CryptoKeyLike = {
  readonly type: string;
  readonly extractable: boolean;
  readonly algorithm: { readonly name: string };
  readonly usages: readonly string[];
};

/** The members of a JSON Web Key that are used. */
export type Jwk = {
  kty?: string;
  crv?: string;
  x?: string;
  y?: string;
  d?: string;
  n?: string;
  e?: string;
  p?: string;
  q?: string;
  dp?: string;
  dq?: string;
  qi?: string;
  kid?: string;
};

/** A PEM text (PKCS#8, `-----BEGIN PRIVATE KEY-----`), a JWK, or a CryptoKey that may sign. */
export type PrivateKey = string | Jwk | CryptoKeyLike;

/** The runtime's own type. */
export type WebKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

type KeyAlgorithm = { name: string; namedCurve?: string; hash?: string };

export const primitives: Record<
  AssertionAlgorithm,
  { key: KeyAlgorithm; sign: { name: string; hash?: string }; jwk: Jwk }
> = {
  ES256: {
    key: { name: 'ECDSA', namedCurve: 'P-256' },
    sign: { name: 'ECDSA', hash: 'SHA-256' },
    jwk: { kty: 'EC', crv: 'P-256' },
  },
  ES384: {
    key: { name: 'ECDSA', namedCurve: 'P-384' },
    sign: { name: 'ECDSA', hash: 'SHA-384' },
    jwk: { kty: 'EC', crv: 'P-384' },
  },
  Ed25519: { key: { name: 'Ed25519' }, sign: { name: 'Ed25519' }, jwk: { kty: 'OKP', crv: 'Ed25519' } },
  RS256: {
    key: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    sign: { name: 'RSASSA-PKCS1-v1_5' },
    jwk: { kty: 'RSA' },
  },
};

export async function importPrivateKey(key: PrivateKey, algorithm: AssertionAlgorithm): Promise<WebKey> {
  if (typeof key === 'string') return importPem(key, algorithm);
  if (typeof key !== 'object' || key === null)
    throw new TypeError('privateKey must be a PEM text, a JWK or a CryptoKey');
  return 'usages' in key ? checkCryptoKey(key as WebKey, algorithm) : importJwk(key as Jwk, algorithm);
}

function importPem(pem: string, algorithm: AssertionAlgorithm): Promise<WebKey> {
  const [, label, content] = /-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \1-----/.exec(pem) ?? [];
  if (label === undefined || content === undefined)
    throw new TypeError('privateKey is not a PEM text: -----BEGIN PRIVATE KEY-----');
  if (label === 'EC PRIVATE KEY' || label === 'RSA PRIVATE KEY')
    throw new TypeError(`privateKey is ${label}; convert it: openssl pkcs8 -topk8 -nocrypt -in key.pem`);
  if (label !== 'PRIVATE KEY') throw new TypeError(`privateKey must be a PRIVATE KEY, not ${label}`);
  // A key in an environment variable often has its line breaks as the two characters \n.
  const der = decode(content.replace(/\\n|\s/g, ''));
  return orMisfit(algorithm, () => crypto.subtle.importKey('pkcs8', der, primitives[algorithm].key, false, ['sign']));
}

function importJwk(jwk: Jwk, algorithm: AssertionAlgorithm): Promise<WebKey> {
  const { kty, crv, x, y, d, n, e, p, q, dp, dq, qi } = jwk;
  const wanted = primitives[algorithm].jwk;
  if (kty !== wanted.kty || (wanted.crv !== undefined && crv !== wanted.crv)) throw misfit(algorithm);
  if (d === undefined) throw new TypeError('privateKey is a public key: the JWK has no d');
  // Without use, key_ops and ext, which could forbid what is asked for here.
  const members = { kty, crv, x, y, d, n, e, p, q, dp, dq, qi };
  const given = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Jwk;
  return orMisfit(algorithm, () => crypto.subtle.importKey('jwk', given, primitives[algorithm].key, false, ['sign']));
}

function checkCryptoKey(key: WebKey, algorithm: AssertionAlgorithm): WebKey {
  const { name, namedCurve, hash } = key.algorithm as { name: string; namedCurve?: string; hash?: { name: string } };
  const wanted = primitives[algorithm].key;
  if (key.type !== 'private' || !key.usages.includes('sign'))
    throw new TypeError('privateKey must be a private key that may sign');
  if (name !== wanted.name || namedCurve !== wanted.namedCurve || hash?.name !== wanted.hash) throw misfit(algorithm);
  return key;
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    throw new TypeError('privateKey is not a valid PEM text');
  }
}

/** The runtime's own error is dropped: it could quote the key. */
async function orMisfit(algorithm: AssertionAlgorithm, work: () => Promise<WebKey>): Promise<WebKey> {
  try {
    return await work();
  } catch {
    throw misfit(algorithm);
  }
}

const misfit = (algorithm: string) => new TypeError(`privateKey is damaged or not a key for ${algorithm}`);
