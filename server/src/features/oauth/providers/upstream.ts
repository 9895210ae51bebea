// How oauth4webapi reaches a provider: every request goes through the address guard, with a time limit, a size limit and no
// redirects. Its clock is corrected to the database's clock.

import * as oauth from 'oauth4webapi';
import type { App } from '../../../app.ts';
import { version } from '../../../installation.ts';
import { type Method, type OutboundResponse, SendError } from '../../../outbound/messages.ts';
import { githubServer } from './github.ts';
import { type Provider, projectOfProvider } from './provider.ts';
import { atProvider, ProviderError } from './provider-error.ts';
import { secretContext } from './secret-context.ts';

const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 256 * 1024;

/** The part of fetch() that oauth4webapi uses. */
export type Fetch = (
  url: string,
  options: { method: string; headers: Record<string, string>; body?: unknown },
) => Promise<Response>;

/** What the functions of oauth4webapi take. */
export type Upstream = {
  server: oauth.AuthorizationServer;
  client: oauth.Client;
  authentication: oauth.ClientAuth;
  options: { [oauth.customFetch]: Fetch; [oauth.jwksCache]: oauth.JWKSCacheInput };
};

/** Do not hold a database permit: it opens the client secret with one of its own, and waits for the provider. */
export async function openUpstream(app: App, provider: Provider): Promise<Upstream> {
  const { server, jwks } = await findServer(app, provider);
  const secret = await app.permits.run(projectOfProvider(provider), () =>
    app.secrets.open(app.database, provider.project_id, secretContext(provider), provider.client_secret),
  );
  return {
    server,
    client: { client_id: provider.client_id, [oauth.clockSkew]: clockSkew(app) },
    authentication: authenticationFor(server, secret.toString()),
    options: { [oauth.customFetch]: fetchFrom(app, provider), [oauth.jwksCache]: jwks },
  };
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
  if (provider.provider === 'github') return githubServer(provider.issuer);
  const issuer = new URL(provider.issuer);
  return atProvider('discovery', async () => {
    const options = { [oauth.customFetch]: fetchFrom(app, provider) };
    const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options));
    for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const)
      if (URL.parse(server[name] ?? '')?.protocol !== 'https:')
        throw new ProviderError('invalid', `discovery: ${name} must be an HTTPS URL`);
    return server;
  });
}

export function fetchFrom(app: App, { id, fairness_key }: Provider): Fetch {
  return async (url, { method, headers, body }) => {
    const { origin, pathname, search } = new URL(url);
    const response = await app.send({
      isolation_key: fairness_key,
      isolation_part: id,
      origin,
      method: method as Method,
      path: pathname + search,
      headers: { ...headers, 'user-agent': `toolgate/${version}` },
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      timeout_ms: TIMEOUT_MS,
      max_response_bytes: MAX_RESPONSE_BYTES,
    });
    return toResponse(response);
  };
}

function toResponse({ status, headers, body, truncated }: OutboundResponse): Response {
  if (truncated) throw new SendError('connection', `more than ${MAX_RESPONSE_BYTES} bytes`);
  const hasBody = status !== 204 && status !== 205 && status !== 304;
  const content_type = headers['content-type'];
  return new Response(hasBody ? new Uint8Array(body) : null, {
    status: errorInOk(status, body) ? 400 : status,
    headers: content_type === undefined ? {} : { 'content-type': content_type },
  });
}

/** GitHub's token endpoint answers errors with status 200. No successful answer of a provider has a member `error`. */
function errorInOk(status: number, body: Buffer): boolean {
  if (status !== 200 || body.length > 4096) return false;
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null && 'error' in value && typeof value.error === 'string';
  } catch {
    return false;
  }
}

/** OpenID Connect Discovery 1.0 §3: without the list it is client_secret_basic. */
function authenticationFor(server: oauth.AuthorizationServer, secret: string): oauth.ClientAuth {
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const usesPost = !methods.includes('client_secret_basic') && methods.includes('client_secret_post');
  return usesPost ? oauth.ClientSecretPost(secret) : oauth.ClientSecretBasic(secret);
}

/** In seconds. oauth4webapi reads the machine's clock. */
const clockSkew = (app: App) => Math.round((app.now() - Date.now()) / 1000);
