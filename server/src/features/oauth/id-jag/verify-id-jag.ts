// Verifies an ID-JAG: an assertion of a company's identity provider that lets a client act for one of its people. `checks` lists every
// check in its order. Pure: the clock, the keys and the lookups are passed in. explain-id-jag.ts runs all of them for the debug report.

import type { KeyObject } from 'node:crypto';
import type { JwtAlgorithm } from '@toolgate/contract/oauth-clients/rules.ts';
import type { IdJagCheck } from '@toolgate/contract/oauth-providers/rules.ts';
import { isExternalId } from '../../members/assertion-keys/external-id.ts';
import {
  hasForbiddenMember,
  isSignedBy,
  type JsonObject,
  type Jwt,
  readAlgorithm,
  readJwt,
  readText,
  readTime,
} from '../keys/jwt.ts';

/** What of a provider decides. */
export type TrustedProvider = {
  issuer: string;
  required_claims: Readonly<Record<string, string>>;
  max_assertion_seconds: number;
  /** Whether a person is known by the verified email address. */
  needs_email: boolean;
};

export type IdJagInput<P extends TrustedProvider = TrustedProvider> = {
  token: unknown;
  /** Our issuer, which must be the audience. */
  audience: string;
  /** Epoch milliseconds of the database's clock. */
  now: number;
  /** Returns the provider that the project trusts for this issuer, or the reason why it trusts no provider. */
  findProvider(iss: string): Promise<P | string> | P | string;
  /** Returns the keys that can have made the signature, or the reason why no key was found. */
  findKeys(
    provider: P,
    algorithm: JwtAlgorithm,
    kid: string | null,
  ): Promise<KeyObject[] | string> | KeyObject[] | string;
  /** Returns what is wrong with the resource that the assertion names, or null. */
  resourceProblem(resource: string | null): string | null;
  /** Returns what is wrong with the client that the assertion is for, or null. */
  clientProblem(client_id: string): Promise<string | null> | string | null;
  isUsed(provider: P, jti: string): Promise<boolean> | boolean;
  /** Returns null if nothing of what the assertion allows can be granted. Null: it says nothing of scopes. */
  scopeProblem(provider: P, scope: string | null): string | null;
};

/** The input, and what the checks have read so far. */
type IdJag<P extends TrustedProvider> = {
  input: IdJagInput<P>;
  jwt: Jwt | null;
  algorithm: JwtAlgorithm | null;
  provider: P | null;
  keys: KeyObject[] | null;
};

/** Null: passed. A text: what is wrong. `skipped`: an earlier check failed, so that there is nothing to check. */
type Outcome = null | string | typeof SKIPPED;
export const SKIPPED = Symbol('skipped');

type Check = <P extends TrustedProvider>(idJag: IdJag<P>) => Outcome | Promise<Outcome>;

const SKEW_SECONDS = 5;
const TYP = 'oauth-id-jag+jwt';

const ofClaims =
  (check: <P extends TrustedProvider>(claims: JsonObject, idJag: IdJag<P>) => Outcome | Promise<Outcome>): Check =>
  (idJag) =>
    idJag.jwt ? check(idJag.jwt.claims, idJag) : SKIPPED;

export const checks: Record<IdJagCheck, Check> = {
  shape(idJag) {
    const { token } = idJag.input;
    idJag.jwt = typeof token === 'string' ? readJwt(token) : null;
    if (!idJag.jwt) return 'It is not a JWT with three parts and at most 8,192 bytes.';
    return hasForbiddenMember(idJag.jwt.header) ? 'Its header contains keys or extensions.' : null;
  },
  typ: ({ jwt }) => (jwt ? (jwt.header.typ === TYP ? null : `typ is ${show(jwt.header.typ)}.`) : SKIPPED),
  algorithm(idJag) {
    if (!idJag.jwt) return SKIPPED;
    idJag.algorithm = readAlgorithm(idJag.jwt.header.alg);
    return idJag.algorithm ? null : `alg is ${show(idJag.jwt.header.alg)}.`;
  },
  issuer: ofClaims(async ({ iss }, idJag) => {
    const issuer = readText(iss, 2048);
    const found = issuer === null ? `iss is ${show(iss)}.` : await idJag.input.findProvider(issuer);
    if (typeof found === 'string') return found;
    idJag.provider = found;
    return null;
  }),
  async key(idJag) {
    const { jwt, provider, algorithm } = idJag;
    if (!jwt || !provider || !algorithm) return SKIPPED;
    const { kid } = jwt.header;
    if (kid !== undefined && readText(kid) === null) return `kid is ${show(kid)}.`;
    const keys = await idJag.input.findKeys(provider, algorithm, (kid as string | undefined) ?? null);
    if (typeof keys === 'string') return keys;
    idJag.keys = keys;
    return keys.length > 0 ? null : `The issuer has no key with the kid ${show(kid)} for ${algorithm}.`;
  },
  signature({ jwt, keys, algorithm }) {
    if (!jwt || !keys || keys.length === 0 || !algorithm) return SKIPPED;
    return keys.some((key) => isSignedBy(key, algorithm, jwt))
      ? null
      : "None of the issuer's keys made this signature.";
  },
  aud: ofClaims(({ aud }, { input }) => {
    const [only, ...others] = Array.isArray(aud) ? aud : [aud];
    return only === input.audience && others.length === 0 ? null : `aud is ${show(aud)}, not ${show(input.audience)}.`;
  }),
  resource: ofClaims(({ resource }, { input }) => {
    const [only = null, ...others] = Array.isArray(resource) ? resource : [resource];
    if (others.length > 0 || (only !== null && readText(only, 2048) === null)) return `resource is ${show(resource)}.`;
    return input.resourceProblem(only as string | null);
  }),
  client_id: ofClaims(({ client_id }, { input }) =>
    readText(client_id, 2048) === null ? `client_id is ${show(client_id)}.` : input.clientProblem(client_id as string),
  ),
  sub: ofClaims(({ sub, email, email_verified }, { provider }) => {
    if (!isExternalId(sub)) return `sub is ${show(sub)}.`;
    if (!provider?.needs_email || (readText(email) !== null && email_verified === true)) return null;
    return `Users are identified by their email address, but email is ${show(email)} and email_verified ${show(email_verified)}.`;
  }),
  jti: ofClaims(({ jti }) => (readText(jti) === null ? `jti is ${show(jti)}.` : null)),
  iat: ofClaims(({ iat }) => (readTime(iat) === null ? `iat is ${show(iat)}.` : null)),
  exp: ofClaims(({ exp }) => (readTime(exp) === null ? `exp is ${show(exp)}.` : null)),
  times: ofClaims((claims, { input, provider }) => timesProblem(claims, input.now / 1000, provider)),
  cnf: ofClaims((claims) => ('cnf' in claims ? 'It is bound to a key (cnf), which cannot be proven here.' : null)),
  replay: ofClaims(async ({ jti }, { input, provider }) => {
    if (!provider || readText(jti) === null) return SKIPPED;
    return (await input.isUsed(provider, jti as string)) ? `The jti ${show(jti)} was already used.` : null;
  }),
  required_claims: ofClaims((claims, { provider }) => {
    if (!provider) return SKIPPED;
    const wrong = Object.entries(provider.required_claims).find(([name, value]) => !hasValue(claims, name, value));
    return wrong ? `${wrong[0]} is ${show(claims[wrong[0]])}, not ${show(wrong[1])}.` : null;
  }),
  scope: ofClaims(({ scope }, { input, provider }) => {
    if (!provider) return SKIPPED;
    if (scope !== undefined && readText(scope, 4096) === null) return `scope is ${show(scope)}.`;
    return input.scopeProblem(provider, (scope as string | undefined) ?? null);
  }),
};

function timesProblem({ iat, exp, nbf }: JsonObject, now: number, provider: TrustedProvider | null): Outcome {
  const [made, ends] = [readTime(iat), readTime(exp)];
  if (made === null || ends === null || !provider) return SKIPPED;
  const { max_assertion_seconds } = provider;
  if (ends <= now - SKEW_SECONDS) return 'It has expired.';
  if (made > now + SKEW_SECONDS) return 'iat is in the future.';
  if (nbf !== undefined && (readTime(nbf) === null || (nbf as number) > now + SKEW_SECONDS))
    return 'nbf is in the future.';
  if (ends - made > max_assertion_seconds || ends > now + max_assertion_seconds + SKEW_SECONDS)
    return `Its lifetime is longer than ${max_assertion_seconds} seconds.`;
  return null;
}

/**
 * A list has the value if it contains it; a number or a boolean, if it is spelled like it. Own members only: `constructor` is no
 * claim. An object is never converted to text: its `toString` is the issuer's.
 */
function hasValue(claims: JsonObject, name: string, value: string): boolean {
  if (!Object.hasOwn(claims, name)) return false;
  const claim = claims[name];
  if (Array.isArray(claim)) return claim.includes(value);
  return typeof claim === 'number' || typeof claim === 'boolean' ? String(claim) === value : claim === value;
}

/** What a claim is, short enough for a report. */
function show(value: unknown): string {
  const text = value === undefined ? 'missing' : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

export type VerifiedIdJag<P> = { provider: P; claims: JsonObject; sub: string; jti: string; exp: number };

/** Returns what the assertion says, or the first check that fails. */
export async function verifyIdJag<P extends TrustedProvider>(
  input: IdJagInput<P>,
): Promise<VerifiedIdJag<P> | { failed: IdJagCheck; problem: string }> {
  const idJag = unread(input);
  for (const [name, check] of Object.entries(checks) as [IdJagCheck, Check][]) {
    const outcome = await check(idJag);
    if (outcome !== null)
      return { failed: name, problem: outcome === SKIPPED ? 'It could not be checked.' : String(outcome) };
  }
  const { jwt, provider } = idJag as IdJag<P> & { jwt: Jwt; provider: P };
  const { sub, jti, exp } = jwt.claims as { sub: string; jti: string; exp: number };
  return { provider, claims: jwt.claims, sub, jti, exp };
}

export const unread = <P extends TrustedProvider>(input: IdJagInput<P>): IdJag<P> => ({
  input,
  jwt: null,
  algorithm: null,
  provider: null,
  keys: null,
});
