// Finds the authorization server of a protected resource, such as an MCP server (RFC 9728), and reads its metadata (RFC 8414).

import * as oauth from 'oauth4webapi';
import type { AllowList } from '../outbound/allow-list.ts';
import { checkIssuer, normalizeIssuer } from './issuer.ts';
import { atProvider, ProviderError } from './provider-error.ts';
import type { Fetch } from './upstream.ts';

export type ProtectedResource = {
  issuer: string;
  /** As the resource names itself: tokens are asked for it (RFC 8707). */
  resource: string;
  /** With one space between them; null: it does not say. */
  scope: string | null;
};

type Search = {
  /** WWW-Authenticate of a request without a token. */
  challenge: string | undefined;
  /** The issuer to use if the resource names several. */
  preferred: string | null;
  fetch: Fetch;
  allow: AllowList;
};

/** Rejects with a ProviderError. */
export function findProtectedResource(url: URL, search: Search): Promise<ProtectedResource> {
  const { challenge, fetch } = search;
  return atProvider('resource metadata', async () => {
    for (const address of addressesOf(url, challenge)) {
      const response = await fetch(address, { method: 'GET', headers: { accept: 'application/json' } });
      if (response.status === 200) return readMetadata(url, await response.json().catch(() => null), search);
      if (response.status >= 500)
        throw new ProviderError('unreachable', `resource metadata: status ${response.status}`);
    }
    throw new ProviderError('invalid', 'resource metadata: the server has none (RFC 9728)');
  });
}

const METADATA = /(?:^|[\s,])resource_metadata="([^"\\\s]{1,2048})"/i;
const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** Where the challenge says, else before the path of the resource, else at the root (RFC 9728 §3.1, §5.1). */
function addressesOf(url: URL, challenge = ''): string[] {
  const named = URL.parse(METADATA.exec(challenge)?.[1] ?? '');
  if (named?.protocol === 'https:') return [named.href];
  const root = `${url.origin}${WELL_KNOWN}`;
  return url.pathname === '/' ? [root] : [`${root}${url.pathname}${url.search}`, root];
}

function readMetadata(url: URL, value: unknown, { preferred, allow }: Search): ProtectedResource {
  const { resource, authorization_servers, scopes_supported } = (value ?? {}) as Record<string, unknown>;
  // RFC 9728 §3.3: otherwise a server could have tokens made for another one.
  if (typeof resource !== 'string' || !covers(resource, url))
    throw new ProviderError('invalid', "resource metadata: resource is not the server's URL");
  const named: unknown[] = Array.isArray(authorization_servers) ? authorization_servers : [];
  const issuer = named.find((each) => typeof each === 'string' && normalizeIssuer(each) === preferred) ?? named[0];
  const checked = typeof issuer === 'string' ? checkIssuer(issuer, allow) : { problem: 'is missing' };
  if ('problem' in checked) throw new ProviderError('invalid', `resource metadata: its issuer ${checked.problem}`);
  const scopes = Array.isArray(scopes_supported) ? scopes_supported.filter(isScope) : [];
  return { issuer: checked.issuer, resource, scope: scopes.length > 0 ? scopes.join(' ') : null };
}

const isScope = (text: unknown) => typeof text === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]{1,256}$/.test(text);

/** The same URL, or one above it: some servers name their origin. */
function covers(resource: string, url: URL): boolean {
  const named = URL.parse(resource);
  if (named?.origin !== url.origin || named.hash !== '' || (named.search !== '' && named.search !== url.search))
    return false;
  const path = named.pathname.replace(/\/$/, '');
  return url.pathname === path || url.pathname.startsWith(`${path}/`);
}

/** The issuer in it must be the one that was asked (RFC 8414 §3.3). Rejects with a ProviderError. */
export function discoverAuthorizationServer(issuer: string, fetch: Fetch): Promise<oauth.AuthorizationServer> {
  const url = new URL(issuer);
  return atProvider('discovery', async () => {
    const request = (algorithm: 'oauth2' | 'oidc') =>
      oauth.discoveryRequest(url, { algorithm, [oauth.customFetch]: fetch });
    const first = await request('oauth2');
    const server = await oauth.processDiscoveryResponse(url, first.status === 404 ? await request('oidc') : first);
    for (const name of ['authorization_endpoint', 'token_endpoint'] as const)
      if (URL.parse(server[name] ?? '')?.protocol !== 'https:')
        throw new ProviderError('invalid', `discovery: ${name} must be an HTTPS URL`);
    if (!server.code_challenge_methods_supported?.includes('S256'))
      throw new ProviderError('invalid', 'discovery: the authorization server does not support PKCE with S256');
    return server;
  });
}
