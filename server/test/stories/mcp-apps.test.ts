// Views of tools of MCP servers (MCP Apps): read at sync, reviewed and pinned like definitions, and served to hosts at the MCP endpoint.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { App } from '@modelcontextprotocol/ext-apps';
import { AppBridge, getToolUiResourceUri } from '@modelcontextprotocol/ext-apps/app-bridge';
import {
  EXTENSION_ID,
  getUiCapability,
  RESOURCE_MIME_TYPE,
  registerAppResource,
  registerAppTool,
} from '@modelcontextprotocol/ext-apps/server';
import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { expectResponse, makeKey, makeTenant } from '../support/make/make.ts';
import { mcpServersOf } from '../support/make/make-mcp-server.ts';
import { makeToolset } from '../support/make/make-toolset.ts';
import { echoTool, startMcpUpstream } from '../support/peers/mcp-upstream.ts';
import { startServer } from '../support/servers/start-server.ts';

/** With the official helpers: like others, it has no view for a client that does not declare the extension. */
function ordersServer(): McpServer {
  const server = new McpServer({ name: 'orders', version: '1' }, { capabilities: { tools: {}, resources: {} } });
  const meta = { ui: { resourceUri: 'ui://orders/table.html' } };
  registerAppTool(
    server,
    'find_orders',
    { description: 'Finds orders', inputSchema: z.object({ text: z.string() }), _meta: meta },
    async ({ text }: { text: string }, context: any) => ({
      content: [
        { type: 'text' as const, text: `${text} ${getUiCapability(context.client?.capabilities) !== undefined}` },
      ],
      structuredContent: { orders: [text] },
    }),
  );
  const appOnly = { ui: { resourceUri: 'ui://orders/table.html', visibility: ['app' as const] } };
  registerAppTool(
    server,
    'order_details',
    { description: 'Details of orders', inputSchema: z.object({ id: z.string() }), _meta: appOnly },
    async ({ id }: { id: string }) => ({ content: [{ type: 'text' as const, text: `details of ${id}` }] }),
  );
  registerAppResource(
    server,
    'Orders',
    'ui://orders/table.html',
    {
      _meta: {
        ui: { csp: { connectDomains: ['https://api.example.com', 'wss://live.example.com'] }, prefersBorder: true },
      },
    },
    async () => ({
      contents: [{ uri: 'ui://orders/table.html', mimeType: RESOURCE_MIME_TYPE, text: '<p>orders</p>' }],
    }),
  );
  return server;
}

const upstreams = { modern: await startMcpUpstream('modern'), legacy: await startMcpUpstream('legacy') };
const official = await startMcpUpstream('modern', [], undefined, ordersServer);
const all = [...Object.values(upstreams), official];
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: all.map(({ address }) => address).join(',') });
after(() => Promise.all(all.map((each) => each.close())));

const URI = 'ui://up/view.html';
const withView = (name = 'show', ui: object = { resourceUri: URI }) => echoTool(name, { _meta: { ui } });
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const html = (text: string, ui: object = {}) => ({ [URI]: { content: { text, _meta: { ui } } } });

async function newServers() {
  const tenant = await makeTenant(server);
  return { tenant, servers: mcpServersOf(server, tenant) };
}

type Mode = 'modern' | 'legacy';

async function connect(token: string, mode: Mode = 'modern'): Promise<Client> {
  const host = { name: 'host', version: '1' };
  const client = new Client(host, mode === 'modern' ? { versionNegotiation: { mode: 'auto' } } : {});
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${server.url}/api/v1/mcp`), { requestInit: { headers } }),
  );
  after(() => client.close());
  return client;
}

async function textOf(client: Client, uri: string): Promise<{ text: string; meta: any }> {
  const { contents } = await client.readResource({ uri });
  const [content] = contents as any[];
  assert.equal(contents.length, 1);
  assert.equal(content.uri, uri);
  assert.equal(content.mimeType, RESOURCE_MIME_TYPE);
  return { text: content.text, meta: content._meta };
}

const uriIn = async (client: Client, name: string): Promise<string> => {
  const tool = (await client.listTools()).tools.find((each) => each.name === name);
  return getToolUiResourceUri(tool as object) ?? '';
};

const isUnknown = (error: any) =>
  [-32602, -32002].includes(error.code) && /Unknown resource|not found/i.test(error.message);

describe('a host', () => {
  test('gets the view of an official server, shows it, and the view calls tools through toolgate', async () => {
    const { tenant, servers } = await newServers();
    const made = await servers.ready(official);
    const client = await connect(tenant.keys.read);
    assert.ok(client.getServerCapabilities()?.resources);
    assert.ok(client.getServerCapabilities()?.extensions?.[EXTENSION_ID]);
    const uri = await uriIn(client, `${made.slug}_find_orders`);
    assert.match(uri, new RegExp(`^ui://${made.slug}/find_orders/[0-9a-f]{12}$`));
    assert.deepEqual(await textOf(client, uri), {
      text: '<p>orders</p>',
      meta: {
        ui: {
          csp: { connectDomains: ['https://api.example.com', 'wss://live.example.com'], resourceDomains: [] },
          prefersBorder: true,
        },
      },
    });

    const bridge = new AppBridge(client, { name: 'host', version: '1' }, { serverTools: {} });
    const app = new App({ name: 'view', version: '1' }, {}, { autoResize: false });
    const [ofView, ofHost] = InMemoryTransport.createLinkedPair();
    await bridge.connect(ofHost);
    await app.connect(ofView);
    const called = await app.callServerTool({ name: `${made.slug}_order_details`, arguments: { id: '7' } });
    assert.deepEqual(called.content, [{ type: 'text', text: 'details of 7' }]);
  });

  test('that lists tools learns who may call each, and a search finds none that only views call', async () => {
    const { tenant, servers } = await newServers();
    const made = await servers.ready(official);
    const listed = (await (await connect(tenant.keys.read)).listTools()).tools as any[];
    const [details, find] = listed.toSorted((a, b) => b.name.localeCompare(a.name));
    assert.deepEqual(details._meta.ui.visibility, ['app']);
    assert.deepEqual(find._meta.ui.visibility, ['model', 'app']);
    assert.equal(find._meta['ui/resourceUri'], find._meta.ui.resourceUri);
    const ids = await Promise.all(listed.map(async ({ name }) => (await servers.tool(name)).id));
    const toolset = await makeToolset(server, tenant.id, { tool_ids: ids, exposure: 'search' });
    const { key } = await makeKey(server, tenant.id, ['read'], { toolset_ids: [toolset.id] });
    const searching = await connect(key);
    const found = (await searching.callTool({
      name: 'search_tools',
      arguments: { query: 'orders details', limit: 10 },
    })) as any;
    assert.deepEqual(
      found.structuredContent.tools.map(({ name }: any) => name),
      [`${made.slug}_find_orders`],
    );
    // It still renders what it finds.
    assert.equal((await textOf(searching, find._meta.ui.resourceUri)).text, '<p>orders</p>');
  });

  for (const mode of ['modern', 'legacy'] as const)
    test(`of the ${mode} protocol reads exactly the views of the tools that it can call`, async () => {
      const { tenant, servers } = await newServers();
      const other = await newServers();
      const { modern: upstream } = upstreams;
      upstream.set([withView('one'), withView('two'), echoTool('plain')]);
      upstream.setViews(html('<b>one</b>'));
      const made = await servers.ready(upstream);
      const { id } = await servers.tool(`${made.slug}_one`);
      const toolset = await makeToolset(server, tenant.id, { tool_ids: [id] });
      const { key } = await makeKey(server, tenant.id, ['read'], { toolset_ids: [toolset.id] });
      const [everything, narrowed, foreign] = [
        await connect(tenant.keys.read, mode),
        await connect(key, mode),
        await connect(other.tenant.keys.read, mode),
      ];
      const [one, two] = [await uriIn(everything, `${made.slug}_one`), await uriIn(everything, `${made.slug}_two`)];
      const urisOf = async (client: Client) => (await client.listResources()).resources.map(({ uri }) => uri);
      assert.deepEqual(await urisOf(everything), [one, two]);
      assert.deepEqual(await urisOf(narrowed), [one]);
      assert.deepEqual(await urisOf(foreign), []);
      assert.deepEqual((await narrowed.listResourceTemplates()).resourceTemplates, []);
      assert.equal((await textOf(narrowed, one)).text, '<b>one</b>');
      // With the hash of a view that was approved before.
      assert.equal((await textOf(narrowed, one.replace(/.{12}$/, '0123456789ab'))).text, '<b>one</b>');
      await assert.rejects(narrowed.readResource({ uri: two }), isUnknown);
      for (const uri of [one, 'ui://toolgate/viw_1/0123456789ab', `${one}0`, 'file:///etc/passwd'])
        await assert.rejects(foreign.readResource({ uri }), isUnknown, uri);
      const disable = { key: tenant.keys.admin, body: { is_enabled: false } };
      expectResponse(await server.api('PATCH', `/custom-tools/${id}`, disable), 200);
      await assert.rejects(everything.readResource({ uri: one }), isUnknown);
    });
});

describe('the review', () => {
  for (const [era, upstream] of Object.entries(upstreams))
    test(`of a ${era} server shows a changed view, which waits while the approved one is served`, async () => {
      const { tenant, servers } = await newServers();
      upstream.set([withView()]);
      const asked = { frameDomains: ['https://frame.example.com'], resourceDomains: ['https://*.cdn.example.com'] };
      upstream.setViews(html('<p>1</p>', { csp: asked, permissions: { camera: {} }, domain: 'x.example.com' }));
      const made = await servers.make(upstream);
      await servers.sync(made.id);
      const [first] = await servers.pending(made.id);
      assert.deepEqual(first.view, {
        uri: URI,
        sha256: sha256('<p>1</p>'),
        size: 8,
        csp: { connect_domains: [], resource_domains: ['https://*.cdn.example.com'] },
        prefers_border: null,
        dropped: {
          frameDomains: ['https://frame.example.com'],
          permissions: { camera: {} },
          domain: 'x.example.com',
        },
        problem: null,
      });
      assert.equal(first.approved_view, null);
      await servers.approve(made.id);
      const client = await connect(tenant.keys.read);
      const name = `${made.slug}_show`;
      const uri = await uriIn(client, name);
      assert.deepEqual(Object.keys((await textOf(client, uri)).meta.ui.csp), ['connectDomains', 'resourceDomains']);

      upstream.setViews(html('<p>2</p>', { csp: asked }));
      assert.equal((await servers.sync(made.id)).pending_count, 1);
      const [changed] = await servers.pending(made.id);
      assert.equal(changed.kind, 'changed');
      assert.deepEqual([changed.approved_view.sha256, changed.view.sha256], [sha256('<p>1</p>'), sha256('<p>2</p>')]);
      const read = async (hash: string, key = tenant.keys.read) =>
        server.api('GET', `${servers.path}/${made.id}/view?sha256=${hash}`, { key });
      assert.equal(expectResponse(await read(changed.view.sha256), 200).html, '<p>2</p>');
      assert.equal(expectResponse(await read(changed.approved_view.sha256), 200).html, '<p>1</p>');
      expectResponse(await read('0'.repeat(64)), 404);
      assert.equal((await textOf(client, uri)).text, '<p>1</p>');
      assert.equal(await uriIn(client, name), uri);

      const before = await servers.tool(name);
      await servers.approve(made.id, { tool_names: ['show'], hashes: { show: changed.hash } });
      const now = await uriIn(client, name);
      assert.notEqual(now, uri);
      for (const each of [uri, now]) assert.equal((await textOf(client, each)).text, '<p>2</p>');
      const tool = await servers.tool(name);
      assert.equal(tool.version, before.version + 1);
      assert.equal(tool.source.view.sha256, sha256('<p>2</p>'));
      const tools = expectResponse(
        await server.api('GET', `${servers.path}/${made.id}/tools`, { key: tenant.keys.read }),
        200,
      );
      assert.equal(tools.data[0].view.sha256, sha256('<p>2</p>'));
    });

  test('of a rejected view does not come back, and the approved one stays', async () => {
    const { tenant, servers } = await newServers();
    const { modern: upstream } = upstreams;
    upstream.set([withView()]);
    upstream.setViews(html('good'));
    const made = await servers.ready(upstream);
    upstream.setViews(html('bad'));
    await servers.sync(made.id);
    await servers.reject(made.id, 'all');
    assert.equal((await servers.sync(made.id)).pending_count, 0);
    const client = await connect(tenant.keys.read);
    assert.equal((await textOf(client, await uriIn(client, `${made.slug}_show`))).text, 'good');
  });

  test('names what keeps a view from being used, and the tool can be approved without it', async () => {
    const { tenant, servers } = await newServers();
    const { modern: upstream } = upstreams;
    const csp = (connectDomains: unknown, resourceDomains: unknown = []) => ({
      content: { text: 'x', _meta: { ui: { csp: { connectDomains, resourceDomains } } } },
    });
    const refused: Record<string, [problem: string, view: { content: object } | null]> = {
      missing: ['not_readable', null],
      text: ['not_html', { content: { text: 'x', mimeType: 'text/html' } }],
      large: ['too_large', { content: { text: 'ü'.repeat(2 ** 20 + 1) } }],
      http: ['origin_not_allowed', csp(['http://example.com'])],
      star: ['origin_not_allowed', csp(['*'])],
      injected: ['origin_not_allowed', csp(["https://a.example.com; script-src 'unsafe-eval'"])],
      socket: ['origin_not_allowed', csp([], ['wss://example.com'])],
      path: ['origin_not_allowed', csp([], ['https://example.com/a'])],
    };
    const uriOf = (name: string) => `ui://up/${name}`;
    const entries = Object.entries(refused);
    upstream.set(entries.map(([name]) => withView(name, { resourceUri: uriOf(name) })));
    upstream.setViews(Object.fromEntries(entries.flatMap(([name, [, view]]) => (view ? [[uriOf(name), view]] : []))));
    const made = await servers.make(upstream);
    await servers.sync(made.id);
    for (const { upstream_name, view, warnings } of await servers.pending(made.id)) {
      assert.equal(view.problem, refused[upstream_name]?.[0], upstream_name);
      assert.equal(view.sha256, null);
      assert.deepEqual(
        warnings,
        [{ code: 'view_not_supported', path: '/_meta/toolgate~1view/problem' }],
        upstream_name,
      );
    }
    await servers.approve(made.id);
    const client = await connect(tenant.keys.read);
    assert.deepEqual((await client.listResources()).resources, []);
    for (const { _meta } of (await client.listTools()).tools as any[]) assert.equal(_meta.ui, undefined);
  });

  test('takes a view of 2 MiB and nothing that a server says about the pin itself, and redacts its credential', async () => {
    const { tenant, servers } = await newServers();
    const { modern: upstream } = upstreams;
    const forged = { uri: 'x', sha256: '0'.repeat(64), size: 1, csp: { connect_domains: ['*'], resource_domains: [] } };
    const plain = echoTool('plain', { _meta: { 'toolgate/view': forged } });
    upstream.set([withView('large'), withView('older', {}), plain]);
    upstream.set([withView('large'), echoTool('older', { _meta: { 'ui/resourceUri': 'ui://up/older' } }), plain]);
    const large = 'x'.repeat(2 * 2 ** 20);
    upstream.setViews({
      ...html(large),
      'ui://up/older': { content: { blob: Buffer.from('s3cret-token!').toString('base64') } },
    });
    const made = await servers.ready(upstream, {
      auth_strategy: 'bearer_token',
      encrypted_auth_secret: 's3cret-token',
    });
    const client = await connect(tenant.keys.read);
    assert.equal((await textOf(client, await uriIn(client, `${made.slug}_large`))).text, large);
    assert.equal((await textOf(client, await uriIn(client, `${made.slug}_older`))).text, '[redacted]!');
    assert.equal(await uriIn(client, `${made.slug}_plain`), '');
  });
});

test('the slug toolgate is reserved', async () => {
  const { servers, tenant } = await newServers();
  const body = { slug: 'toolgate', name: 'x', url: official.url };
  const refused = await server.api('POST', servers.path, { key: tenant.keys.write, body });
  assert.equal(expectResponse(refused, 422).error.details.field, 'slug');
});
