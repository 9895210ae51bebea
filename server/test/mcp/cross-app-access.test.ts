// Managed authorization with the official MCP client: it gets an ID token and an ID-JAG from the company's identity provider, and exchanges
// it here, from nothing but the URL of the endpoint.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  Client,
  CrossAppAccessProvider,
  requestJwtAuthorizationGrant,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { makeOAuthTenant, startOAuthServer } from '../support/make/make-oauth.ts';
import { makeTool } from '../support/make/make-tools.ts';
import { startCustomer, testAuthority } from '../support/peers/fake-customer.ts';
import { startOpenIdProvider } from '../support/peers/openid-provider.ts';
import { fetchWith } from '../support/requests/trusting-fetch.ts';

const peer = await startOpenIdProvider();
const customer = await startCustomer();
const server = await startOAuthServer([peer, customer]);
after(() => Promise.all([peer.close(), customer.close()]));
const tenant = await makeOAuthTenant(server, peer, { provider: { accepts_id_jag: true } });
customer.respond('*', ({ path }) => ({ body: { path } }));
await makeTool(server, tenant.keys.write, customer, {
  name: 'my_orders',
  endpoint_path: '/members/{{member_id}}/orders',
  require_member: true,
});

for (const path of ['/api/v1/mcp', `/api/v1/mcp/${tenant.id}`])
  test(`the official client acts for a person of a company at ${path.replace(tenant.id, '{project}')}`, async () => {
    const { client_id, client_secret } = tenant.client;
    const authProvider = new CrossAppAccessProvider({
      clientId: client_id,
      clientSecret: client_secret,
      expectedIssuer: server.app.config.public_url,
      assertion: async ({ authorizationServerUrl, resourceUrl, scope }) => {
        const { jwtAuthGrant } = await requestJwtAuthorizationGrant({
          tokenEndpoint: `${peer.url}/token`,
          audience: authorizationServerUrl,
          resource: resourceUrl,
          idToken: await peer.idTokenFor('staff-1', client_id),
          clientId: client_id,
          scope: scope ?? 'mcp',
          fetchFn: fetchWith(testAuthority.certificate),
        });
        return jwtAuthGrant;
      },
    });
    const client = new Client({ name: 'desk', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}${path}`), { authProvider }));
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map((tool) => tool.name),
      ['my_orders'],
    );
    assert.match(JSON.stringify(await client.callTool({ name: 'my_orders', arguments: {} })), /oidc%3Astaff-1/);
    await client.close();
  });
