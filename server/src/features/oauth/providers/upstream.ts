// The upstream of a provider: its endpoints, cached, and its client secret, opened.

import type * as oauth from 'oauth4webapi';
import type { App } from '../../../app.ts';
import { discoverAuthorizationServer } from '../../../openid/protected-resource.ts';
import { discoverIssuer, toUpstream, type Upstream } from '../../../openid/upstream.ts';
import { fetchFrom } from './fetch-from.ts';
import { githubServer } from './github.ts';
import { type Provider, projectOfProvider } from './provider.ts';
import { secretContext } from './secret-context.ts';
import { refuseUnpinned, requirePinned } from './server-issuer.ts';
import { clientIdOf, isOfServer } from './server-provider.ts';

/** Do not hold a database permit: it opens the client secret with one of its own, and waits for the provider. */
export async function openUpstream(app: App, provider: Provider): Promise<Upstream> {
  if (isOfServer(provider)) refuseUnpinned(provider);
  const { server: discovered, jwks } = await findServer(app, provider);
  const server = isOfServer(provider) ? await requirePinned(app, provider, discovered) : discovered;
  const secret = await app.permits.run(projectOfProvider(provider), () => openSecret(app, provider));
  return toUpstream(server, {
    client_id: clientIdOf(app, provider, server),
    client_secret: secret,
    fetch: fetchFrom(app, provider),
    now: app.now(),
    jwks,
  });
}

/** Null: a public client. */
async function openSecret(app: App, provider: Provider): Promise<string | null> {
  const { project_id, client_secret } = provider;
  const context = secretContext(provider);
  if (!isOfServer(provider))
    return (await app.secrets.open(app.database, project_id, context, client_secret)).toString();
  return client_secret === '' ? null : app.secrets.openInput(app.database, project_id, context, client_secret);
}

type KnownServer = { server: oauth.AuthorizationServer; jwks: oauth.JWKSCacheInput };

/** The provider's endpoints: discovered, and cached as long as other data of the project. Those of an MCP server may be other ones than the pinned. */
export async function findServer(app: App, provider: Provider): Promise<KnownServer> {
  const found = await app.cache.getOrLoad<KnownServer>(
    'oauth_server',
    `${provider.id} ${provider.issuer}`,
    async () => ({
      project_id: provider.project_id,
      value: { server: await discover(app, provider), jwks: {} },
    }),
  );
  return found as KnownServer;
}

/** Not cached. */
export function discover(app: App, provider: Provider): Promise<oauth.AuthorizationServer> | oauth.AuthorizationServer {
  if (isOfServer(provider)) return discoverAuthorizationServer(provider.issuer, fetchFrom(app, provider));
  return provider.provider === 'github'
    ? githubServer(provider.issuer)
    : discoverIssuer(provider.issuer, fetchFrom(app, provider));
}
