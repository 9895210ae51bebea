// Trying a hook: a call of the log or a sample is sent to it, and nothing else happens.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { makeHook } from '../support/make/make-hook.ts';
import { assertionFor, exchange, makeMemberTenant } from '../support/make/make-members.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { api } = server;

type Tenant = Awaited<ReturnType<typeof makeTenant>>;
const tryHook = ({ id, keys }: Tenant, hook_id: string, body: object, key = keys.admin) =>
  api('POST', `/projects/${id}/hooks/${hook_id}/test`, { key, body });
const recordPayloads = async ({ id, keys }: Tenant) =>
  expectResponse(
    await api('PATCH', `/projects/${id}/settings`, { key: keys.admin, body: { record_payloads: true } }),
    200,
  );

test('a recorded call is sent to a hook as the hook would have got it, marked as a test, also while the hook is disabled', async () => {
  const tenant = await makeMemberTenant(server);
  await recordPayloads(tenant);
  const tool = await makeTool(server, tenant.keys.write, customer);
  customer.respond(tool.endpoint_path, { body: { total: 3 } });
  const member_assertion = assertionFor(server, tenant, { claims: { sub: 'ann', claims: { role: 'x' } } });
  const { session_token, member } = expectResponse(
    await exchange(server, tenant.integrationKey.key, { member_assertion }),
    200,
  );
  const { call_id } = expectResponse(await execute(server, session_token, tool.id, { a: 1 }), 200);
  await server.app.batch_writer.flush();
  const policy = { body: { decision: 'deny', reason: 'no' } };
  const hook = await makeHook(server, customer, tenant.id, { points: ['after', 'before'], is_enabled: false }, policy);
  const tried = expectResponse(await tryHook(tenant, hook.id, { call_id }), 200);
  const hints = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false };
  const about = {
    call_id,
    tool: { id: tool.id, name: tool.name, version: 1, hints },
    member: { id: member.id, external_id: 'ann', claims: { role: 'x' } },
    integration: { id: tenant.integration.id },
    client: null,
  };
  assert.deepEqual(tried, {
    object: 'hook_test',
    hook_id: hook.id,
    point: 'after',
    decision: 'deny',
    reason: 'no',
    duration_ms: tried.duration_ms,
    is_allowed: false,
    request: { ...about, point: 'after', result: { total: 3 } },
    changed: null,
  });
  const [sent] = customer.at(hook.path);
  assert.deepEqual(JSON.parse(String(sent?.body)), tried.request);
  assert.equal(sent?.headers['x-toolgate-test'], 'true');
  const before = expectResponse(await tryHook(tenant, hook.id, { call_id, point: 'before' }), 200);
  assert.deepEqual(before.request, { ...about, point: 'before', arguments: { a: 1 } });
  const own = expectResponse(await tryHook(tenant, hook.id, { call_id, point: 'before', arguments: { b: 2 } }), 200);
  assert.deepEqual(own.request.arguments, { b: 2 });
  assert.equal(customer.at(tool.endpoint_path).length, 1, 'nothing more was sent to the API');
});

test('a tool with sample arguments can be tried; the change that a hook would make and its failure are shown', async () => {
  const tenant = await makeTenant(server);
  const tool = await makeTool(server, tenant.keys.write, customer);
  const policy = { body: { decision: 'allow', arguments: { a: 2 } } };
  const hook = await makeHook(server, customer, tenant.id, { may_change: true }, policy);
  const sample = { tool_id: tool.name, arguments: { a: 1 } };
  const tried = expectResponse(await tryHook(tenant, hook.id, sample), 200);
  assert.deepEqual([tried.decision, tried.is_allowed, tried.changed], ['allow', true, { a: 2 }]);
  assert.deepEqual([tried.request.arguments, tried.request.member], [{ a: 1 }, null]);
  customer.respond(hook.path, { status: 503 });
  const failed = expectResponse(await tryHook(tenant, hook.id, sample), 200);
  assert.deepEqual(
    [failed.decision, failed.reason, failed.is_allowed],
    ['failed', 'The hook returned status 503.', false],
  );
});

test('what cannot be tried is refused with its field: a call without payloads, another project, both or nothing named', async () => {
  const [tenant, other] = [await makeTenant(server), await makeTenant(server)];
  const tool = await makeTool(server, tenant.keys.write, customer);
  const { call_id } = expectResponse(await execute(server, tenant.keys.read, tool.id), 200);
  await server.app.batch_writer.flush();
  const hook = await makeHook(server, customer, tenant.id, { points: ['before', 'after'] });
  for (const [body, field] of [
    [{ call_id }, 'arguments'],
    [{ call_id, point: 'after', arguments: {} }, 'result'],
    [{ tool_id: tool.id, point: 'after' }, 'result'],
    [{ call_id, tool_id: tool.id }, 'call_id'],
    [{}, 'call_id'],
    [{ tool_id: 'a\0' }, 'tool_id'],
    [{ tool_id: tool.id, more: 1 }, 'more'],
  ] as const) {
    const { details } = expectResponse(await tryHook(tenant, hook.id, body), 422).error;
    assert.equal(details.field, field, JSON.stringify(body));
  }
  const foreign = await makeHook(server, customer, other.id);
  expectResponse(await tryHook(tenant, foreign.id, { tool_id: tool.id }), 404);
  expectResponse(await tryHook(other, foreign.id, { call_id }), 404);
  expectResponse(await tryHook(other, foreign.id, { tool_id: tool.id }), 404);
  expectResponse(await tryHook(tenant, hook.id, { tool_id: tool.id }, tenant.keys.write), 403);
  assert.equal(customer.at(hook.path).length + customer.at(foreign.path).length, 0, 'nothing was sent');
});
