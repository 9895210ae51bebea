// MCP servers that others published, as sources of tools: what a model gets through toolgate is what the official client gets from them.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { makeTenant } from '../support/make/make.ts';
import { mcpServersOf } from '../support/make/make-mcp-server.ts';
import { testAuthority } from '../support/peers/fake-customer.ts';
import { freePort, listenOnFreePort } from '../support/servers/free-port.ts';
import { startServer } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolgate-real-servers-')));
const children: ChildProcess[] = [];
after(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const { resolve } = createRequire(import.meta.url);
const inPackage = (name: string, path: string) => join(dirname(resolve(`${name}/package.json`)), path);
const everything = inPackage('@modelcontextprotocol/server-everything', 'dist/index.js');
const memory = inPackage('@modelcontextprotocol/server-memory', 'dist/index.js');
const filesystem = inPackage('@modelcontextprotocol/server-filesystem', 'dist/index.js');
/** A bridge: servers that speak over pipes get an HTTP endpoint. */
const bridge = inPackage('mcp-proxy', 'dist/bin/mcp-proxy.mjs');

type Call = [tool: string, given?: object];
type Published = {
  start(directory: string, port: number): { arguments: string[]; environment?: Record<string, string> };
  calls(directory: string): Call[];
};

const bridged = (port: number, command: string[]) => [
  ...[bridge, '--host', '127.0.0.1', '--port', String(port), '--server', 'stream', '--'],
  ...[process.execPath, ...command],
];

const servers: Record<string, Published> = {
  everything: {
    start: (_, port) => ({ arguments: [everything, 'streamableHttp'], environment: { PORT: String(port) } }),
    calls: () => [
      ['echo', { message: 'ü' }],
      ['get-annotated-message', { messageType: 'error', includeImage: true }],
      ['get-env'],
      ['get-resource-links', { count: 3 }],
      ['get-resource-reference', { resourceType: 'Text', resourceId: 1 }],
      ['get-structured-content', { location: 'Chicago' }],
      ['get-sum', { a: 1, b: 2 }],
      ['get-tiny-image'],
      ['gzip-file-as-resource', { name: 'a.gz', data: 'data:text/plain,hello', outputType: 'resource' }],
      ['trigger-long-running-operation', { duration: 0.1, steps: 2 }],
    ],
  },
  memory: {
    start: (directory, port) => ({
      arguments: bridged(port, [memory]),
      environment: { MEMORY_FILE_PATH: join(directory, 'memory.jsonl') },
    }),
    calls: () => [
      ['create_entities', { entities: [{ name: 'a', entityType: 'thing', observations: ['red'] }] }],
      ['create_entities', { entities: [{ name: 'b', entityType: 'thing', observations: [] }] }],
      ['create_relations', { relations: [{ from: 'a', to: 'b', relationType: 'knows' }] }],
      ['add_observations', { observations: [{ entityName: 'a', contents: ['round'] }] }],
      ['add_observations', { observations: [{ entityName: 'missing', contents: ['x'] }] }],
      ['read_graph'],
      ['search_nodes', { query: 'red' }],
      ['open_nodes', { names: ['b'] }],
      ['delete_observations', { deletions: [{ entityName: 'a', observations: ['red'] }] }],
      ['delete_relations', { relations: [{ from: 'a', to: 'b', relationType: 'knows' }] }],
      ['delete_entities', { entityNames: ['a'] }],
      ['read_graph'],
    ],
  },
  filesystem: {
    start: (directory, port) => ({ arguments: bridged(port, [filesystem, directory]) }),
    calls: (directory) => {
      const path = (name: string) => join(directory, name);
      return [
        ['write_file', { path: path('a.txt'), content: 'one\ntwo\n' }],
        ['read_file', { path: path('a.txt') }],
        ['read_text_file', { path: path('a.txt'), head: 1 }],
        ['read_media_file', { path: path('image.png') }],
        ['read_multiple_files', { paths: [path('a.txt'), path('missing.txt')] }],
        ['edit_file', { path: path('a.txt'), edits: [{ oldText: 'two', newText: 'three' }], dryRun: false }],
        ['create_directory', { path: path('inside') }],
        ['move_file', { source: path('a.txt'), destination: path('inside/a.txt') }],
        ['list_directory', { path: directory }],
        ['list_directory_with_sizes', { path: path('inside') }],
        ['directory_tree', { path: directory }],
        ['search_files', { path: directory, pattern: '**/*.txt' }],
        ['get_file_info', { path: path('inside/a.txt') }],
        ['list_allowed_directories'],
        ['read_file', { path: '/etc/passwd' }],
      ];
    },
  },
};

/** What depends on the session or on a task, so that a single call has no comparable result. */
const NOT_CALLED = ['toggle-simulated-logging', 'toggle-subscriber-updates', 'simulate-research-query'];

async function startPublished(published: Published, name: string) {
  const directory = join(folder, name);
  mkdirSync(directory);
  writeFileSync(join(directory, 'image.png'), Buffer.from('89504e470d0a1a0a', 'hex'));
  const port = await freePort();
  const { arguments: given, environment = {} } = published.start(directory, port);
  const env = { PATH: '/usr/bin', ...environment };
  children.push(spawn(process.execPath, given, { cwd: directory, env, stdio: 'ignore' }));
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  const connect = async () => {
    const client = new Client({ name: 'official', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(url) as Transport);
    return client;
  };
  let direct: Client | undefined;
  const isReady = async () => {
    direct ??= await connect();
    return true;
  };
  await waitUntil(isReady, 60_000, `${name} serves`);
  return { directory, port, direct: direct as unknown as Client };
}

/** TLS before a server that speaks plain HTTP. */
async function startTls(port: number) {
  const front = createServer(testAuthority.issue(['localhost']), (incoming, response) => {
    const { method, url: path, headers } = incoming;
    const options = { host: '127.0.0.1', port, method, path, headers: { ...headers, host: `127.0.0.1:${port}` } };
    const forwarded = request(options, (upstream) => {
      response.writeHead(upstream.statusCode ?? 502, upstream.headers);
      upstream.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    response.once('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  const listening = await listenOnFreePort(front);
  after(() => {
    front.closeAllConnections();
    front.close();
  });
  return { url: `https://127.0.0.1:${listening}/mcp`, address: `127.0.0.1:${listening}` };
}

/** Without what differs between two of the same servers: where they are, and when a file was made. */
function comparable(
  { content, structuredContent, isError }: any,
  { directory, port }: { directory: string; port: number },
) {
  const text = JSON.stringify({ content, structuredContent, isError: isError === true })
    .replaceAll(directory, 'DIRECTORY')
    .replaceAll(String(port), 'PORT')
    .replaceAll(/(created|modified|accessed): [^\\]+/g, '$1: TIME');
  return JSON.parse(text);
}

for (const [name, published] of Object.entries(servers))
  test(`the tools of ${name} answer through toolgate as they do to the official client`, async () => {
    const [own, other] = [
      await startPublished(published, `${name}-behind`),
      await startPublished(published, `${name}-direct`),
    ];
    const front = await startTls(own.port);
    const server = await startServer({ TOOLGATE_EGRESS_ALLOW: front.address });
    const tenant = await makeTenant(server);
    const api = mcpServersOf(server, tenant);
    const made = await api.make(front, { slug: 'real' });
    const { tools } = await own.direct.listTools();
    assert.equal((await api.sync(made.id)).pending_count, tools.length);
    await api.approve(made.id);
    const client = new Client({ name: 'through', version: '1' });
    const headers = { authorization: `Bearer ${tenant.keys.read}` };
    const endpoint = new URL(`${server.url}/api/v1/mcp`);
    await client.connect(new StreamableHTTPClientTransport(endpoint, { requestInit: { headers } }) as Transport);
    const listed = (await client.listTools()).tools;
    assert.deepEqual(
      listed.map(({ name, inputSchema }) => [name, inputSchema]).sort(),
      tools.map(({ name, inputSchema }) => [`real_${name}`, inputSchema]).sort(),
    );
    const called = new Set<string>();
    for (const [[tool, given = {}], [, same = {}]] of published
      .calls(own.directory)
      .map((call, index) => [call, published.calls(other.directory)[index] as Call] as const)) {
      called.add(tool);
      const through = await client.callTool({ name: `real_${tool}`, arguments: given as any });
      const direct = await other.direct.callTool({ name: tool, arguments: same as any });
      assert.deepEqual(comparable(through, own), comparable(direct, other), tool);
    }
    const missed = tools.map(({ name }) => name).filter((tool) => !called.has(tool) && !NOT_CALLED.includes(tool));
    assert.deepEqual(missed, []);
    for (const each of [client, own.direct, other.direct]) await each.close();
  });
