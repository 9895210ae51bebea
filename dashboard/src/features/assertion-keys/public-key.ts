// Reads a public key in the browser, to suggest its algorithm and a key id before anything is sent.

import type { AssertionAlgorithm as Algorithm } from '@toolgate/contract/assertion-keys/rules.ts';

/** Object identifiers in the DER of the key, as hex. */
const identifiers: [algorithm: Algorithm, oid: string][] = [
  ['ES256', '06082a8648ce3d030107'],
  ['ES384', '06052b81040022'],
  ['Ed25519', '06032b6570'],
  ['RS256', '06092a864886f70d010101'],
];
const HEADER_BYTES = 40;

export const keyKinds: Record<Algorithm, string> = {
  ES256: 'EC key on P-256',
  ES384: 'EC key on P-384',
  Ed25519: 'Ed25519 key',
  RS256: 'RSA key',
};

/** A private key must not leave the browser. */
export const isPrivateKey = (text: string) => /PRIVATE KEY-----|"d"\s*:/.test(text);

function readDer(pem: string): Uint8Array<ArrayBuffer> | null {
  const body = /^\s*-----BEGIN PUBLIC KEY-----([\sA-Za-z0-9+/=]+)-----END PUBLIC KEY-----\s*$/.exec(pem)?.[1];
  if (!body) return null;
  try {
    return Uint8Array.from(atob(body.replace(/\s/g, '')), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}

/** The algorithm that fits the key; null if the text is not such a key. The API decides whether the key is accepted. */
export function detectAlgorithm(pem: string): Algorithm | null {
  const der = readDer(pem);
  if (!der) return null;
  const start = [...der.slice(0, HEADER_BYTES)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return identifiers.find(([, oid]) => start.includes(oid))?.[0] ?? null;
}

const importAs: Record<Algorithm, { name: string; namedCurve?: string; hash?: string }> = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256' },
  ES384: { name: 'ECDSA', namedCurve: 'P-384' },
  Ed25519: { name: 'Ed25519' },
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
};

/** The JWK thumbprint (RFC 7638), a key id that follows from the key. Null where the browser cannot compute it. */
export async function thumbprint(pem: string): Promise<string | null> {
  const der = readDer(pem);
  const algorithm = detectAlgorithm(pem);
  // crypto.subtle exists in secure contexts only.
  if (!der || !algorithm || !globalThis.crypto.subtle) return null;
  try {
    const key = await crypto.subtle.importKey('spki', der, importAs[algorithm] as EcKeyImportParams, true, ['verify']);
    const { crv, kty, x, y, e, n } = await crypto.subtle.exportKey('jwk', key);
    // The members in the order of their names; those that a kind of key does not have are left out by JSON.
    const text = JSON.stringify({ crv, e, kty, n, x, y });
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
    const base64 = btoa(String.fromCharCode(...new Uint8Array(hash)));
    return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  } catch {
    return null;
  }
}
