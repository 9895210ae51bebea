// Managed authorization with nothing of ours on the other side: the official MCP client, and an OpenID provider from npm at which a
// person signs in. What it issues is accepted, and what it did not mean is refused.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  Client,
  CrossAppAccessProvider,
  requestJwtAuthorizationGrant,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { makeClient, postForm, startOAuthServer } from '../support/make/make-oauth.ts';
import { makeTool } from '../support/make/make-tools.ts';
import { startCustomer, testAuthority } from '../support/peers/fake-customer.ts';
import { startNpmOpenIdProvider } from '../support/peers/npm-openid-provider.ts';
import { fetchWith } from '../support/requests/trusting-fetch.ts';
import { ROOT_KEY } from '../support/servers/start-server.ts';

const client_ids = new Map<string, string>();
const company = await startNpmOpenIdProvider(client_ids);
const customer = await startCustomer();
const server = await startOAuthServer([company, customer]);
after(() => Promise.all([company.close(), customer.close()]));
const tenant = await makeTenant(server);
const app = await makeClient(server, tenant.id, { redirect_uris: [], grant_types: [] });
client_ids.set(company.client_id, app.client_id);
const provider = expectResponse(
  await server.api('POST', `/projects/${tenant.id}/oauth-providers`, {
    key: ROOT_KEY,
    body: {
      provider: 'oidc',
      issuer: company.url,
      client_id: company.client_id,
      client_secret: company.client_secret,
      accepts_id_jag: true,
    },
  }),
  201,
);
customer.respond('*', ({ path }) => ({ body: { path } }));
await makeTool(server, tenant.keys.write, customer, {
  name: 'my_orders',
  endpoint_path: '/members/{{member_id}}/orders',
  require_member: true,
});

const idJag = async (idToken: string, audience: string, resource: string) =>
  (
    await requestJwtAuthorizationGrant({
      tokenEndpoint: `${company.url}/token`,
      audience,
      resource,
      idToken,
      clientId: company.client_id,
      clientSecret: company.client_secret,
      scope: 'mcp',
      fetchFn: fetchWith(testAuthority.certificate),
    })
  ).jwtAuthGrant;

test('the official client acts for a person who signed in at a provider from npm', async () => {
  const idToken = await company.idTokenOf('staff-7');
  const authProvider = new CrossAppAccessProvider({
    clientId: app.client_id,
    clientSecret: app.client_secret,
    expectedIssuer: server.app.config.public_url,
    assertion: ({ authorizationServerUrl, resourceUrl }) => idJag(idToken, authorizationServerUrl, resourceUrl),
  });
  const client = new Client({ name: 'desk', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/api/v1/mcp`), { authProvider }));
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map((tool) => tool.name),
    ['my_orders'],
  );
  assert.match(JSON.stringify(await client.callTool({ name: 'my_orders', arguments: {} })), /oidc%3Astaff-7/);
  await client.close();
});

test('its ID token is no ID-JAG, and an ID-JAG of it works once and only here', async () => {
  const idToken = await company.idTokenOf('staff-8');
  const exchange = (assertion: string) =>
    postForm(server, '/oauth/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion,
      client_id: app.client_id,
      client_secret: app.client_secret,
    });
  const issuer = server.app.config.public_url;
  const resource = `${issuer}/api/v1/mcp/${tenant.id}`;
  const good = await idJag(idToken, issuer, resource);
  const elsewhere = await idJag(idToken, 'https://elsewhere.example.com', resource);
  for (const assertion of [idToken, elsewhere]) {
    const refused = await exchange(assertion);
    assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_grant']);
  }
  const path = `/projects/${tenant.id}/oauth-providers/${provider.id}/debug-id-jag`;
  const debug = async (assertion: string) =>
    expectResponse(await server.api('POST', path, { key: ROOT_KEY, body: { assertion } }), 200).failed_check;
  assert.deepEqual([await debug(idToken), await debug(elsewhere), await debug(good)], ['typ', 'aud', null]);
  assert.equal((await exchange(good)).status, 200);
  assert.equal((await exchange(good)).body.error, 'invalid_grant');
});
