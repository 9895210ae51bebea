// Signs the JWT with which the customer's backend tells toolgate who a person is (POST /mcp/session-token).

import { toBase64url, utf8 } from './encoding.ts';
import { type AssertionAlgorithm, importPrivateKey, type PrivateKey, primitives } from './private-key.ts';

export type MemberAssertion = {
  /** The private half of a registered assertion key. */
  privateKey: PrivateKey;
  /** The `kid` of that key. */
  kid: string;
  algorithm: AssertionAlgorithm;
  projectId: string;
  /** Your own id for the user. */
  memberId: string;
  /** 1 to 60; default: 30. */
  ttlSeconds?: number | undefined;
  /** With a `jti`, the assertion can be used only once. */
  jti?: string | undefined;
  /** The claims that the project's rules for members compare, such as `{ role: 'support' }`. */
  claims?: Record<string, string | number | boolean | string[]> | undefined;
  /** Slugs of the toolsets that the user sees in this session, instead of those from the rules. */
  toolsets?: string[] | undefined;
};

const MAX_TTL_SECONDS = 60;

/** Resolves with a JWT for `memberSessions.create({ memberAssertion })`. */
export async function signMemberAssertion(assertion: MemberAssertion): Promise<string> {
  const { privateKey, kid, algorithm, projectId, memberId, ttlSeconds = 30, jti } = assertion;
  const { claims: said, toolsets } = assertion;
  if (!Object.hasOwn(primitives, algorithm))
    throw new TypeError(`algorithm must be one of ${Object.keys(primitives).join(', ')}`);
  for (const [name, value] of Object.entries({ kid, projectId, memberId, ...(jti === undefined ? {} : { jti }) }))
    if (typeof value !== 'string' || value === '') throw new TypeError(`${name} must be a text that is not empty`);
  if (!Number.isInteger(ttlSeconds) || ttlSeconds < 1 || ttlSeconds > MAX_TTL_SECONDS)
    throw new TypeError(`ttlSeconds must be a whole number from 1 to ${MAX_TTL_SECONDS}`);

  const key = await importPrivateKey(privateKey, algorithm);
  // Without iat: only exp is needed, and a clock that is a few seconds ahead does no harm.
  const exp = Math.floor(Date.now() / 1000) + ttlSeconds;
  // JSON leaves out what is undefined.
  const claims = { sub: memberId, aud: `service:project:${projectId}`, exp, jti, claims: said, toolsets };
  const signed = `${encode({ alg: algorithm, kid, typ: 'JWT' })}.${encode(claims)}`;
  const signature = await crypto.subtle.sign(primitives[algorithm].sign, key, utf8(signed));
  return `${signed}.${toBase64url(new Uint8Array(signature))}`;
}

const encode = (value: object) => toBase64url(utf8(JSON.stringify(value)));
