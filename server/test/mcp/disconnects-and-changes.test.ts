// Clients that disconnect, tools that change, an unavailable database: on one server and on two.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { createServer } from 'node:https';
import { after, test } from 'node:test';
import { startDatabaseProxy } from '../support/database/database-proxy.ts';
import { copyTemplate } from '../support/database/test-database.ts';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { type MadeTool, makeTool } from '../support/make/make-tools.ts';
import { startCustomer, testAuthority } from '../support/peers/fake-customer.ts';
import { listenOnFreePort } from '../support/servers/free-port.ts';
import { startServer, type TestServer } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';
import { callTool, legacy, messages, modern, revisionSenders } from './rpc.ts';

const customer = await startCustomer();
after(() => customer.close());
const environment = { TOOLGATE_EGRESS_ALLOW: customer.address };
const one = await startServer(environment);
const two = await startServer({ ...environment, DATABASE_URL: one.app.config.database_url ?? '' });
const tenant = await makeTenant(one);
const key = tenant.keys.read;

const isListed = async (server: TestServer, { name }: MadeTool) => {
  const { tools } = (await modern(server, key, 'tools/list')).body.result;
  return tools.some((tool: { name: string }) => tool.name === name);
};
const change = (tool: MadeTool, verb: 'enable' | 'disable') =>
  one.api('POST', `/custom-tools/${tool.id}/${verb}`, { key: tenant.keys.write });

test('disabling or enabling a tool takes effect at once, and within a second on another replica', async () => {
  const tool = await makeTool(one, tenant.keys.write, customer);
  for (const [verb, there, status] of [
    ['disable', false, 403],
    ['enable', true, 200],
  ] as const) {
    // Both replicas have cached it.
    for (const server of [one, two])
      await waitUntil(async () => (await isListed(server, tool)) !== there, 60_000, 'as before');
    expectResponse(await change(tool, verb), 200);
    assert.equal(await isListed(one, tool), there);
    assert.equal((await callTool(legacy, one, key, tool.name)).status, status);
    await waitUntil(async () => (await isListed(two, tool)) === there, 1_000, `${verb}d on the other replica`);
    assert.equal((await callTool(legacy, two, key, tool.name)).status, status);
  }
});

test('a client may initialize on one replica, list on another and call on the first: the server is stateless', async () => {
  const tool = await makeTool(one, tenant.keys.write, customer);
  assert.equal((await legacy(one, key, 'initialize')).status, 200);
  assert.equal((await legacy(two, key, 'notifications/initialized')).status, 200);
  await waitUntil(() => isListed(two, tool), 60_000, 'listed on the other replica');
  assert.equal((await callTool(legacy, one, key, tool.name)).body.result.isError, undefined);
});

/** A customer's API that never responds: `calls` counts the started and the aborted calls. */
async function startStuckCustomer() {
  const calls = { started: 0, ended: 0 };
  const server = createServer(testAuthority.issue(['localhost']), (_incoming, response) => {
    calls.started += 1;
    response.on('close', () => {
      calls.ended += 1;
    });
  });
  const port = await listenOnFreePort(server);
  after(() => server.closeAllConnections());
  after(() => server.close());
  return { calls, address: `127.0.0.1:${port}` };
}

const many = Array.from({ length: 5 }, (_, id) => id);
const call = (name: string, id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });

for (const [what, message] of [
  ...Object.entries(messages).map(
    ([revision, make]) => [`one call, ${revision}`, (name: string) => make(7, 'tools/call', { name })] as const,
  ),
  ['a batch of calls', (name: string) => ({ headers: {}, body: many.map((id) => call(name, id)) })] as const,
]) {
  test(`a client that disconnects aborts its calls to the customer: ${what}`, async () => {
    const { calls, address } = await startStuckCustomer();
    const server = await startServer({ TOOLGATE_EGRESS_ALLOW: address });
    const { keys } = await makeTenant(server);
    const { name } = await makeTool(server, keys.write, { url: `https://${address}` });
    const { headers, body } = message(name);
    const expected = Array.isArray(body) ? body.length : 1;
    const sent = request(`${server.url}/api/v1/mcp`, {
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${keys.read}`, 'content-type': 'application/json', ...headers },
    });
    sent.on('error', () => {}); // "socket hang up" is expected
    sent.end(JSON.stringify(body));
    await waitUntil(async () => calls.started === expected, 60_000, 'the customer is called');
    assert.equal(calls.ended, 0);
    sent.destroy();
    await waitUntil(async () => calls.ended === expected, 60_000, 'the calls are aborted');
  });
}

test("while the database is unavailable the response is 503 with Retry-After and the request's id", async () => {
  const database = await copyTemplate();
  const way = await startDatabaseProxy(database.url);
  const server = await startServer({ ...environment, DATABASE_URL: way.url });
  after(() => database.drop());
  const { keys } = await makeTenant(server);
  assert.equal((await legacy(server, keys.read, 'tools/list')).status, 200);
  await way.cut();
  await waitUntil(async () => !server.app.isUp(), 60_000, 'noticed');
  for (const send of Object.values(revisionSenders)) {
    const response = await send(server, keys.read, 'tools/list', {}, { id: 'abc' });
    assert.deepEqual([response.status, response.body.id], [503, 'abc']);
    assert.deepEqual(
      [response.body.error.message, response.body.error.data.code],
      ['Service unavailable', 'SERVICE_UNAVAILABLE'],
    );
    assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  }
  await way.restore();
});
