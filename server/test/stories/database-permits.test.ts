// One quota group uses a few of the database's connections at most: its crowd of requests costs another group nothing.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { expectResponse, makeKey, makeTenant } from '../support/make/make.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startServer } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { api, app } = server;

test("600 parallel changes by one group make none of another group's reads fail; the group itself gets 200 or 503", async () => {
  const noisy = await makeTenant(server);
  const sibling = expectResponse(
    await api('POST', '/projects', { key: noisy.keys.admin, body: { name: 'sibling' } }),
    201,
  );
  const quiet = await makeTenant(server);
  const tool = await makeTool(server, noisy.keys.write, customer);
  const read = await makeTool(server, quiet.keys.write, customer);
  // Who holds this row makes each change take its connection for as long as it may wait.
  const other = new pg.Client(app.config.database_url ?? '');
  await other.connect();
  await other.query('begin');
  await other.query('select from custom_tools where id = $1 for update', [tool.id]);

  let responded = 0;
  const changes = Array.from({ length: 600 }, async (_, i) => {
    const body = { description: `change ${i}` };
    const response = await api('PATCH', `/custom-tools/${tool.id}`, { key: noisy.keys.write, body });
    responded += 1;
    return response;
  });
  const bySibling = api('GET', '/custom-tools', { key: sibling.api_key.key });
  const reads = await Promise.all(
    Array.from({ length: 40 }, () => api('GET', `/custom-tools/${read.id}`, { key: quiet.keys.read })),
  );
  assert.deepEqual([...new Set(reads.map(({ status }) => status))], [200]);
  // What needs no database does not wait for a permit either.
  expectResponse(await api('GET', '/projects', { key: noisy.keys.read }), 200);
  // While the row is held: a busy machine sends the last of the changes later than the reads are answered.
  await waitUntil(async () => responded >= 300, 30_000, 'those that may not wait are answered');
  await other.end();

  const responses = [...(await Promise.all(changes)), await bySibling];
  const refused = responses.filter(({ status }) => status !== 200);
  assert.ok(responses.length > refused.length, 'some changes passed');
  assert.ok(refused.length >= 300, 'more waited than may wait');
  for (const response of refused) {
    expectResponse(response, 503, 'Service unavailable');
    assert.equal(response.headers.get('retry-after'), '1');
  }
  expectResponse(await api('GET', `/custom-tools/${tool.id}`, { key: noisy.keys.read }), 200);
});

test('calls that wait for a slow API hold no permit, with an Idempotency-Key or without', async () => {
  const tenant = await makeTenant(server);
  const tool = await makeTool(server, tenant.keys.write, customer);
  const { key } = await makeKey(server, tenant.id, ['read']);
  let release = () => {};
  const hold = new Promise<void>((resolve) => (release = resolve));
  let arrive = () => {};
  const allArrived = new Promise<void>((resolve) => (arrive = resolve));
  customer.respond(tool.endpoint_path, () => {
    if (customer.at(tool.endpoint_path).length === 8) arrive();
    return { hold, body: {} };
  });
  const calls = Array.from({ length: 8 }, (_, i) =>
    execute(server, key, tool.id, {}, i % 2 ? { 'idempotency-key': `call-${i}` } : {}),
  );
  await allArrived;
  expectResponse(await api('GET', `/custom-tools/${tool.id}`, { key }), 200);
  release();
  for (const call of await Promise.all(calls)) expectResponse(call, 200);
});
