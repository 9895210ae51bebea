// The upstream of a provider: its endpoints, cached, and its client secret, opened.

import type * as oauth from 'oauth4webapi';
import type { App } from '../../../app.ts';
import { discoverIssuer, type Fetch, guardedFetch, toUpstream, type Upstream } from '../../../openid/upstream.ts';
import { githubServer } from './github.ts';
import { type Provider, projectOfProvider } from './provider.ts';
import { secretContext } from './secret-context.ts';

/** Do not hold a database permit: it opens the client secret with one of its own, and waits for the provider. */
export async function openUpstream(app: App, provider: Provider): Promise<Upstream> {
  const { server, jwks } = await findServer(app, provider);
  const secret = await app.permits.run(projectOfProvider(provider), () =>
    app.secrets.open(app.database, provider.project_id, secretContext(provider), provider.client_secret),
  );
  return toUpstream(server, {
    client_id: provider.client_id,
    client_secret: secret.toString(),
    fetch: fetchFrom(app, provider),
    now: app.now(),
    jwks,
  });
}

type KnownServer = { server: oauth.AuthorizationServer; jwks: oauth.JWKSCacheInput };

/** The provider's endpoints: discovered, and cached as long as other data of the project. */
export async function findServer(app: App, provider: Provider): Promise<KnownServer> {
  const found = await app.cache.getOrLoad<KnownServer>('oauth_server', provider.id, async () => ({
    project_id: provider.project_id,
    value: { server: await discover(app, provider), jwks: {} },
  }));
  return found as KnownServer;
}

/** Not cached. */
export function discover(app: App, provider: Provider): Promise<oauth.AuthorizationServer> | oauth.AuthorizationServer {
  return provider.provider === 'github'
    ? githubServer(provider.issuer)
    : discoverIssuer(provider.issuer, fetchFrom(app, provider));
}

export function fetchFrom({ send }: App, { id, fairness_key }: Provider): Fetch {
  return guardedFetch(send, { isolation_key: fairness_key, isolation_part: id });
}
