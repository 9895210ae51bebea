// private_key_jwt (RFC 7523 2.2): a client proves who it is with a JWT that it signed. The official MCP client sends no kid and no
// client_id: the client is the subject, and all of its keys that fit are tried.

import type { App } from '../../../app.ts';
import { clientNetwork } from '../../../limits/client-network.ts';
import { type Client, hasKeys } from '../clients/client.ts';
import { findClient } from '../clients/find.ts';
import { hasForbiddenMember, isSignedBy, type Jwt, readAlgorithm, readJwt, readText, readTime } from '../keys/jwt.ts';
import { findKeys, type KeySet, readKeySet } from '../keys/key-set.ts';
import { findRemoteKeySet } from '../keys/remote-key-set.ts';
import { useJwtOnce } from '../keys/used-jwt.ts';

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Of the header, in lower case. */
const TYPES = ['jwt', 'client-authentication+jwt'];
/** In seconds. */
const MAX_LIFETIME = 3600;
const MAX_SKEW = 60;

type Checked = { client: Client; jwt: Jwt; jti: string; exp: number };

/** Returns the client, or what is wrong with the assertion as text. Do not hold a database permit. */
export async function verifyClientAssertion(
  app: App,
  { assertion, client_id, ip }: { assertion: string; client_id: string | undefined; ip: string },
): Promise<Client | string> {
  const jwt = readJwt(assertion);
  if (!jwt) return 'is not a JWT';
  const { sub, iss } = jwt.claims;
  if (typeof sub !== 'string' || sub !== iss) return 'must have the client_id as iss and as sub';
  if (client_id !== undefined && client_id !== sub) return 'must have the client_id of the request as sub';
  const client = await app.lookups.run(clientNetwork(ip), () => findClient(app, sub));
  if (!client) return 'has a sub that is not a client_id of this server';
  if (!hasKeys(client)) return 'belongs to a client without jwks and jwks_uri';
  const checked = checkClaims(app, client, jwt);
  return typeof checked === 'string' ? checked : checkSignature(app, checked, ip);
}

function checkClaims(app: App, client: Client, jwt: Jwt): Checked | string {
  const { aud, iat, nbf } = jwt.claims;
  const { public_url } = app.config;
  const accepted = [public_url, `${public_url}/api/v1/oauth/token`];
  const audiences: unknown[] = Array.isArray(aud) ? aud : [aud];
  if (audiences.length === 0 || !audiences.every((each) => accepted.includes(each as string)))
    return 'must have the issuer or the token endpoint of this server as aud';
  const seconds = app.now() / 1000;
  const exp = readTime(jwt.claims.exp);
  if (exp === null) return 'must have exp';
  if (exp <= seconds) return 'has expired';
  if (exp > seconds + MAX_LIFETIME) return 'must expire within an hour';
  for (const time of [iat, nbf])
    if (time !== undefined && (readTime(time) === null || (time as number) > seconds + MAX_SKEW))
      return 'must not have an iat or nbf in the future';
  const jti = readText(jwt.claims.jti);
  if (jti === null) return 'must have a jti of at most 255 characters';
  return { client, jwt, jti, exp };
}

async function checkSignature(app: App, { client, jwt, jti, exp }: Checked, ip: string): Promise<Client | string> {
  const { alg, kid, typ } = jwt.header;
  if (hasForbiddenMember(jwt.header)) return 'has a header that contains keys or extensions';
  if (typ !== undefined && !(typeof typ === 'string' && TYPES.includes(typ.toLowerCase())))
    return 'must have the typ JWT, or none';
  const algorithm = readAlgorithm(alg);
  if (algorithm === null) return 'must be signed with ES256, ES384, RS256, PS256 or EdDSA';
  if (kid !== undefined && readText(kid) === null) return 'must have a string as kid, or none';
  const set = await findSet(app, client, (kid as string | undefined) ?? null);
  if (typeof set === 'string') return `cannot be verified: the client's key set ${set}`;
  const keys = findKeys(set, algorithm, (kid as string | undefined) ?? null);
  if (keys.length === 0) return 'is signed with a key that the client does not have';
  if (!keys.some((key) => isSignedBy(key, algorithm, jwt))) return 'has an invalid signature';
  const { project_id, id: issuer } = client;
  const use = { project_id, issuer, jti, expires_at_ms: exp * 1000 };
  const isFirstUse = await app.lookups.run(clientNetwork(ip), () => useJwtOnce(app, use));
  return isFirstUse ? client : 'was already used: its jti is known';
}

function findSet(app: App, { jwks, jwks_uri, project_id, fairness_key }: Client, kid: string | null) {
  if (jwks_uri === null) return registeredSet(jwks as object);
  return findRemoteKeySet(app, { url: jwks_uri, project_id, fairness_key, certificate: null }, kid);
}

const registered = new WeakMap<object, KeySet | string>();

/** Its keys are imported once, as long as the client is cached. */
function registeredSet(jwks: object): KeySet | string {
  const known = registered.get(jwks) ?? readKeySet(jwks);
  registered.set(jwks, known);
  return known;
}
