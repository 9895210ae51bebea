// Encrypts a tool's secret for toolgate, so that only the server can read it: compact JWE, ECDH-ES, A256GCM (RFC 7516, 7518).

import { concat, toBase64url, utf8 } from './encoding.ts';
import type { Jwk, WebKey } from './private-key.ts';

export type SecretToSeal = {
  /** The `jwk` from `customTools.encryptionKey()`. */
  publicKey: Jwk;
  secret: string;
};

const curve = { name: 'ECDH', namedCurve: 'P-256' };
const KEY_BITS = 256;

/** Resolves with a string for a tool's `encrypted_auth_secret`. */
export async function sealSecret({ publicKey, secret }: SecretToSeal): Promise<string> {
  if (typeof secret !== 'string' || secret === '') throw new TypeError('secret must be a text that is not empty');
  const { kty, crv, x, y, kid } = publicKey;
  if (kty !== 'EC' || crv !== 'P-256' || !x || !y) throw new TypeError('publicKey must be a JWK of the curve P-256');
  const receiver = await crypto.subtle.importKey('jwk', { kty, crv, x, y }, curve, false, []);
  const { epk, agreed } = await agree(receiver);

  const header = { alg: 'ECDH-ES', enc: 'A256GCM', ...(kid === undefined ? {} : { kid }), epk };
  const encodedHeader = toBase64url(utf8(JSON.stringify(header)));
  const key = await crypto.subtle.importKey('raw', await deriveKey(agreed), 'AES-GCM', false, ['encrypt']);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const parameters = { name: 'AES-GCM', iv, additionalData: utf8(encodedHeader) };
  const sealed = new Uint8Array(await crypto.subtle.encrypt(parameters, key, utf8(secret)));
  const [text, tag] = [sealed.slice(0, -16), sealed.slice(-16)];
  // With ECDH-ES there is no encrypted key: its part is empty.
  return [encodedHeader, '', ...[iv, text, tag].map(toBase64url)].join('.');
}

/** A key pair of its own for every secret; its public half goes into the header. */
async function agree(receiver: WebKey) {
  const pair = await crypto.subtle.generateKey(curve, false, ['deriveBits']);
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', pair.publicKey);
  const agreed = await crypto.subtle.deriveBits({ name: 'ECDH', public: receiver }, pair.privateKey, KEY_BITS);
  return { epk: { kty, crv, x, y }, agreed: new Uint8Array(agreed) };
}

/** Concat KDF, one round (RFC 7518 §4.6.2). PartyUInfo and PartyVInfo are empty. */
async function deriveKey(agreed: Uint8Array): Promise<ArrayBuffer> {
  const name = utf8('A256GCM');
  const input = concat(uint32(1), agreed, uint32(name.length), name, uint32(0), uint32(0), uint32(KEY_BITS));
  return crypto.subtle.digest('SHA-256', input);
}

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}
