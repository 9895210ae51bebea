// What the checks of an ID-JAG need of the server: the provider that a project trusts, and its keys.

import type { KeyObject } from 'node:crypto';
import type { JwtAlgorithm } from '@toolgate/contract/oauth-clients/rules.ts';
import type { Project } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { ProviderError } from '../../../openid/provider-error.ts';
import { findKeys } from '../keys/key-set.ts';
import { findRemoteKeySet } from '../keys/remote-key-set.ts';
import { knownBy, type Provider } from '../providers/provider.ts';
import { findServer } from '../providers/upstream.ts';
import type { TrustedProvider } from './verify-id-jag.ts';

export type IdJagProvider = Provider & TrustedProvider;

/** A person is known as in a sign-in by a browser. */
export const toTrusted = (project: Project, provider: Provider): IdJagProvider => ({
  ...provider,
  needs_email: knownBy(project, provider) === 'email',
});

/** Issuers without a path are stored without a slash at their end. */
export const isIssuer = ({ issuer }: Pick<Provider, 'issuer'>, iss: string) =>
  iss === issuer || (iss === `${issuer}/` && new URL(issuer).pathname === '/');

/** Why it is not trusted, or null. */
export function trustProblem({ provider, accepts_id_jag, is_enabled }: Provider): string | null {
  if (provider !== 'oidc' || !accepts_id_jag)
    return 'The provider of this issuer does not accept ID-JAGs: accepts_id_jag is off.';
  return is_enabled ? null : 'The provider of this issuer is disabled, or not approved for production.';
}

/** Do not hold a database permit. */
export async function findIssuerKeys(
  app: App,
  provider: Provider,
  algorithm: JwtAlgorithm,
  kid: string | null,
): Promise<KeyObject[] | string> {
  let jwks_uri: string;
  try {
    jwks_uri = (await findServer(app, provider)).server.jwks_uri as string;
  } catch (error) {
    if (error instanceof ProviderError) return 'The discovery document of the issuer cannot be had or used.';
    throw error;
  }
  const { project_id, fairness_key } = provider;
  const set = await findRemoteKeySet(app, { url: jwks_uri, project_id, fairness_key }, kid);
  return typeof set === 'string' ? `The key set of the issuer ${set}.` : findKeys(set, algorithm, kid);
}
