// An OAuth 2.1 authorization server for MCP servers, over HTTPS on 127.0.0.1: metadata (RFC 8414), client metadata documents, PKCE,
// `resource` (RFC 8707) in both requests, `iss` (RFC 9207), refresh with rotation. It signs in the chosen user without a page.

import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:https';
import { listenOnFreePort } from '../servers/free-port.ts';
import { testAuthority } from './fake-customer.ts';
import type { McpUpstream } from './mcp-upstream.ts';

type Grant = { user: string; client_id: string; resource: string; challenge: string; redirect_uri: string };

export type McpAuthorizationServer = Awaited<ReturnType<typeof startMcpAuthorizationServer>>;

const random = () => randomBytes(16).toString('hex');

export async function startMcpAuthorizationServer({ path = '' } = {}) {
  /** A client that was registered by hand. */
  const client = { id: 'registered', secret: 'secret of client' };
  const settings = {
    reads_documents: true,
    issuer: null as string | null,
    iss: null as string | null,
    /** Many servers send none (RFC 9207). */
    sends_iss: true,
    seconds: 3_600,
    /** What its metadata has besides, or instead. */
    metadata: {} as object,
    /** Where its token endpoint redirects to. */
    redirects_to: null as string | null,
  };
  const state = { user: 'alice' };
  const codes = new Map<string, Grant>();
  const refresh = new Map<string, Grant>();
  const access = new Map<string, Grant>();
  const forms: { form: URLSearchParams; authorization: string | undefined }[] = [];
  const revoked: string[] = [];
  const server = createServer(testAuthority.issue(['localhost']), (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', origin);
      const { status = 200, body } = respond(url, Buffer.concat(parts).toString(), request.headers.authorization);
      const location = status === 307 ? { location: settings.redirects_to ?? '' } : {};
      response.writeHead(status, { 'content-type': 'application/json', ...location }).end(JSON.stringify(body ?? {}));
    });
  });
  const port = await listenOnFreePort(server);
  const origin = `https://127.0.0.1:${port}`;
  const issuer = `${origin}${path}`;

  function respond(url: URL, body: string, authorization: string | undefined): { status?: number; body?: object } {
    if (url.pathname === `/.well-known/oauth-authorization-server${path}`) return { body: metadata() };
    const form = new URLSearchParams(body);
    if (url.pathname === '/revoke') revoked.push(form.get('token') ?? '');
    if (url.pathname === '/revoke') return {};
    if (url.pathname !== '/token') return { status: 404 };
    if (settings.redirects_to !== null) return { status: 307 };
    forms.push({ form, authorization });
    return token(form, authorization);
  }

  const metadata = () => ({
    issuer: settings.issuer ?? issuer,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: settings.sends_iss,
    ...(settings.reads_documents ? { client_id_metadata_document_supported: true } : {}),
    ...settings.metadata,
  });

  function token(form: URLSearchParams, authorization: string | undefined): { status?: number; body: object } {
    const isRefresh = form.get('grant_type') === 'refresh_token';
    const store = isRefresh ? refresh : codes;
    const key = form.get(isRefresh ? 'refresh_token' : 'code') ?? '';
    const grant = store.get(key);
    store.delete(key);
    if (!grant || form.get('resource') !== grant.resource) return { status: 400, body: { error: 'invalid_grant' } };
    const verifier = createHash('sha256').update(form.get('code_verifier') ?? '');
    const isRight = verifier.digest('base64url') === grant.challenge && form.get('redirect_uri') === grant.redirect_uri;
    if (!isRefresh && !isRight) return { status: 400, body: { error: 'invalid_grant' } };
    if (!isClient(grant, form, authorization)) return { status: 401, body: { error: 'invalid_client' } };
    const [access_token, refresh_token] = [random(), random()];
    access.set(access_token, grant);
    refresh.set(refresh_token, grant);
    return { body: { access_token, refresh_token, token_type: 'Bearer', expires_in: settings.seconds } };
  }

  function isClient({ client_id }: Grant, form: URLSearchParams, authorization: string | undefined): boolean {
    if (client_id !== client.id) return form.get('client_id') === client_id && authorization === undefined;
    const encoded = new URLSearchParams({ '': client.secret }).toString().slice(1);
    return authorization === `Basic ${Buffer.from(`${client.id}:${encoded}`).toString('base64')}`;
  }

  return {
    issuer,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    address: `127.0.0.1:${port}`,
    client,
    settings,
    state,
    /** Requests to the token endpoint. */
    forms,
    /** Tokens that it was asked to revoke. */
    revoked,
    /** Whose token it is, and for which resource. */
    grantOf: (authorization: string | undefined) => access.get(authorization?.replace(/^Bearer /, '') ?? ''),
    /** The browser is sent here, and comes back with a code. Rejects what the server refuses. */
    async visit(location: string): Promise<string> {
      const { searchParams: query } = new URL(location);
      const [client_id, redirect_uri] = [query.get('client_id') ?? '', query.get('redirect_uri') ?? ''];
      if (client_id !== client.id) {
        const document: any = await (await fetch(client_id)).json();
        if (document.client_id !== client_id || !document.redirect_uris.includes(redirect_uri))
          throw new Error('the client metadata document does not fit');
      }
      const resource = query.get('resource');
      if (resource === null || query.get('code_challenge_method') !== 'S256')
        throw new Error('no resource, or no PKCE');
      const code = random();
      const challenge = query.get('code_challenge') ?? '';
      codes.set(code, { user: state.user, client_id, resource, challenge, redirect_uri });
      const back = new URL(redirect_uri);
      const iss: { iss?: string } = settings.sends_iss ? { iss: settings.iss ?? issuer } : {};
      const parameters = { code, state: query.get('state') ?? '', ...iss };
      for (const [name, value] of Object.entries(parameters)) back.searchParams.set(name, value);
      return back.href;
    },
    close: () => new Promise((closed) => server.close(closed)),
  };
}

/** The upstream asks for a token of this server: for calls, or for everything. */
export function protect(
  upstream: McpUpstream,
  { issuer, issuers = [issuer], grantOf }: Pick<McpAuthorizationServer, 'issuer' | 'grantOf'> & { issuers?: string[] },
  {
    resource = upstream.url,
    is_named = true,
    is_whole = false,
  }: { resource?: string; is_named?: boolean; is_whole?: boolean } = {},
): void {
  const origin = new URL(upstream.url).origin;
  const where = `${origin}/.well-known/oauth-protected-resource${is_named ? '/named' : '/mcp'}`;
  upstream.fault.handle = ({ path, message, headers }, response) => {
    const { pathname } = new URL(path, origin);
    if (origin + pathname === where) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ resource, authorization_servers: issuers }));
      return true;
    }
    if (pathname !== '/mcp') {
      response.writeHead(404).end();
      return true;
    }
    const isOpen = !is_whole && message?.method !== 'tools/call' && message?.method !== 'ping';
    if (isOpen || grantOf(headers.authorization)?.resource === resource) return false;
    const challenge = is_named ? `Bearer error="invalid_token", resource_metadata="${where}"` : 'Bearer';
    response.writeHead(401, { 'www-authenticate': challenge }).end();
    return true;
  };
}
