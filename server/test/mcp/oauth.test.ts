// Clients that know nothing but the URL of a project's MCP endpoint sign a person in and call a member tool: the official MCP
// clients with each kind of client_id, and oauth4webapi.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as oauth from 'oauth4webapi';
import { openBrowser, signIn } from '../support/browser.ts';
import { unique } from '../support/make/make.ts';
import { makeClient, makeOAuthTenant, startOAuthServer } from '../support/make/make-oauth.ts';
import { makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startOpenIdProvider } from '../support/peers/openid-provider.ts';

const clock = { now: Date.now };
const peer = await startOpenIdProvider({ now: () => clock.now() });
const customer = await startCustomer();
const server = await startOAuthServer([peer, customer], { TOOLGATE_DYNAMIC_REGISTRATION: 'on' });
clock.now = () => server.app.now();
after(() => Promise.all([peer.close(), customer.close()]));

const REDIRECT = 'http://127.0.0.1:41999/callback';
const tenant = await makeOAuthTenant(server, peer, { provider: { permissions: ['read'] } });
const url = new URL(`${server.url}/api/v1/mcp/${tenant.id}`);
const registered = await makeClient(server, tenant.id, {
  redirect_uris: ['http://127.0.0.1/callback'],
  is_public: true,
});
await makeTool(server, tenant.keys.write, customer, {
  name: 'my_orders',
  method: 'GET',
  endpoint_path: '/members/{{member_id}}/orders',
  require_member: true,
});
customer.respond('*', ({ path }) => ({ body: { path } }));
customer.respond('/client.json', {
  body: { client_id: `${customer.url}/client.json`, client_name: 'Desk', redirect_uris: [REDIRECT] },
});
beforeEach(() => {
  peer.reset();
  peer.setUser({ sub: unique('alice') });
  server.advance(3_600_001);
});

/** What the official clients keep between the steps. `go` is the browser of the person. */
function makeAuthProvider(known: { clientMetadataUrl?: string; client_id?: string }) {
  const kept: { tokens?: any; client?: any; verifier?: string; discovery?: any; callback?: URL } = {};
  const browser = openBrowser(server);
  if (known.client_id) kept.client = { client_id: known.client_id, issuer: server.app.config.public_url };
  const provider = {
    redirectUrl: REDIRECT,
    ...(known.clientMetadataUrl ? { clientMetadataUrl: known.clientMetadataUrl } : {}),
    clientMetadata: { client_name: 'Desk', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' },
    state: () => 'state-of-the-client',
    clientInformation: () => kept.client,
    saveClientInformation: (client: any) => {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens: any) => {
      kept.tokens = tokens;
    },
    discoveryState: () => kept.discovery,
    saveDiscoveryState: (discovery: any) => {
      kept.discovery = discovery;
    },
    saveCodeVerifier: (verifier: string) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier ?? '',
    async redirectToAuthorization(to: URL) {
      const { location, text } = await signIn(browser, peer, to.href);
      kept.callback = new URL(location ?? assert.fail(text));
      assert.equal(kept.callback.origin + kept.callback.pathname, REDIRECT);
      assert.equal(kept.callback.searchParams.get('state'), 'state-of-the-client');
    },
  };
  return { kept, provider };
}

type Auth = ReturnType<typeof makeAuthProvider>;
type Connected = {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments: object }): Promise<unknown>;
  close(): Promise<void>;
};

async function connectV1({ kept, provider }: Auth): Promise<Connected> {
  const open = () => new TransportV1(url, { authProvider: provider as never });
  const first = open();
  await assert.rejects(new ClientV1({ name: 'test', version: '1' }).connect(first as never), /Unauthorized/);
  await first.finishAuth(kept.callback?.searchParams.get('code') ?? '');
  const client = new ClientV1({ name: 'test', version: '1' });
  await client.connect(open() as never);
  return client as never;
}

const connectV2 =
  (mode?: 'auto') =>
  async ({ kept, provider }: Auth): Promise<Connected> => {
    const open = () => new TransportV2(url, { authProvider: provider as never });
    const make = () => new ClientV2({ name: 'test', version: '1' }, mode ? { versionNegotiation: { mode } } : {});
    const first = open();
    await assert.rejects(make().connect(first), /Unauthorized/);
    // With the whole callback the client also checks `iss` (RFC 9207).
    await first.finishAuth(kept.callback?.searchParams ?? new URLSearchParams());
    const client = make();
    await client.connect(open());
    return client as never;
  };

const clients = { v1: connectV1, v2: connectV2(), 'v2 in auto mode': connectV2('auto') };
const identities = {
  'a client id metadata document': { clientMetadataUrl: `${customer.url}/client.json` },
  'a registered client': { client_id: registered.client_id },
  'dynamic registration': {},
};

for (const [name, connect] of Object.entries(clients)) {
  for (const [kind, known] of Object.entries(identities)) {
    test(`the official client ${name} connects by URL alone, with ${kind}`, async () => {
      const sub = unique('person');
      peer.setUser({ sub });
      const auth = makeAuthProvider(known);
      const client = await connect(auth);
      assert.deepEqual(
        (await client.listTools()).tools.map((tool) => tool.name),
        ['my_orders'],
      );
      const call = async () => JSON.stringify(await client.callTool({ name: 'my_orders', arguments: {} }));
      assert.match(await call(), new RegExp(`members/oidc%3A${sub}/orders`));
      const { access_token } = auth.kept.tokens;
      // The client refreshes on its own.
      delete auth.kept.callback;
      server.advance(900_001);
      assert.match(await call(), new RegExp(sub));
      assert.notEqual(auth.kept.tokens.access_token, access_token);
      assert.equal(auth.kept.callback, undefined);
      await client.close();
    });
  }
}

test('oauth4webapi discovers, signs in with PKCE, validates the response with iss, redeems, introspects, refreshes and revokes', async () => {
  const insecure = { [oauth.allowInsecureRequests]: true };
  const resource = await oauth.processResourceDiscoveryResponse(
    url,
    await oauth.resourceDiscoveryRequest(url, insecure),
  );
  const issuer = new URL(resource.authorization_servers?.[0] ?? '');
  const found = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' });
  const as = await oauth.processDiscoveryResponse(issuer, found);
  const { client_id, client_secret } = await makeClient(server, tenant.id, { redirect_uris: [REDIRECT] });
  for (const authentication of [oauth.ClientSecretBasic(client_secret), oauth.ClientSecretPost(client_secret)]) {
    const client = { client_id };
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const to = new URL(as.authorization_endpoint ?? '');
    to.search = new URLSearchParams({
      client_id,
      redirect_uri: REDIRECT,
      response_type: 'code',
      scope: 'mcp read',
      state,
      resource: resource.resource,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString();
    const { location } = await signIn(openBrowser(server), peer, to.href);
    const callback = oauth.validateAuthResponse(as, client, new URL(location ?? ''), state);
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      authentication,
      callback,
      REDIRECT,
      verifier,
      insecure,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, response);
    assert.equal(tokens.scope, 'mcp read');
    const asked = await oauth.introspectionRequest(as, client, authentication, tokens.access_token, insecure);
    const about = await oauth.processIntrospectionResponse(as, client, asked);
    assert.deepEqual([about.active, about.aud], [true, resource.resource]);
    const refreshed = await oauth.processRefreshTokenResponse(
      as,
      client,
      await oauth.refreshTokenGrantRequest(as, client, authentication, tokens.refresh_token ?? '', insecure),
    );
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(as, client, authentication, refreshed.refresh_token ?? '', insecure),
    );
    const { status } = await server.api('GET', '/projects', { key: refreshed.access_token });
    assert.equal(status, 401);
  }
});
