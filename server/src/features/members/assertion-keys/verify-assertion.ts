// Verifies a member assertion (JWT). Returns its claims, or the first reason to refuse it. `steps` lists every rule in order.
// Pure: the clock and the key lookup are passed in. explain-assertion.ts runs all steps for the debug report.

import { type KeyObject, verify } from 'node:crypto';
import type { AssertionRule } from '@toolgate/contract/assertion-keys/assertion-report.ts';
import type { AssertionAlgorithm } from '@toolgate/contract/assertion-keys/rules.ts';
import type { MemberClaims } from '@toolgate/contract/projects/toolsets-of-member.ts';
import { MAX_ASSIGNED_TOOLSETS, TOOLSET_SLUG } from '@toolgate/contract/toolsets/rules.ts';
import { isStorableText } from '../../../database/storable-text.ts';
import { JsonProblem, parseStrict } from '../../../engines/json-text/parse-strict.ts';
import { isExternalId } from './external-id.ts';

export type AssertionReason =
  | 'MALFORMED'
  | 'MISSING_KID'
  | 'KEY_NOT_FOUND'
  | 'INVALID_SIGNATURE'
  | 'AUD_MISMATCH'
  | 'EXPIRED'
  | 'TTL_TOO_LONG'
  | 'SUB_UNRESOLVED'
  | 'UNKNOWN_TOOLSET';

export type VerificationKey = { id: string; algorithm: AssertionAlgorithm; key: KeyObject };

export type AssertionInput = {
  token: unknown;
  /** The project of the API key that sends the assertion, never one that the assertion names. */
  project_id: string;
  /** Epoch milliseconds of the database's clock. */
  now: number;
  /** Returns the active key of the project with exactly this kid. */
  findKey: (kid: string) => Promise<VerificationKey | null> | VerificationKey | null;
  /** Returns the id of the toolset of the project with each slug, or undefined. */
  findToolsets: (slugs: string[]) => Promise<(string | undefined)[]> | (string | undefined)[];
};

/** What the assertion says of the member: claims for the rules of the project, or the toolsets themselves. */
export type AssertedAccess = { claims: MemberClaims; toolsets: { slugs: string[]; ids: string[] } | null };

export type AssertionResult =
  | { ok: true; sub: string; jti: string | null; exp: number; key: VerificationKey; access: AssertedAccess }
  | { ok: false; reason: AssertionReason };

/** `skipped`: an earlier step failed, so the input of this step could not be parsed. */
export type StepOutcome = 'pass' | 'skipped' | AssertionReason;

/** The input, and what the steps have parsed so far. */
export type Assertion = AssertionInput & {
  parts: { signed: Buffer; header: Buffer; payload: Buffer; signature: Buffer } | null;
  header: Record<string, unknown> | null;
  kid: string | null;
  key: VerificationKey | null;
  claims: Record<string, unknown> | null;
  times: { exp: number; iat: number | null; nbf: number | null } | null;
  sub: string | null;
  jti: string | null;
  access: AssertedAccess | null;
};

export const steps = {
  shape: splitToken,
  header: whenParsed('parts', readHeader),
  kid: whenParsed('header', requireKid),
  key: whenParsed('kid', loadKey),
  algorithm: whenParsed('key', matchAlgorithm),
  signature: whenParsed('key', checkSignature),
  claims: whenParsed('parts', readClaims),
  aud: whenParsed('claims', matchAudience),
  times: whenParsed('claims', readTimes),
  exp: whenParsed('times', refuseExpired),
  ttl: whenParsed('times', refuseLongLived),
  sub: whenParsed('claims', requireSub),
  jti: whenParsed('claims', readJti),
  access: whenParsed('claims', readAccess),
} satisfies Record<StepName, (assertion: Assertion) => StepOutcome | Promise<StepOutcome>>;

/** Whether a `jti` was used before is only known where the session is created. */
export type StepName = Exclude<AssertionRule, 'replay'>;

export async function verifyAssertion(input: AssertionInput): Promise<AssertionResult> {
  const assertion = unparsed(input);
  for (const step of Object.values(steps)) {
    const outcome = await step(assertion);
    if (outcome !== 'pass') return { ok: false, reason: outcome === 'skipped' ? 'MALFORMED' : outcome };
  }
  const { sub, jti, times, key, access } = assertion;
  if (sub === null || times === null || key === null || access === null) return { ok: false, reason: 'MALFORMED' };
  return { ok: true, sub, jti, exp: times.exp, key, access };
}

export function unparsed(input: AssertionInput): Assertion {
  const { token, project_id, now, findKey, findToolsets } = input;
  const parsed = { parts: null, header: null, kid: null, key: null, claims: null, times: null, sub: null, jti: null };
  return { token, project_id, now, findKey, findToolsets, ...parsed, access: null };
}

type ParsedField = 'parts' | 'header' | 'kid' | 'key' | 'claims' | 'times';

function whenParsed<K extends ParsedField, Outcome extends StepOutcome | Promise<StepOutcome>>(
  field: K,
  step: (value: NonNullable<Assertion[K]>, assertion: Assertion) => Outcome,
): (assertion: Assertion) => Outcome | 'skipped' {
  return (assertion) => {
    const value = assertion[field];
    return value === null ? 'skipped' : step(value as NonNullable<Assertion[K]>, assertion);
  };
}

export const MAX_TOKEN_BYTES = 8192;
export const MAX_TTL_SECONDS = 60;
export const MAX_CLOCK_SKEW_SECONDS = 5;
const MAX_KID_LENGTH = 128;
const MAX_JTI_LENGTH = 255;
const MAX_JSON_DEPTH = 5;

function splitToken(assertion: Assertion): StepOutcome {
  const { token } = assertion;
  if (typeof token !== 'string' || token.length > MAX_TOKEN_BYTES) return 'MALFORMED';
  const texts = token.split('.', 4);
  const [header, payload, signature] = texts.map(decodeBase64url);
  if (texts.length !== 3 || !header || !payload || !signature) return 'MALFORMED';
  const signed = Buffer.from(token.slice(0, token.lastIndexOf('.')), 'latin1');
  assertion.parts = { signed, header, payload, signature };
  return 'pass';
}

// Decodes and encodes again, so that only the canonical form passes: no padding, no other alphabet, no unused bits set.
function decodeBase64url(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url');
  return text !== '' && bytes.toString('base64url') === text ? bytes : null;
}

// Any other member (jwk, jku, x5u, crit, zip, …) could influence how the assertion is verified, so none is accepted.
export const HEADER_MEMBERS = ['alg', 'kid', 'typ'];

function readHeader({ header: bytes }: { header: Buffer }, assertion: Assertion): StepOutcome {
  const header = readObject(bytes);
  if (!header) return 'MALFORMED';
  assertion.header = header;
  const isKnown = Object.keys(header).every((name) => HEADER_MEMBERS.includes(name));
  return isKnown && (header.typ === undefined || header.typ === 'JWT') ? 'pass' : 'MALFORMED';
}

function requireKid({ kid }: Record<string, unknown>, assertion: Assertion): StepOutcome {
  if (typeof kid !== 'string' || kid === '') return 'MISSING_KID';
  assertion.kid = kid;
  return 'pass';
}

async function loadKey(kid: string, assertion: Assertion): Promise<StepOutcome> {
  // PostgreSQL refuses NUL in a parameter, and an unpaired surrogate would be replaced by another character.
  const canExist = kid.length <= MAX_KID_LENGTH && isStorableText(kid);
  assertion.key = canExist ? await assertion.findKey(kid) : null;
  return assertion.key ? 'pass' : 'KEY_NOT_FOUND';
}

// The registered key selects the primitive, never the token. The token's alg must match it.
export const PRIMITIVES: Record<
  AssertionAlgorithm,
  { names: unknown[]; hash: string | null; signature_bytes: number | null }
> = {
  ES256: { names: ['ES256'], hash: 'sha256', signature_bytes: 64 },
  ES384: { names: ['ES384'], hash: 'sha384', signature_bytes: 96 },
  Ed25519: { names: ['EdDSA', 'Ed25519'], hash: null, signature_bytes: 64 },
  RS256: { names: ['RS256'], hash: 'sha256', signature_bytes: null },
};

function matchAlgorithm(key: VerificationKey, { header }: Assertion): StepOutcome {
  return PRIMITIVES[key.algorithm].names.includes(header?.alg) ? 'pass' : 'INVALID_SIGNATURE';
}

// ECDSA accepts both s and n - s, so one token has two valid forms: never use its text as a replay or cache key.
function checkSignature({ algorithm, key }: VerificationKey, { parts }: Assertion): StepOutcome {
  if (!parts) return 'skipped';
  const { hash, signature_bytes } = PRIMITIVES[algorithm];
  const length = signature_bytes ?? Math.ceil((key.asymmetricKeyDetails?.modulusLength ?? 0) / 8);
  const isValid =
    parts.signature.length === length &&
    verify(hash, parts.signed, { key, dsaEncoding: 'ieee-p1363' }, parts.signature);
  return isValid ? 'pass' : 'INVALID_SIGNATURE';
}

function readClaims({ payload }: { payload: Buffer }, assertion: Assertion): StepOutcome {
  assertion.claims = readObject(payload);
  return assertion.claims ? 'pass' : 'MALFORMED';
}

function matchAudience({ aud }: Record<string, unknown>, { project_id }: Assertion): StepOutcome {
  const [only, ...others] = Array.isArray(aud) ? aud : [aud];
  return only === `service:project:${project_id}` && others.length === 0 ? 'pass' : 'AUD_MISMATCH';
}

function readTimes({ exp, iat, nbf }: Record<string, unknown>, assertion: Assertion): StepOutcome {
  const isOptional = (time: unknown) => time === undefined || isTime(time);
  if (!isTime(exp) || !isOptional(iat) || !isOptional(nbf)) return 'MALFORMED';
  assertion.times = { exp, iat: (iat as number | undefined) ?? null, nbf: (nbf as number | undefined) ?? null };
  return 'pass';
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value < 2 ** 53;
}

function refuseExpired({ exp }: NonNullable<Assertion['times']>, { now }: Assertion): StepOutcome {
  return exp * 1000 > now ? 'pass' : 'EXPIRED';
}

// iat or nbf in the future would let an assertion be used later than MAX_TTL_SECONDS after it was signed.
function refuseLongLived({ exp, iat, nbf }: NonNullable<Assertion['times']>, { now }: Assertion): StepOutcome {
  const seconds = now / 1000;
  const isShort =
    exp <= seconds + MAX_TTL_SECONDS &&
    (iat === null || (exp - iat <= MAX_TTL_SECONDS && iat <= seconds + MAX_CLOCK_SKEW_SECONDS)) &&
    (nbf === null || nbf <= seconds + MAX_CLOCK_SKEW_SECONDS);
  return isShort ? 'pass' : 'TTL_TOO_LONG';
}

function requireSub({ sub }: Record<string, unknown>, assertion: Assertion): StepOutcome {
  if (!isExternalId(sub)) return 'SUB_UNRESOLVED';
  assertion.sub = sub;
  return 'pass';
}

// The unique index decides whether it was used before, when the session is inserted.
function readJti({ jti }: Record<string, unknown>, assertion: Assertion): StepOutcome {
  if (jti === undefined) return 'pass';
  if (typeof jti !== 'string' || jti === '' || jti.length > MAX_JTI_LENGTH || !isStorableText(jti)) return 'MALFORMED';
  assertion.jti = jti;
  return 'pass';
}

const MAX_ACCESS_CLAIMS = 20;
export const MAX_ACCESS_BYTES = 2048;

/** Claims for the rules of the project, or toolsets, which replace the rules. */
async function readAccess(given: Record<string, unknown>, assertion: Assertion): Promise<StepOutcome> {
  const { claims = {}, toolsets } = given;
  if (!isAccessClaims(claims)) return 'MALFORMED';
  if (toolsets === undefined) {
    assertion.access = { claims, toolsets: null };
    return 'pass';
  }
  if (!isSlugs(toolsets)) return 'MALFORMED';
  const ids = toolsets.length === 0 ? [] : await assertion.findToolsets(toolsets);
  const known = ids.filter((id) => id !== undefined);
  if (known.length < toolsets.length) return 'UNKNOWN_TOOLSET';
  assertion.access = { claims, toolsets: { slugs: toolsets, ids: known } };
  return 'pass';
}

function isAccessClaims(value: unknown): value is MemberClaims {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const values = Object.values(value);
  const isText = (each: unknown) => typeof each === 'string';
  return (
    values.length <= MAX_ACCESS_CLAIMS &&
    values.every(
      (each) => ['string', 'number', 'boolean'].includes(typeof each) || (Array.isArray(each) && each.every(isText)),
    ) &&
    Buffer.byteLength(JSON.stringify(value)) <= MAX_ACCESS_BYTES
  );
}

function isSlugs(value: unknown): value is string[] {
  return (
    Array.isArray(value) &&
    value.length <= MAX_ASSIGNED_TOOLSETS &&
    new Set(value).size === value.length &&
    value.every((slug) => typeof slug === 'string' && TOOLSET_SLUG.test(slug))
  );
}

function readObject(bytes: Buffer): Record<string, unknown> | null {
  try {
    const value = parseStrict(bytes, { max_depth: MAX_JSON_DEPTH });
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch (problem) {
    if (problem instanceof JsonProblem) return null;
    throw problem;
  }
}
