// Verifies the JWT with which toolgate says for whom it calls (auth_strategy member_jwt). The keys of the project are fetched from its
// URL once, and again when a key is not among them.

import { fromBase64, utf8 } from './encoding.ts';
import { SignatureError } from './signature-error.ts';

export type MemberJwtOptions = {
  /** The JWT, or the whole value of the Authorization header. */
  token: string;
  /** `https://tools.example.com/api/v1/projects/prj_…` */
  issuer: string;
  /** The tool's `auth_config.audience`. */
  audience: string;
  /** Keys that you already have; default: those at `{issuer}/jwks.json`. */
  jwks?: { keys: readonly MemberJwtKey[] } | undefined;
  fetch?: typeof fetch | undefined;
  /** How far the clocks may differ, in seconds; default: 5. */
  toleranceSeconds?: number | undefined;
};

export type MemberJwtKey = {
  kid?: string;
  kty?: string;
  crv?: string;
  x?: string;
  y?: string;
  [member: string]: unknown;
};

/** Who toolgate calls your API for. */
export type MemberJwtContext = {
  /** Your own id for the user; null if the call is not for a member. */
  memberId: string | null;
  /** The API key, OAuth client or account that makes the call, if there is no member. */
  caller: { type: string; id: string } | null;
  /** The OAuth client through which the user signed in; null without a client. */
  clientId: string | null;
  projectId: string;
  integrationId: string | null;
  /** Id of the call. If repeating the call would do harm, refuse ids that you have already seen. */
  callId: string;
  claims: Readonly<Record<string, unknown>>;
};

/** Resolves with the verified context of the call, or rejects with a {@link SignatureError}. */
export async function verifyMemberJwt(options: MemberJwtOptions): Promise<MemberJwtContext> {
  const token = options.token.replace(/^bearer +/i, '');
  const [header, payload, signature, ...more] = token.split('.');
  if (!header || !payload || !signature || more.length > 0) throw malformed('The token is not a JWT.');
  const { alg, kid } = readObject(header);
  if (alg !== 'ES256') throw malformed('The token is not signed with ES256.');
  if (typeof kid !== 'string') throw malformed('The token has no kid.');
  const key = await importKey(await findKey(options, kid));
  const isValid = await crypto.subtle.verify(
    { name: 'ECDSA', hash: 'SHA-256' },
    key,
    bytesOf(signature),
    utf8(`${header}.${payload}`),
  );
  if (!isValid) throw new SignatureError({ reason: 'mismatch', message: 'The signature of the token is not valid.' });
  return readClaims(readObject(payload), options);
}

function readClaims(claims: Record<string, unknown>, options: MemberJwtOptions): MemberJwtContext {
  const { iss, aud, sub, sub_type, exp, iat, jti, project_id, integration_id, act } = claims;
  if (iss !== options.issuer)
    throw new SignatureError({ reason: 'mismatch', message: 'The token has another issuer.' });
  if (aud !== options.audience)
    throw new SignatureError({ reason: 'mismatch', message: 'The token is for another audience.' });
  const now = Date.now() / 1000;
  const { toleranceSeconds = 5 } = options;
  if (typeof exp !== 'number' || typeof iat !== 'number') throw malformed('The token has no exp or iat.');
  if (exp + toleranceSeconds <= now) throw new SignatureError({ reason: 'expired', message: 'The token has expired.' });
  if (iat - toleranceSeconds > now)
    throw new SignatureError({ reason: 'expired', message: 'The token was made in the future.' });
  if (typeof sub !== 'string' || typeof jti !== 'string' || typeof project_id !== 'string')
    throw malformed('The token lacks sub, jti or project_id.');
  const client = typeof act === 'object' && act !== null && 'sub' in act ? act.sub : null;
  return {
    memberId: sub_type === undefined ? sub : null,
    caller: typeof sub_type === 'string' ? { type: sub_type, id: sub } : null,
    clientId: typeof client === 'string' ? client : null,
    projectId: project_id,
    integrationId: typeof integration_id === 'string' ? integration_id : null,
    callId: jti,
    claims,
  };
}

type Fetched = { keys: readonly MemberJwtKey[]; at: number };

const fetched = new Map<string, Promise<Fetched>>();
const LIFETIME_MS = 600_000;
/** A key that is missing is looked for again so often. */
const REFETCH_MS = 10_000;

async function findKey({ jwks, issuer, fetch: given = fetch }: MemberJwtOptions, kid: string): Promise<MemberJwtKey> {
  const find = (keys: readonly MemberJwtKey[]) => keys.find((key) => key.kid === kid);
  const load = () => {
    const loading = fetchKeys(`${issuer}/jwks.json`, given);
    fetched.set(issuer, loading);
    loading.catch(() => fetched.delete(issuer));
    return loading;
  };
  if (jwks) return find(jwks.keys) ?? unknownKey();
  let known = await (fetched.get(issuer) ?? load());
  if (Date.now() - known.at > LIFETIME_MS || (!find(known.keys) && Date.now() - known.at > REFETCH_MS))
    known = await load();
  return find(known.keys) ?? unknownKey();
}

const unknownKey = (): never => {
  throw new SignatureError({
    reason: 'mismatch',
    message: 'The token is signed with a key that the project does not have.',
  });
};

async function fetchKeys(url: string, given: typeof fetch): Promise<Fetched> {
  const response = await given(url, { headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`${url} returned status ${response.status}`);
  const { keys } = (await response.json()) as { keys?: MemberJwtKey[] };
  if (!Array.isArray(keys)) throw new Error(`${url} has no keys`);
  return { keys, at: Date.now() };
}

async function importKey({ kty, crv, x, y }: MemberJwtKey) {
  if (kty !== 'EC' || crv !== 'P-256' || !x || !y) return unknownKey();
  return crypto.subtle.importKey('jwk', { kty, crv, x, y }, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['verify']);
}

const malformed = (message: string) => new SignatureError({ reason: 'malformed', message });

function readObject(part: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytesOf(part)));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Refused below.
  }
  throw malformed('The token is not a JWT.');
}

function bytesOf(part: string): Uint8Array<ArrayBuffer> {
  const bytes = /^[\w-]+$/.test(part) ? fromBase64(part.replaceAll('-', '+').replaceAll('_', '/')) : null;
  if (!bytes) throw malformed('The token is not a JWT.');
  return bytes;
}
