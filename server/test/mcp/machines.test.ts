// Machines with the official MCP clients: client_credentials with a secret and with a key, from nothing but the URL of the endpoint.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, test } from 'node:test';
import {
  Client as ClientV2,
  ClientCredentialsProvider as CredentialsV2,
  PrivateKeyJwtProvider as KeyV2,
  StreamableHTTPClientTransport as TransportV2,
} from '@modelcontextprotocol/client';
import {
  ClientCredentialsProvider as CredentialsV1,
  PrivateKeyJwtProvider as KeyV1,
} from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { makeTenant } from '../support/make/make.ts';
import { makeClient, startOAuthServer } from '../support/make/make-oauth.ts';
import { makeTool } from '../support/make/make-tools.ts';
import { makeToolset } from '../support/make/make-toolset.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';

const customer = await startCustomer();
const server = await startOAuthServer([customer]);
after(() => customer.close());
customer.respond('*', { body: { ok: true } });
const tenant = await makeTenant(server);
await makeTool(server, tenant.keys.write, customer, { name: 'run_report', tags: ['reports'] });
await makeTool(server, tenant.keys.write, customer, { name: 'my_orders', require_member: true });
await makeToolset(server, tenant.id, { slug: 'reports', tags: ['reports'] });

const machine = { redirect_uris: [], grant_types: ['client_credentials'] };
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const privateKey = String(ec.privateKey.export({ type: 'pkcs8', format: 'pem' }));
const bySecret = await makeClient(server, tenant.id, machine);
const byKey = await makeClient(server, tenant.id, {
  ...machine,
  jwks: { keys: [ec.publicKey.export({ format: 'jwk' })] },
});
const expectedIssuer = server.app.config.public_url;
const secret = { clientId: bySecret.client_id, clientSecret: bySecret.client_secret, expectedIssuer };
const key = { clientId: byKey.client_id, privateKey, algorithm: 'ES256', expectedIssuer };

type Connected = {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments: object }): Promise<unknown>;
  close(): Promise<void>;
};

async function connectV1(url: URL, authProvider: unknown): Promise<Connected> {
  const client = new ClientV1({ name: 'machine', version: '1' });
  await client.connect(new TransportV1(url, { authProvider: authProvider as never }) as never);
  return client as never;
}

async function connectV2(url: URL, authProvider: unknown): Promise<Connected> {
  const client = new ClientV2({ name: 'machine', version: '1' });
  await client.connect(new TransportV2(url, { authProvider: authProvider as never }));
  return client as never;
}

const cases = {
  'v1 with a secret': () => [connectV1, new CredentialsV1(secret)] as const,
  'v1 with a key': () => [connectV1, new KeyV1(key)] as const,
  'v2 with a secret': () => [connectV2, new CredentialsV2(secret)] as const,
  'v2 with a key': () => [connectV2, new KeyV2(key)] as const,
};

for (const [name, make] of Object.entries(cases))
  for (const path of ['/api/v1/mcp', `/api/v1/mcp/${tenant.id}`, `/api/v1/mcp/${tenant.id}/toolsets/reports`])
    test(`the official client ${name} connects to ${path.replace(tenant.id, '{project}')} by URL alone`, async () => {
      const [connect, provider] = make();
      const client = await connect(new URL(`${server.url}${path}`), provider);
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map((tool) => tool.name),
        ['run_report'],
      );
      assert.match(JSON.stringify(await client.callTool({ name: 'run_report', arguments: {} })), /ok/);
      await client.close();
    });
