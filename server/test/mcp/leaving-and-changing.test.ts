// Clients that go away, tools that change under a client, a database that is not there: on one server and on two.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { cutOff } from '../cut-off.ts';
import { startCustomer, testAuthority } from '../fake-customer.ts';
import { expectAnswer, makeTenant } from '../make.ts';
import { type MadeTool, makeTool } from '../make-tools.ts';
import { until } from '../start-process.ts';
import { startServer, type TestServer } from '../start-server.ts';
import { copyTemplate } from '../test-database.ts';
import { callTool, eras, legacy, messages, modern } from './rpc.ts';

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

test('a tool that is disabled or enabled is gone or there at once, and within a second on another replica', async () => {
  const tool = await makeTool(one, tenant.keys.write, customer);
  for (const [verb, there, status] of [
    ['disable', false, 403],
    ['enable', true, 200],
  ] as const) {
    // Both have it remembered as it was.
    for (const server of [one, two])
      await until(async () => (await isListed(server, tool)) !== there, 1_000, 'as before');
    expectAnswer(await change(tool, verb), 200);
    assert.equal(await isListed(one, tool), there);
    assert.equal((await callTool(legacy, one, key, tool.name)).status, status);
    await until(async () => (await isListed(two, tool)) === there, 1_000, `${verb}d on the other replica`);
    assert.equal((await callTool(legacy, two, key, tool.name)).status, status);
  }
});

test('a client may greet one replica, list on another and call on the first: nothing is remembered of it', async () => {
  const tool = await makeTool(one, tenant.keys.write, customer);
  assert.equal((await legacy(one, key, 'initialize')).status, 200);
  assert.equal((await legacy(two, key, 'notifications/initialized')).status, 200);
  await until(() => isListed(two, tool), 1_000, 'listed on the other replica');
  assert.equal((await callTool(legacy, one, key, tool.name)).body.result.isError, undefined);
});

/** A customer's API that never answers: `calls` tells of each call when it came, and then when it was given up. */
async function startStuckCustomer() {
  const calls = { came: 0, ended: 0 };
  const server = createServer(testAuthority.issue(['localhost']), (_incoming, response) => {
    calls.came += 1;
    response.on('close', () => {
      calls.ended += 1;
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  after(() => server.closeAllConnections());
  after(() => server.close());
  return { calls, address: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const many = Array.from({ length: 5 }, (_, id) => id);
const call = (name: string, id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });

for (const [what, message] of [
  ...Object.entries(messages).map(
    ([revision, make]) => [`one call, ${revision}`, (name: string) => make(7, 'tools/call', { name })] as const,
  ),
  ['a batch of calls', (name: string) => ({ headers: {}, body: many.map((id) => call(name, id)) })] as const,
]) {
  test(`a client that goes away ends what it asked of the customer: ${what}`, async () => {
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
    sent.on('error', () => {}); // "socket hang up": that is the point
    sent.end(JSON.stringify(body));
    await until(async () => calls.came === expected, 5_000, 'the customer is called');
    assert.equal(calls.ended, 0);
    sent.destroy();
    await until(async () => calls.ended === expected, 5_000, 'the calls are given up');
  });
}

test("while the database is away the answer is 503 with Retry-After and the request's id", async () => {
  const database = await copyTemplate();
  const way = await cutOff(database.url);
  const server = await startServer({ ...environment, DATABASE_URL: way.url });
  after(() => database.drop());
  const { keys } = await makeTenant(server);
  assert.equal((await legacy(server, keys.read, 'tools/list')).status, 200);
  await way.cut();
  await until(async () => !server.app.isUp(), 2_000, 'noticed');
  for (const send of Object.values(eras)) {
    const answer = await send(server, keys.read, 'tools/list', {}, { id: 'abc' });
    assert.deepEqual([answer.status, answer.body.id], [503, 'abc']);
    assert.deepEqual(
      [answer.body.error.message, answer.body.error.data.code],
      ['Service unavailable', 'SERVICE_UNAVAILABLE'],
    );
    assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  }
  await way.restore();
});
