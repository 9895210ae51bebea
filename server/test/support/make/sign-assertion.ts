// Signs member assertions as a customer's backend would, or with any part replaced as an attacker would.

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { AssertionAlgorithm } from '@toolgate/contract/assertion-keys/rules.ts';

export type Signer = {
  algorithm: AssertionAlgorithm;
  kid: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
  pem: string;
};

const generate: Record<AssertionAlgorithm, () => { privateKey: KeyObject; publicKey: KeyObject }> = {
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  Ed25519: () => generateKeyPairSync('ed25519'),
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
};

export function makeSigner(algorithm: AssertionAlgorithm = 'ES256', kid = `${algorithm}-key`): Signer {
  const { privateKey, publicKey } = generate[algorithm]();
  return { algorithm, kid, privateKey, publicKey, pem: String(publicKey.export({ type: 'spki', format: 'pem' })) };
}

export type AssertionParts = {
  /** Merged into a valid header or valid claims; undefined removes a member. A string or bytes replace the whole JSON text. */
  header?: object | string | Buffer;
  claims?: object | string | Buffer;
  signature?: (signed: Buffer) => Buffer | string;
};

/** `now` is in epoch milliseconds. */
export function signAssertion(signer: Signer, project_id: string, now: number, parts: AssertionParts = {}): string {
  const seconds = Math.floor(now / 1000);
  const goodHeader = { alg: signer.algorithm, typ: 'JWT', kid: signer.kid };
  const goodClaims = { sub: 'alice', aud: `service:project:${project_id}`, iat: seconds, exp: seconds + 30 };
  const signed = `${encode(goodHeader, parts.header)}.${encode(goodClaims, parts.claims)}`;
  const makeSignature = parts.signature ?? ((data: Buffer) => rawSignature(signer, data));
  return `${signed}.${Buffer.from(makeSignature(Buffer.from(signed))).toString('base64url')}`;
}

export function rawSignature(
  { algorithm, privateKey }: Pick<Signer, 'algorithm' | 'privateKey'>,
  data: Buffer,
): Buffer {
  const hash = { ES256: 'sha256', ES384: 'sha384', Ed25519: null, RS256: 'sha256' }[algorithm];
  return sign(hash, data, { key: privateKey, dsaEncoding: 'ieee-p1363' });
}

function encode(good: object, changed: object | string | Buffer = {}): string {
  const isText = typeof changed === 'string' || Buffer.isBuffer(changed);
  return Buffer.from(isText ? changed : JSON.stringify({ ...good, ...changed })).toString('base64url');
}
