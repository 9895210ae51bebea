// A JSON Web Key Set (RFC 7517): which of its keys can have signed a JWT. A key is imported when it is used for the first time, by
// the same rules as the assertion keys of customers: weak keys are refused.

import { createPublicKey, type KeyObject } from 'node:crypto';
import type { AssertionAlgorithm } from '@toolgate/contract/assertion-keys/rules.ts';
import type { JwtAlgorithm } from '@toolgate/contract/oauth-clients/rules.ts';
import { readPublicKey } from '../../members/assertion-keys/public-key.ts';
import type { JsonObject } from './jwt.ts';

export type KeySet = { keys: JsonObject[]; imported: Map<JsonObject, KeyObject | null> };

/** More keys than any provider has. */
const MAX_KEYS = 100;
/** How many keys are tried for a JWT that names none. */
const MAX_TRIED = 10;

const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** Returns what is wrong with it as text. Keys of other kinds in it are never used. */
export function readKeySet(value: unknown): KeySet | string {
  if (typeof value !== 'object' || value === null || !('keys' in value) || !Array.isArray(value.keys))
    return 'has no list of keys';
  if (value.keys.length > MAX_KEYS) return `has more than ${MAX_KEYS} keys`;
  const isObject = (key: unknown) => typeof key === 'object' && key !== null && !Array.isArray(key);
  return { keys: value.keys.filter(isObject), imported: new Map() };
}

/** The keys that can have made a signature with this algorithm; with a kid, those that have it. */
export function findKeys(set: KeySet, algorithm: JwtAlgorithm, kid: string | null): KeyObject[] {
  const fitting = set.keys.filter((jwk) => fits(jwk, algorithm) && (kid === null || jwk.kid === kid));
  return fitting.slice(0, MAX_TRIED).flatMap((jwk) => importKey(set, jwk) ?? []);
}

/** Whether a key of the set has this kid, whatever it is for. */
export const hasKid = (set: KeySet, kid: string) => set.keys.some((jwk) => jwk.kid === kid);

const kinds: Record<JwtAlgorithm, { kty: string; crv: string | undefined }> = {
  ES256: { kty: 'EC', crv: 'P-256' },
  ES384: { kty: 'EC', crv: 'P-384' },
  RS256: { kty: 'RSA', crv: undefined },
  PS256: { kty: 'RSA', crv: undefined },
  EdDSA: { kty: 'OKP', crv: 'Ed25519' },
};

function fits(jwk: JsonObject, algorithm: JwtAlgorithm): boolean {
  const { kty, crv } = kinds[algorithm];
  const names = algorithm === 'EdDSA' ? [algorithm, 'Ed25519'] : [algorithm];
  const isForSigning =
    (jwk.use === undefined || jwk.use === 'sig') &&
    (jwk.key_ops === undefined || (Array.isArray(jwk.key_ops) && jwk.key_ops.includes('verify')));
  const isForAlgorithm = jwk.alg === undefined || names.includes(jwk.alg as string);
  return jwk.kty === kty && (crv === undefined || jwk.crv === crv) && isForSigning && isForAlgorithm;
}

function importKey({ imported }: KeySet, jwk: JsonObject): KeyObject | null {
  const known = imported.get(jwk);
  if (known !== undefined) return known;
  const key = readKey(jwk);
  imported.set(jwk, key);
  return key;
}

/** How the key is checked: see public-key.ts. */
function formOf({ kty, crv }: JsonObject): AssertionAlgorithm | null {
  if (kty === 'RSA') return 'RS256';
  if (kty === 'EC' && crv === 'P-256') return 'ES256';
  if (kty === 'EC' && crv === 'P-384') return 'ES384';
  return kty === 'OKP' && crv === 'Ed25519' ? 'Ed25519' : null;
}

function readKey(jwk: JsonObject): KeyObject | null {
  const form = formOf(jwk);
  if (form === null) return null;
  const { kty, crv, x, y, n, e } = jwk;
  const members = Object.entries({ kty, crv, x, y, n, e }).filter(([, value]) => value !== undefined);
  // Imported only with texts of a usual length: OpenSSL would work on anything.
  if (members.some(([, value]) => typeof value !== 'string' || value.length > 2048)) return null;
  try {
    const key = createPublicKey({ key: Object.fromEntries(members), format: 'jwk' });
    return readPublicKey(String(key.export({ type: 'spki', format: 'pem' })), form)?.key ?? null;
  } catch {
    // Not on the curve, or not the numbers of a key.
    return null;
  }
}

/** Why a key cannot be registered, or null. Its values are never repeated: it may be a private key. */
export function keyProblem(jwk: JsonObject): string | null {
  if (PRIVATE_MEMBERS.some((member) => member in jwk))
    return 'contains a private part: register only the public key, and replace this one';
  if (formOf(jwk) === null) return 'must be an EC key (P-256 or P-384), an Ed25519 key or an RSA key';
  if (jwk.kid !== undefined && (typeof jwk.kid !== 'string' || jwk.kid === '')) return 'must have a string as kid';
  if (jwk.use !== undefined && jwk.use !== 'sig') return 'must be for signatures: use is not "sig"';
  return readKey(jwk) === null ? 'is not a valid key, or is too weak' : null;
}
