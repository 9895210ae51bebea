// How oauth4webapi reaches a provider: every request goes through the address guard, with a time limit, a size limit and no
// redirects. Its clock is corrected to the database's clock.

import * as oauth from 'oauth4webapi';
import { version } from '../installation.ts';
import { type Certificate, type Method, type OutboundResponse, SendError } from '../outbound/messages.ts';
import type { Send } from '../outbound/send.ts';
import { normalizeIssuer } from './issuer.ts';
import { atProvider, ProviderError } from './provider-error.ts';

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
  options: { [oauth.customFetch]: Fetch; [oauth.jwksCache]?: oauth.JWKSCacheInput };
};

type Client = {
  client_id: string;
  /** Null: a public client. */
  client_secret: string | null;
  fetch: Fetch;
  /** By the database's clock, in epoch milliseconds. */
  now: number;
  /** Kept between sign-ins; otherwise the keys are fetched for each. */
  jwks?: oauth.JWKSCacheInput;
};

export function toUpstream(
  server: oauth.AuthorizationServer,
  { client_id, client_secret, fetch, now, jwks }: Client,
): Upstream {
  return {
    server,
    client: { client_id, [oauth.clockSkew]: clockSkew(now) },
    authentication: client_secret === null ? oauth.None() : authenticationFor(server, client_secret),
    options: { [oauth.customFetch]: fetch, ...(jwks && { [oauth.jwksCache]: jwks }) },
  };
}

/** Reads the discovery document. Not cached. Rejects with a ProviderError. */
export function discoverIssuer(issuer: string, fetch: Fetch): Promise<oauth.AuthorizationServer> {
  const url = new URL(issuer);
  return atProvider('discovery', async () => {
    const options = { [oauth.customFetch]: fetch };
    const response = await oauth.discoveryRequest(url, options);
    const server = await oauth.processDiscoveryResponse(url, response).catch(refuseIssuer);
    // It compares parsed URLs. But for the slash after a bare origin, which is not stored, the issuer has one spelling.
    if (normalizeIssuer(server.issuer) !== normalizeIssuer(issuer))
      throw new ProviderError('invalid', 'discovery: issuer is spelled differently');
    for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const)
      if (URL.parse(server[name] ?? '')?.protocol !== 'https:')
        throw new ProviderError('invalid', `discovery: ${name} must be an HTTPS URL`);
    return server;
  });
}

/** oauth4webapi parses the issuer of a document without a check of its own. */
function refuseIssuer(error: unknown): never {
  if (error instanceof TypeError) throw new ProviderError('invalid', 'discovery: issuer must be a URL');
  throw error;
}

/** Reads the keys that ID tokens are verified with, to see whether there are any. Rejects with a ProviderError. */
export function checkKeys(server: oauth.AuthorizationServer, fetch: Fetch): Promise<void> {
  return atProvider('keys', async () => {
    const response = await fetch(server.jwks_uri as string, {
      method: 'GET',
      headers: { accept: 'application/json' },
    });
    if (response.status >= 500) throw new ProviderError('unreachable', `keys: status ${response.status}`);
    const value: unknown = await response.json().catch(() => null);
    const keys = (value as { keys?: unknown } | null)?.keys;
    if (response.status !== 200 || !Array.isArray(keys) || keys.length === 0)
      throw new ProviderError('invalid', `keys: ${server.jwks_uri} has no list of keys`);
  });
}

type Sending = { isolation_key: string; isolation_part: string; certificate?: Certificate | null };

/** `isolation_key` and `isolation_part`: whose share of outgoing calls the requests use. */
export function guardedFetch(send: Send, sending: Sending): Fetch {
  return async (url, { method, headers, body }) => {
    const { origin, pathname, search } = new URL(url);
    const response = await send({
      ...sending,
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

/** GitHub's token endpoint sends errors with status 200. No successful response of a provider has a field `error`. */
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
const clockSkew = (now: number) => Math.round((now - Date.now()) / 1000);
