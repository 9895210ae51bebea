// Creates OAuth providers, clients and connections.

import { saveConnection } from '../../../src/features/oauth/connections/save.ts';
import { findProvider } from '../../../src/features/oauth/providers/find.ts';
import type { Provider } from '../../../src/features/oauth/providers/provider.ts';
import { finishSignIn, startSignIn } from '../../../src/features/oauth/providers/sign-in.ts';
import type { OpenIdProvider } from '../peers/openid-provider.ts';
import { freePort } from '../servers/free-port.ts';
import { ROOT_KEY, startServer, type TestServer } from '../servers/start-server.ts';
import { expectResponse, makeTenant, unique } from './make.ts';

export type MadeProvider = { id: string; project_id: string; callback_url: string; [field: string]: any };

export const providerFields = (peer: OpenIdProvider, fields: object = {}) => ({
  provider: 'oidc',
  issuer: peer.url,
  client_id: peer.client_id,
  client_secret: peer.client_secret,
  ...fields,
});

export async function makeProvider(
  server: TestServer,
  project_id: string,
  peer: OpenIdProvider,
  fields: object = {},
): Promise<MadeProvider> {
  const path = `/projects/${project_id}/oauth-providers`;
  return expectResponse(await server.api('POST', path, { key: ROOT_KEY, body: providerFields(peer, fields) }), 201);
}

export async function makeClient(server: TestServer, project_id: string, fields: object = {}): Promise<any> {
  const body = { name: unique('app'), redirect_uris: ['https://app.example.com/callback'], ...fields };
  return expectResponse(
    await server.api('POST', `/projects/${project_id}/oauth-clients`, { key: ROOT_KEY, body }),
    201,
  );
}

/** Signs the peer's current user in and stores the tokens as this member's connection. */
export async function connect(
  { app }: TestServer,
  peer: OpenIdProvider,
  made: Pick<MadeProvider, 'project_id' | 'id'>,
  member_id: string,
) {
  const { project_id, id: provider_id } = made;
  const provider = (await findProvider(app, project_id, provider_id)) as Provider;
  const request = {
    state: unique('state'),
    nonce: unique('nonce'),
    code_verifier: `${unique('verifier')}-${'v'.repeat(43)}`,
    redirect_uri: 'https://tools.example.com/callback',
  };
  const callback = (await peer.visit(await startSignIn(app, provider, request))).searchParams;
  const { tokens } = await finishSignIn(app, provider, callback, request);
  return { tokens, connection: await saveConnection(app, { project_id, provider_id, member_id, tokens }) };
}

/** A server whose public URL is its address, so that the URLs in its answers can be used. */
export async function startOAuthServer(
  peers: { address: string }[],
  environment: Record<string, string> = {},
  options: { name_servers?: string[] } = {},
) {
  const allow = peers.map(({ address }) => address).join(',');
  return startServer({ PORT: String(await freePort()), TOOLGATE_EGRESS_ALLOW: allow, ...environment }, options);
}

export const CALLBACK = 'https://app.example.com/callback';

/** A project with one provider and one client with a secret. */
export async function makeOAuthTenant(
  server: TestServer,
  peer: OpenIdProvider,
  { provider = {}, client = {}, project = {} }: { provider?: object; client?: object; project?: object } = {},
) {
  const tenant = await makeTenant(server, project);
  return {
    ...tenant,
    provider: await makeProvider(server, tenant.id, peer, provider),
    client: await makeClient(server, tenant.id, { redirect_uris: [CALLBACK], ...client }),
  };
}

export const authorizeUrl = (parameters: Record<string, string>) =>
  `/api/v1/oauth/authorize?${new URLSearchParams(parameters)}`;

export type Tokens = { access_token: string; refresh_token: string; scope: string; expires_in: number };

export const postForm = (server: TestServer, path: string, fields: Record<string, string>, headers = {}) =>
  server.api('POST', path, {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
