// Real MCP clients list and call a plain tool with an API key, and a member tool with a session token.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createMCPClient } from '@ai-sdk/mcp';
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { MCPServerStreamableHttp } from '@openai/agents-core';
import { makeMemberTenant, makeSession } from '../support/make/make-members.ts';
import { makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const tenant = await makeMemberTenant(server, { name: 'Weather desk' });
const key = tenant.integrationKey.key;
const { session_token, member } = await makeSession(server, tenant);
const url = `${server.url}/api/v1/mcp`;

// `true` and `false` are valid schemas, but no client accepts them unchanged in a list of tools.
const properties = { city: { type: 'string' }, note: true, country: false };
const city = { type: 'object', properties, required: ['city'] };
const weather = { type: 'object', properties: { celsius: { type: 'number' } }, required: ['celsius'] };
await makeTool(server, tenant.keys.write, customer, {
  name: 'get_weather',
  title: 'Weather',
  description: 'How warm it is in a city',
  endpoint_path: '/weather',
  input_schema: city,
  output_schema: weather,
});
await makeTool(server, tenant.keys.write, customer, {
  name: 'my_orders',
  description: 'The orders of the person who asks',
  method: 'GET',
  endpoint_path: '/members/{{member_id}}/orders',
  require_member: true,
});
customer.respond('/weather', { body: { celsius: 21.5 } });
customer.respond(`/members/${member.external_id}/orders`, { body: { orders: ['ord_1'] } });

/** The operations that every client has. */
type Session = {
  names(): Promise<string[]>;
  /** The whole result as text: each client returns it in a different form. */
  call(name: string, given: Record<string, unknown>): Promise<string>;
  close(): Promise<unknown>;
};

const bearer = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } });
const info = { name: 'toolgate-test', version: '1' };

/** The official clients of both major versions have the same methods. */
function officialSession(client: ClientV1 | ClientV2): Session {
  return {
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, given) => JSON.stringify(await client.callTool({ name, arguments: given })),
    close: () => client.close(),
  };
}

async function openV2(token: string, mode?: 'auto'): Promise<ClientV2> {
  const client = new ClientV2(info, mode ? { versionNegotiation: { mode } } : {});
  await client.connect(new TransportV2(new URL(url), bearer(token)));
  return client;
}

async function openV1(token: string): Promise<ClientV1> {
  const client = new ClientV1(info);
  await client.connect(new TransportV1(new URL(url), bearer(token)) as Parameters<ClientV1['connect']>[0]);
  return client;
}

async function openAiSdk(token: string): Promise<Session> {
  const headers = { authorization: `Bearer ${token}` };
  const client = await createMCPClient({ transport: { type: 'http', url, headers } });
  const tools = await client.tools();
  return {
    names: async () => Object.keys(tools),
    async call(name, given) {
      const tool = tools[name] as unknown as { execute(given: object, options: object): Promise<unknown> };
      return JSON.stringify(await tool.execute(given, { toolCallId: '1', messages: [] }));
    },
    close: () => client.close(),
  };
}

async function openAgents(token: string): Promise<Session> {
  const client = new MCPServerStreamableHttp({ url, name: 'toolgate', ...bearer(token) });
  await client.connect();
  return {
    names: async () => (await client.listTools()).map(({ name }) => name),
    call: async (name, given) => JSON.stringify(await client.callTool(name, given)),
    close: () => client.close(),
  };
}

/** The bridge for programs that use MCP servers over stdio. */
async function openRemote(token: string): Promise<Session> {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-mcp-remote-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const bridge = join(createRequire(import.meta.url).resolve('mcp-remote/package.json'), '../dist/proxy.js');
  const client = new ClientV1(info);
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [bridge, url, '--header', `Authorization: Bearer ${token}`, '--transport', 'http-only', '--allow-http'],
      env: { ...(process.env as Record<string, string>), MCP_REMOTE_CONFIG_DIR: folder },
      stderr: 'ignore',
    }),
  );
  return officialSession(client);
}

const clients: Record<string, (token: string) => Promise<Session>> = {
  'the official client v1': async (token) => officialSession(await openV1(token)),
  'the official client v2': async (token) => officialSession(await openV2(token)),
  'the official client v2 in auto mode': async (token) => officialSession(await openV2(token, 'auto')),
  '@ai-sdk/mcp': openAiSdk,
  '@openai/agents-core': openAgents,
  'mcp-remote': openRemote,
};

for (const [client, open] of Object.entries(clients)) {
  test(`${client} lists and calls a plain tool with an API key, and sees no member tool`, async () => {
    const session = await open(key);
    assert.deepEqual(await session.names(), ['get_weather']);
    const before = customer.at('/weather').length;
    assert.match(await session.call('get_weather', { city: 'Bonn' }), /21\.5/);
    const [request] = customer.at('/weather').slice(before);
    assert.equal(JSON.parse(request?.body.toString() ?? '').city, 'Bonn');
    await session.close();
  });

  test(`${client} lists and calls a member tool with a session token`, async () => {
    const session = await open(session_token);
    assert.deepEqual(await session.names(), ['get_weather', 'my_orders']);
    assert.match(await session.call('my_orders', {}), /ord_1/);
    assert.match(await session.call('get_weather', { city: 'Bonn' }), /21\.5/);
    await session.close();
  });

  test(`${client} passes the validation error of the arguments to the model`, async () => {
    const session = await open(key);
    assert.match(await session.call('get_weather', { city: 7 }), /Validation error/);
    await session.close();
  });
}

test('the official clients negotiate the newest revision that they and this server support', async () => {
  const [v1, byDefault, auto] = [await openV1(key), await openV2(key), await openV2(key, 'auto')];
  assert.equal(byDefault.getNegotiatedProtocolVersion(), '2025-11-25');
  assert.equal(auto.getNegotiatedProtocolVersion(), '2026-07-28');
  for (const client of [v1, byDefault, auto]) {
    assert.equal(client.getServerVersion()?.name, 'Weather desk');
    await client.close();
  }
});

test('the official clients accept the structured result as valid against the schema', async () => {
  for (const client of [await openV1(key), await openV2(key), await openV2(key, 'auto')]) {
    await client.listTools();
    const { structuredContent } = await client.callTool({ name: 'get_weather', arguments: { city: 'Bonn' } });
    assert.deepEqual(structuredContent, { celsius: 21.5 });
    await client.close();
  }
});

test('the official clients read the link of a file, and accept it as valid against the schema', async () => {
  const pdf = Buffer.from([0x25, 0x50, 0x44, 0x46, 0xff]);
  customer.respond('/weather', { headers: { 'content-type': 'application/pdf' }, body: pdf });
  for (const client of [await openV1(key), await openV2(key), await openV2(key, 'auto')]) {
    await client.listTools();
    const result = await client.callTool({ name: 'get_weather', arguments: { city: 'Bonn' } });
    const { content, structuredContent } = result as unknown as {
      content: { type: string; uri?: string; name?: string; mimeType?: string; size?: number }[];
      structuredContent: { file: { url: string } };
    };
    const { url: uri } = structuredContent.file;
    const link = { type: 'resource_link', uri, name: 'get_weather.pdf', mimeType: 'application/pdf', size: pdf.length };
    assert.deepEqual(content[1], link);
    const { pathname, search } = new URL(uri);
    const response = await fetch(server.url + pathname + search);
    assert.equal(response.status, 200);
    assert.ok(Buffer.from(await response.arrayBuffer()).equals(pdf));
    await client.close();
  }
  customer.respond('/weather', { body: { celsius: 21.5 } });
});

test('the official clients get 401 and 403 as HTTP statuses, with the messages of the spec', async () => {
  const hasMessage = (pattern: RegExp) => (error: Error) => pattern.test(`${error.name} ${error.message}`);
  await assert.rejects(openV1('svc_test_nonsense'), hasMessage(/Invalid or inactive API key|Unauthorized|401/));
  await assert.rejects(
    openV2('svc_test_nonsense', 'auto'),
    hasMessage(/Invalid or inactive API key|Unauthorized|401/i),
  );
  for (const client of [await openV1(key), await openV2(key), await openV2(key, 'auto')]) {
    await assert.rejects(client.callTool({ name: 'my_orders', arguments: {} }), hasMessage(/Member context required/));
    await client.close();
  }
});
