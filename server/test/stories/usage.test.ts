// How much of its hour a project has used: over REST, and in the results of tool calls, always as in the rate limit headers.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { callTool, revisionSenders } from '../mcp/rpc.ts';
import { expectResponse, makeKey, makeProject, makeTenant } from '../support/make/make.ts';
import { makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import type { ApiResponse } from '../support/requests/call-api.ts';
import { expectRefusal } from '../support/requests/expect-refusal.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const HOUR_MS = 3_600_000;

const customer = await startCustomer();
after(() => customer.close());
customer.respond('/broken', { status: 500, body: {} });
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { api } = server;

const usage = (project_id: string, key: string) => api('GET', `/projects/${project_id}/usage`, { key });

/** What the rate limit headers of this answer say. */
function fromHeaders({ headers }: ApiResponse, plan: string) {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    Number(headers.get(`x-ratelimit-${name}`)),
  ) as [number, number, number];
  const resets_at = new Date(reset * 1000).toISOString();
  return { plan, limit, used: limit - remaining, remaining, window_seconds: 3600, resets_at };
}

test('usage has the numbers of the rate limit headers, and asking for it is counted', async () => {
  const { id } = await makeProject(server, { plan: 'pro' });
  const { key } = await makeKey(server, id, ['read']);
  for (const used of [1, 2, 3]) {
    const response = await usage(id, key);
    assert.deepEqual(expectResponse(response, 200), { object: 'usage', ...fromHeaders(response, 'pro') });
    assert.equal(response.body.used, used);
  }
});

test('the root key reads the usage of a project and uses nothing of it', async () => {
  const { id } = await makeProject(server, { requests_per_hour: 3 });
  const unused = { object: 'usage', plan: 'enterprise', limit: 3, used: 0, remaining: 3, window_seconds: 3600 };
  for (let i = 0; i < 2; i += 1)
    assert.deepEqual(expectResponse(await usage(id, ROOT_KEY), 200), { ...unused, resets_at: null });
  const { key } = await makeKey(server, id, ['read']);
  const first = await usage(id, key);
  await usage(id, key);
  assert.deepEqual(expectResponse(await usage(id, ROOT_KEY), 200), {
    ...unused,
    used: 2,
    remaining: 1,
    resets_at: expectResponse(first, 200).resets_at,
  });
  await usage(id, key);
  const refused = await usage(id, key);
  expectRefusal(refused, 429);
  const full = expectResponse(await usage(id, ROOT_KEY), 200);
  assert.deepEqual([full.used, full.remaining], [3, 0]);
  assert.equal(full.resets_at, fromHeaders(refused, 'enterprise').resets_at, 'when the next request passes');
  server.advance(HOUR_MS + 1000);
  assert.deepEqual(expectResponse(await usage(id, ROOT_KEY), 200), { ...unused, resets_at: null });
});

test('siblings share the hour, and each sees all of it', async () => {
  const { id } = await makeProject(server, { plan: 'pro' });
  const { key } = await makeKey(server, id, ['admin']);
  const sibling = expectResponse(await api('POST', '/projects', { key, body: { name: 'sibling' } }), 201);
  await usage(id, key);
  assert.equal(expectResponse(await usage(sibling.id, ROOT_KEY), 200).used, 2);
});

test('reading needs the permission read, and the own project', async () => {
  const [tenant, other] = [await makeTenant(server), await makeTenant(server)];
  expectRefusal(await usage(tenant.id, tenant.keys.webhook), 403);
  expectRefusal(await usage(tenant.id, other.keys.read), 401);
  expectRefusal(await usage('prj_0000000000000000000000', ROOT_KEY), 404);
});

for (const [revision, send] of Object.entries(revisionSenders)) {
  test(`${revision}: the result of a tool call has the usage of its rate limit headers, also when the call fails`, async () => {
    const { keys } = await makeTenant(server, { plan: 'pro' });
    const [found, broken] = [
      await makeTool(server, keys.write, customer),
      await makeTool(server, keys.write, customer, { endpoint_path: '/broken' }),
    ];
    for (const tool of [found, broken, found]) {
      const response = await callTool(send, server, keys.read, tool.name);
      const { result } = expectResponse(response, 200);
      assert.equal(result.isError ?? false, tool === broken);
      assert.deepEqual(result._meta['toolgate/usage'], fromHeaders(response, 'pro'));
    }
  });
}

test('the results of a batch have the usage after its last message, as the rate limit headers', async () => {
  const { keys } = await makeTenant(server, { plan: 'pro' });
  const { name } = await makeTool(server, keys.write, customer);
  const body = [1, 2, 3].map((id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {} } }));
  const headers = { 'mcp-protocol-version': '2025-03-26' };
  const response = await api('POST', '/api/v1/mcp', { key: keys.read, body, headers });
  const results = expectResponse(response, 200).map(({ result }: any) => result._meta['toolgate/usage']);
  assert.deepEqual(results, Array(3).fill(fromHeaders(response, 'pro')));
});
