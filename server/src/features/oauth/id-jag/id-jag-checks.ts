// What the checks of an ID-JAG need of the server: the provider that a project trusts, and its keys.

import type { KeyObject } from 'node:crypto';
import type { JwtAlgorithm } from '@toolgate/contract/oauth-clients/rules.ts';
import type { AuthorizationServer } from 'oauth4webapi';
import type { Project } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { normalizeIssuer } from '../../../openid/issuer.ts';
import { ProviderError } from '../../../openid/provider-error.ts';
import { findKeys } from '../keys/key-set.ts';
import { findRemoteKeySet } from '../keys/remote-key-set.ts';
import { certificateFor } from '../providers/fetch-from.ts';
import { knownBy, type Provider } from '../providers/provider.ts';
import { findServer } from '../providers/upstream.ts';
import type { TrustedProvider } from './verify-id-jag.ts';

/** `jwks_uri`: null if the discovery document of the issuer cannot be had or used. */
export type IdJagProvider = Provider & TrustedProvider & { jwks_uri: string | null };

/** Whether this may be its issuer: a slash after a bare origin is not stored. trustProvider() compares exactly. */
export const mayBeIssuer = ({ issuer }: Pick<Provider, 'issuer'>, iss: string) => normalizeIssuer(iss) === issuer;

/**
 * Returns what the checks need of the provider, or why it is not trusted for this `iss`. A person is known as in a sign-in by a
 * browser. Do not hold a database permit: it waits for the issuer.
 */
export async function trustProvider(
  app: App,
  project: Project,
  provider: Provider,
  iss: string,
): Promise<IdJagProvider | string> {
  const problem = trustProblem(provider);
  if (problem !== null) return problem;
  const server = await discover(app, provider);
  // Exactly as the issuer spells itself (RFC 8414 §2, RFC 3986 §6.2.1): one with a slash more is another one.
  if (server && server.issuer !== iss) return `iss is ${iss.slice(0, 200)}, not ${server.issuer}.`;
  return { ...provider, needs_email: knownBy(project, provider) === 'email', jwks_uri: server?.jwks_uri ?? null };
}

/** Why it is not trusted, or null. */
export function trustProblem({ provider, accepts_id_jag, is_enabled }: Provider): string | null {
  if (provider !== 'oidc' || !accepts_id_jag)
    return "The issuer's provider does not accept ID-JAGs: accepts_id_jag is off.";
  return is_enabled ? null : "The issuer's provider is disabled, or not approved for production.";
}

async function discover(app: App, provider: Provider): Promise<AuthorizationServer | null> {
  try {
    return (await findServer(app, provider)).server;
  } catch (error) {
    if (error instanceof ProviderError) return null;
    throw error;
  }
}

/** Do not hold a database permit. */
export async function findIssuerKeys(
  app: App,
  provider: IdJagProvider,
  algorithm: JwtAlgorithm,
  kid: string | null,
): Promise<KeyObject[] | string> {
  const { project_id, fairness_key, jwks_uri } = provider;
  if (jwks_uri === null) return "The issuer's discovery document cannot be fetched or used.";
  const certificate = await certificateFor(app, provider, jwks_uri);
  const set = await findRemoteKeySet(app, { url: jwks_uri, project_id, fairness_key, certificate }, kid);
  return typeof set === 'string' ? `The issuer's key set ${set}.` : findKeys(set, algorithm, kid);
}
