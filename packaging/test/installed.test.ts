// toolgate as a new user gets it: installed from the tarball into an empty folder, started, set up, called by a model.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { browserTest, closePage, openPage } from '../../dashboard/test/open-browser.ts';
import { expectResponse } from '../../server/test/support/make/make.ts';
import { PASSWORD } from '../../server/test/support/make/make-accounts.ts';
import { startCustomer } from '../../server/test/support/peers/fake-customer.ts';
import { writeAuthorityFile } from '../../server/test/support/peers/write-authority-file.ts';
import { call } from '../../server/test/support/requests/call-api.ts';
import { waitUntil } from '../../server/test/support/wait-until.ts';
import { builtPackages, makeFolder, pack } from './packages.ts';
import { makeUser, type Running } from './user.ts';

const customer = await startCustomer();
after(() => customer.close());
const environment = { TOOLGATE_EGRESS_ALLOW: customer.address, NODE_EXTRA_CA_CERTS: writeAuthorityFile() };
const user = makeUser();
let server: Running;
let key = '';
/** For the command line. */
let client: Record<string, string>;

before(async () => {
  user.install(pack(join(builtPackages(), 'toolgate'), makeFolder()).file);
  server = await user.start(environment);
  const root = user.read('data/root.key').trim();
  const { id } = expectResponse(await call(server.url, 'POST', '/projects', { key: root, body: { name: 'CLI' } }), 201);
  const body = { name: 'cli', permissions: ['admin'] };
  ({ key } = expectResponse(await call(server.url, 'POST', `/projects/${id}/api-keys`, { key: root, body }), 201));
  client = { TOOLGATE_URL: server.url, TOOLGATE_API_KEY: key, NODE_EXTRA_CA_CERTS: environment.NODE_EXTRA_CA_CERTS };
});

async function connect(token: string): Promise<Client> {
  const mcp = new Client({ name: 'toolgate-test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await mcp.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/api/v1/mcp`), { requestInit }));
  return mcp;
}

test('help and version need no server and no settings', async () => {
  const { version } = JSON.parse(user.read('node_modules/toolgate/package.json'));
  assert.equal((await user.succeeds(['--version'])).stdout, `${version}\n`);
  assert.match((await user.succeeds(['--help'])).stdout, /^Usage: toolgate/);
  assert.match((await user.succeeds(['start', '--help'])).stdout, /TOOLGATE_DATA_DIR/);
});

browserTest(
  'the link that the start prints sets the first account up in a browser, with a key that works',
  async () => {
    const [link = ''] = /http:\/\/\S+\/setup#token=\S+/.exec(server.output()) ?? [];
    const page = await openPage(server, link.slice(server.url.length));
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Project name').fill('Acme shop');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    const first = await page.getByLabel('Secret').inputValue();
    await page.getByRole('button', { name: 'Load the sample shop' }).click();
    await page.getByRole('table', { name: 'Custom tools' }).getByRole('link', { name: 'find_products' }).waitFor();
    await closePage(page);
    const mcp = await connect(first);
    const { content } = await mcp.callTool({ name: 'find_products', arguments: { search: 'tea' } });
    assert.match(JSON.stringify(content), /tea/i);
    await mcp.close();
  },
);

test('a tool that the command line creates is called by an MCP client, also with an answer for the thread', async () => {
  const tool = ['--name', 'get_weather', '--base-url', customer.url, '--path', '/weather', '--method', 'GET'];
  const schema = '{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}';
  await user.succeeds(
    ['tools', 'create', ...tool, '--description', 'Weather', '--set', `input_schema=${schema}`],
    client,
  );
  // The first large answer starts the thread that renders the next ones.
  const large = 'x'.repeat(200_000);
  customer.respond('/weather', { body: { celsius: 21.5, large } });
  const mcp = await connect(key);
  for (let i = 0; i < 5; i += 1) {
    const { content } = await mcp.callTool({ name: 'get_weather', arguments: { city: 'Basel' } });
    assert.ok(JSON.stringify(content).includes(large));
  }
  const { content, isError } = await mcp.callTool({ name: 'get_weather', arguments: {} });
  assert.deepEqual([isError, /city/.test(JSON.stringify(content))], [true, true]);
  await mcp.close();
});

test('tools are imported from an OpenAPI document', async () => {
  const paths = {
    '/pets': { get: { operationId: 'list_pets', summary: 'Pets', responses: { 200: { description: 'ok' } } } },
  };
  const document = { openapi: '3.1.0', info: { title: 'Pets', version: '1' }, servers: [{ url: customer.url }], paths };
  writeFileSync(join(user.folder, 'pets.json'), JSON.stringify(document));
  const { stdout } = await user.succeeds(['tools', 'import', 'pets.json', '--json'], client);
  assert.deepEqual(
    JSON.parse(stdout).created.map(({ name }: { name: string }) => name),
    ['list_pets'],
  );
});

test('doctor finds nothing wrong, beside the running server, whose port it finds in the data folder', async () => {
  await user.succeeds(['doctor'], environment);
});

test('export and apply: what was exported and applied again changes nothing', async () => {
  await user.succeeds(['export', 'project.yaml'], client);
  assert.match(user.read('project.yaml'), /name: get_weather/);
  const { stdout, stderr } = await user.succeeds(['apply', 'project.yaml'], client);
  assert.match(stdout + stderr, /nothing/i);
});

test('webhooks listen prints the events of a change', async () => {
  const listening = await user.follow(['webhooks', 'listen', '--interval', '0.1'], 'Waiting for events', client);
  await user.succeeds(['tools', 'delete', 'list_pets'], client);
  await waitUntil(async () => listening.output().includes('custom_tool.deleted'), 60_000, 'the event is printed');
  await listening.interrupt();
});

test('the documentation, the API reference and its description are served', async () => {
  for (const path of [
    '/docs',
    '/docs/start',
    '/docs/start.md',
    '/docs/changelog',
    '/docs/api',
    '/llms.txt',
    '/api/v1/openapi.json',
  ])
    assert.equal((await fetch(server.url + path)).status, 200, path);
});

test('a backup is restored into another folder, where the tool is called with the same key', async () => {
  await user.succeeds(['backup', 'toolgate.backup']);
  await user.succeeds(['restore', 'toolgate.backup'], { TOOLGATE_DATA_DIR: 'restored' });
  // With several processes, a collector and a Redis that is away: what is loaded only for them is in the package.
  const settings = {
    TOOLGATE_WORKERS: '2',
    REDIS_URL: 'redis://127.0.0.1:1',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
  };
  const other = await user.start({ ...environment, ...settings, TOOLGATE_DATA_DIR: 'restored' });
  const body = { arguments: { city: 'Basel' } };
  expectResponse(await call(other.url, 'POST', '/custom-tools/get_weather/execute', { key, body }), 200);
  await other.interrupt();
  assert.equal(user.hasPostgres('restored'), false);
});

test('Ctrl-C ends the server and its PostgreSQL, and the data are there at the next start', async () => {
  await server.interrupt();
  assert.equal(user.hasPostgres(), false);
  server = await user.start(environment);
  expectResponse(await call(server.url, 'GET', '/custom-tools/get_weather', { key }), 200);
  await server.interrupt();
});
