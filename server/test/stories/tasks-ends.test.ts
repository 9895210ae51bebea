// How tasks end before their job does, and who sees a task.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectResponse, makeKey } from '../support/make/make.ts';
import { makeMemberTenant, makeSession } from '../support/make/make-members.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { makeToolset } from '../support/make/make-toolset.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { makeJobApi, pollingOf } from '../support/peers/job-api.ts';
import { startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { api } = server;
const tenant = await makeMemberTenant(server, { plan: 'enterprise' });
const { keys } = tenant;
const tasks = `/projects/${tenant.id}/tasks`;

async function makeJobTool(fields: object = {}) {
  const job = makeJobApi(customer);
  const polling = {
    ...pollingOf(job),
    timeout_seconds: 7_200,
    cancel: { method: 'POST', path: `${job.start}/{{job_id}}/cancel` },
  };
  const tool = await makeTool(server, keys.write, customer, { endpoint_path: job.start, polling, ...fields });
  return { job, tool };
}

const start = async (tool: { id: string }, key = keys.read, given: object = {}) =>
  expectResponse(await execute(server, key, tool.id, given), 202).task;
const read = async (id: string) => expectResponse(await api('GET', `${tasks}/${id}`, { key: keys.admin }), 200);
const cancel = (id: string, key = keys.read) => api('POST', `${tasks}/${id}/cancel`, { key });

async function poll(seconds = 6): Promise<void> {
  server.advance(seconds * 1000);
  await server.runJobs();
}

test('a cancelled task is asked about no more, and the API is told; one that has ended cannot be cancelled', async () => {
  const { job, tool } = await makeJobTool();
  const task = await start(tool);
  const cancelled = expectResponse(await cancel(task.id), 200);
  assert.equal(cancelled.status, 'cancelled');
  assert.equal(expectResponse(await cancel(task.id), 200).status, 'cancelled');
  await poll();
  assert.deepEqual([job.cancels().length, job.cancels()[0]?.method, job.polls().length], [1, 'POST', 0]);

  const other = await start(tool);
  job.say({ body: { state: 'done', output: 1 } });
  await poll();
  const { error } = expectResponse(await cancel(other.id), 409);
  assert.deepEqual([error.code, error.details.status], ['TASK_ENDED', 'completed']);
  assert.equal(job.cancels().length, 1);
});

test('the API is told again while it does not respond', async () => {
  const { job, tool } = await makeJobTool();
  const task = await start(tool);
  customer.respond(job.cancel, { status: 503 });
  expectResponse(await cancel(task.id), 200);
  await poll();
  customer.respond(job.cancel, { status: 200 });
  await poll(31);
  await poll(31);
  assert.equal(job.cancels().length, 2);
});

test('a task ends with its tool, and its job is cancelled, also when the tool is deleted', async () => {
  const ways: [name: string, end: (id: string) => Promise<unknown>, status: number][] = [
    ['disabled', (id) => api('POST', `/custom-tools/${id}/disable`, { key: keys.write }), 200],
    ['deleted', (id) => api('DELETE', `/custom-tools/${id}`, { key: keys.admin }), 204],
  ];
  for (const [name, end, status] of ways) {
    const secret = `secret-${name}`;
    const auth = { auth_strategy: 'bearer_token', encrypted_auth_secret: secret };
    const { job, tool } = await makeJobTool(auth);
    const task = await start(tool);
    expectResponse((await end(tool.id)) as never, status);
    const { rows } = await server.app.pool.query('select status from tasks where id = $1', [task.id]);
    assert.deepEqual(rows, [{ status: 'cancelled' }], name);
    await poll();
    assert.deepEqual([job.cancels().length, job.polls().length], [1, 0], name);
    assert.equal(job.cancels()[0]?.headers.authorization, `Bearer ${secret}`);
    // Nobody sees the task of a tool that is gone.
    expectResponse(await api('GET', `${tasks}/${task.id}`, { key: keys.admin }), 404);
  }
});

test('a task whose tool calls another origin is cancelled, and nothing is sent there', async () => {
  const other = await startCustomer();
  after(() => other.close());
  const { job, tool } = await makeJobTool();
  const task = await start(tool);
  await server.app.pool.query('update custom_tools set base_url = $2 where id = $1', [tool.id, other.url]);
  server.app.cache.invalidate(tenant.id);
  await poll();
  assert.equal((await read(task.id)).status, 'cancelled');
  assert.equal(other.requests.length, 0);
  assert.equal(job.polls().length, 0);
});

test('a task ends with the key that started it, and does not go on when the key is enabled again', async () => {
  const { tool } = await makeJobTool();
  const revoked = await makeKey(server, tenant.id, ['read']);
  const disabled = await makeKey(server, tenant.id, ['read']);
  const [one, two] = [await start(tool, revoked.key), await start(tool, disabled.key)];
  const path = (id: string) => `/projects/${tenant.id}/api-keys/${id}`;
  expectResponse(await api('POST', `${path(revoked.id)}/revoke`, { key: keys.admin }), 200);
  expectResponse(await api('PATCH', path(disabled.id), { key: keys.admin, body: { is_active: false } }), 200);
  expectResponse(await api('PATCH', path(disabled.id), { key: keys.admin, body: { is_active: true } }), 200);
  for (const { id } of [one, two]) assert.equal((await read(id)).status, 'cancelled');
});

test('a member sees a task in the next session; it ends when sessions are revoked, and not when one expires', async () => {
  const { job, tool } = await makeJobTool({ require_member: true });
  const first = await makeSession(server, tenant, 'ada');
  const kept = await start(tool, first.session_token);
  await poll(1_000);
  expectResponse(await api('GET', `${tasks}/${kept.id}`, { key: first.session_token }), 401);
  const second = await makeSession(server, tenant, 'ada');
  const shown = expectResponse(await api('GET', `${tasks}/${kept.id}`, { key: second.session_token }), 200);
  assert.deepEqual([shown.status, shown.poll_count, job.polls().length], ['working', 1, 1]);

  const ended = await start(tool, second.session_token, { n: 1 });
  expectResponse(await api('POST', `/members/${second.member.id}/revoke-sessions`, { key: keys.admin }), 200);
  assert.equal((await read(ended.id)).status, 'cancelled');
});

test('a poll is for the member of the call', async () => {
  const { job, tool } = await makeJobTool({ require_member: true, context_in: 'headers' });
  const { session_token } = await makeSession(server, tenant, 'grace');
  await start(tool, session_token);
  await poll();
  assert.equal(job.polls()[0]?.headers['x-toolgate-member-id'], 'grace');
});

test('the tasks of a deleted member are gone', async () => {
  const { job, tool } = await makeJobTool({ require_member: true });
  const { session_token, member } = await makeSession(server, tenant, 'forgotten');
  const task = await start(tool, session_token);
  expectResponse(await api('DELETE', `/members/${member.id}`, { key: keys.admin }), 204);
  expectResponse(await api('GET', `${tasks}/${task.id}`, { key: keys.admin }), 404);
  await poll();
  assert.equal(job.polls().length, 0);
});

test('only its own caller and admins see a task; to others it does not exist', async () => {
  const { tool } = await makeJobTool();
  const task = await start(tool);
  const { key: other } = await makeKey(server, tenant.id, ['read', 'write']);
  const { session_token } = await makeSession(server, tenant, 'eve');
  for (const key of [other, session_token]) {
    expectResponse(await api('GET', `${tasks}/${task.id}`, { key }), 404);
    expectResponse(await cancel(task.id, key), 404);
    const { data } = expectResponse(await api('GET', tasks, { key }), 200);
    assert.ok(!data.some(({ id }: { id: string }) => id === task.id));
  }
  for (const key of [keys.read, keys.admin]) {
    const { data } = expectResponse(await api('GET', `${tasks}?status=working&tool_id=${tool.id}`, { key }), 200);
    assert.deepEqual(
      data.map(({ id }: { id: string }) => id),
      [task.id],
    );
  }
  const stranger = await makeMemberTenant(server);
  expectResponse(await api('GET', `${tasks}/${task.id}`, { key: stranger.keys.admin }), 401);
  expectResponse(await api('GET', `/projects/${stranger.id}/tasks/${task.id}`, { key: stranger.keys.admin }), 404);
});

test('a credential that does not see the tool does not see its tasks', async () => {
  const { tool } = await makeJobTool();
  const { id, key } = await makeKey(server, tenant.id, ['read']);
  const task = await start(tool, key);
  const { id: toolset } = await makeToolset(server, tenant.id, {});
  const path = `/projects/${tenant.id}/api-keys/${id}`;
  expectResponse(await api('PATCH', path, { key: keys.admin, body: { toolset_ids: [toolset] } }), 200);
  expectResponse(await api('GET', `${tasks}/${task.id}`, { key }), 404);
  assert.deepEqual(expectResponse(await api('GET', tasks, { key }), 200).data, []);
});

test('cancelling and completing at the same moment end a task once', async () => {
  for (let n = 0; n < 5; n++) {
    const { job, tool } = await makeJobTool();
    const task = await start(tool);
    job.say({ body: { state: 'done', output: n } });
    server.advance(6_000);
    const [response] = await Promise.all([cancel(task.id), server.runJobs()]);
    const { status, result } = await read(task.id);
    assert.equal(response.status, status === 'cancelled' ? 200 : 409);
    assert.equal(result === null, status === 'cancelled');
  }
});
