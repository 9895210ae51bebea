// Creates OAuth providers, clients and connections.

import { saveConnection } from '../src/features/oauth-connections/save.ts';
import { findProvider } from '../src/features/oauth-providers/find.ts';
import type { Provider } from '../src/features/oauth-providers/provider.ts';
import { finishSignIn, startSignIn } from '../src/features/oauth-providers/sign-in.ts';
import { expectAnswer, unique } from './make.ts';
import type { OpenIdProvider } from './openid-provider.ts';
import { ROOT_KEY, type TestServer } from './start-server.ts';

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
  return expectAnswer(await server.api('POST', path, { key: ROOT_KEY, body: providerFields(peer, fields) }), 201);
}

export async function makeClient(server: TestServer, project_id: string, fields: object = {}): Promise<any> {
  const body = { name: unique('app'), redirect_uris: ['https://app.example.com/callback'], ...fields };
  return expectAnswer(await server.api('POST', `/projects/${project_id}/oauth-clients`, { key: ROOT_KEY, body }), 201);
}

/** Signs the peer's current user in and stores the tokens as this member's connection. */
export async function connect({ app }: TestServer, peer: OpenIdProvider, made: MadeProvider, member_id: string) {
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
