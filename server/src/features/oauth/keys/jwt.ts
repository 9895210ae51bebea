// Reads a JWT in parts and verifies its signature. Stricter than the libraries: canonical base64url, strict JSON, and a key that
// fits the algorithm. Nothing in a header is ever fetched.

import { constants, type KeyObject, verify } from 'node:crypto';
import type { JwtAlgorithm } from '@toolgate/contract/oauth-clients/rules.ts';
import { isStorableText } from '../../../database/storable-text.ts';
import { JsonProblem, parseStrict } from '../../../engines/json-text/parse-strict.ts';

export type JsonObject = Record<string, unknown>;

export type Jwt = { header: JsonObject; claims: JsonObject; signed: Buffer; signature: Buffer };

const MAX_BYTES = 8192;
const MAX_DEPTH = 5;
const MAX_CLAIM_LENGTH = 255;

/** Null for anything that is not three parts of which the first two are JSON objects. The claims are not verified yet. */
export function readJwt(token: string): Jwt | null {
  if (token.length > MAX_BYTES) return null;
  const texts = token.split('.', 4);
  const [header, payload, signature] = texts.map(decodeBase64url);
  if (texts.length !== 3 || !header || !payload || !signature) return null;
  const [headerObject, claims] = [readObject(header), readObject(payload)];
  if (!headerObject || !claims) return null;
  const signed = Buffer.from(token.slice(0, token.lastIndexOf('.')), 'latin1');
  return { header: headerObject, claims, signed, signature };
}

// Decodes and encodes again, so that only the canonical form passes: no padding, no other alphabet, no unused bits set.
function decodeBase64url(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url');
  return text !== '' && bytes.toString('base64url') === text ? bytes : null;
}

function readObject(bytes: Buffer): JsonObject | null {
  try {
    const value = parseStrict(bytes, { max_depth: MAX_DEPTH });
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as JsonObject) : null;
  } catch (problem) {
    if (problem instanceof JsonProblem) return null;
    throw problem;
  }
}

/** Members that could influence how a JWT is verified, or that say where a key is: none is accepted. */
const FORBIDDEN_MEMBERS = ['jwk', 'jku', 'x5u', 'x5c', 'crit', 'b64', 'zip', 'cty', 'enc'];

export const hasForbiddenMember = (header: JsonObject) => FORBIDDEN_MEMBERS.some((name) => name in header);

type Primitive = { hash: string | null; signature_bytes: number | null };

const primitives: Record<JwtAlgorithm, Primitive> = {
  ES256: { hash: 'sha256', signature_bytes: 64 },
  ES384: { hash: 'sha384', signature_bytes: 96 },
  RS256: { hash: 'sha256', signature_bytes: null },
  PS256: { hash: 'sha256', signature_bytes: null },
  EdDSA: { hash: null, signature_bytes: 64 },
};

/** `Ed25519` is the newer name of the same algorithm (RFC 9864). */
export function readAlgorithm(alg: unknown): JwtAlgorithm | null {
  if (alg === 'Ed25519') return 'EdDSA';
  return typeof alg === 'string' && Object.hasOwn(primitives, alg) ? (alg as JwtAlgorithm) : null;
}

/** The key must fit the algorithm: see key-set.ts. */
export function isSignedBy(key: KeyObject, algorithm: JwtAlgorithm, { signed, signature }: Jwt): boolean {
  const { hash, signature_bytes } = primitives[algorithm];
  const length = signature_bytes ?? Math.ceil((key.asymmetricKeyDetails?.modulusLength ?? 0) / 8);
  if (signature.length !== length) return false;
  const padding =
    algorithm === 'PS256'
      ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
      : {};
  return verify(hash, signed, { key, dsaEncoding: 'ieee-p1363', ...padding }, signature);
}

/** A claim that is a text which can be stored and looked up, or null. */
export function readText(value: unknown, most = MAX_CLAIM_LENGTH): string | null {
  return typeof value === 'string' && value !== '' && value.length <= most && isStorableText(value) ? value : null;
}

/** A NumericDate, or null. */
export function readTime(value: unknown): number | null {
  return typeof value === 'number' && value > 0 && value < 2 ** 53 ? value : null;
}
