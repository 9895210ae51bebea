// Calls that go on as tasks: from the first response to the result, over REST.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectResponse, makeKey, makeTenant } from '../support/make/make.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { type JobApi, makeJobApi, pollingOf } from '../support/peers/job-api.ts';
import { startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { api } = server;
const tenant = await makeTenant(server, { plan: 'enterprise' });
const { keys } = tenant;
const tasks = `/projects/${tenant.id}/tasks`;

async function makeJobTool(fields: object = {}, polling: object = {}) {
  const job = makeJobApi(customer);
  const tool = await makeTool(server, keys.write, customer, {
    endpoint_path: job.start,
    polling: { ...pollingOf(job), ...polling },
    ...fields,
  });
  return { job, tool };
}

const start = async (tool: { id: string }, given: object = {}, key = keys.read) =>
  expectResponse(await execute(server, key, tool.id, given), 202);
const read = async (id: string, key = keys.read) => expectResponse(await api('GET', `${tasks}/${id}`, { key }), 200);

async function poll(seconds = 6): Promise<void> {
  server.advance(seconds * 1000);
  await server.runJobs();
}

const done = (job: JobApi, output: unknown) => job.say({ body: { state: 'done', percent: 100, output } });

test('a call whose job takes long is 202 with its task, which is polled until the result is there', async () => {
  const { job, tool } = await makeJobTool();
  const response = await execute(server, keys.read, tool.id, { month: 'May' });
  const { call_id, task } = expectResponse(response, 202);
  assert.equal(response.headers.get('location'), `/api/v1${tasks}/${task.id}`);
  assert.equal(task.object, 'task');
  assert.equal(task.call_id, call_id);
  assert.deepEqual([task.status, task.message, task.poll_count, task.result], ['working', 'queued', 0, null]);

  await poll();
  const working = await read(task.id);
  assert.deepEqual(
    [working.status, working.progress, working.message, working.poll_count],
    ['working', 10, 'running', 1],
  );

  done(job, { rows: [{ id: 12345678901234567890n.toString() }], n: 7 });
  await poll();
  const completed = await read(task.id);
  assert.deepEqual(
    [completed.status, completed.progress, completed.poll_count, completed.error],
    ['completed', 100, 2, null],
  );
  assert.equal(completed.result.call_id, call_id);
  assert.equal(completed.result.status, 200);
  assert.deepEqual(completed.result.body.n, 7);
  assert.equal(job.starts().length, 1);
  await poll(60);
  assert.equal(job.polls().length, 2);
});

test('a poll is a GET with the credential of the tool and the member of the call', async () => {
  const { job, tool } = await makeJobTool({
    auth_strategy: 'bearer_token',
    encrypted_auth_secret: 'secret-of-the-api',
    headers: { 'X-Tenant': '{{tenant}}' },
    context_in: 'headers',
    input_schema: { type: 'object', properties: { tenant: { type: 'string' } } },
  });
  await start(tool, { tenant: 'acme' });
  await poll();
  const [polled] = job.polls();
  assert.equal(polled?.headers.authorization, 'Bearer secret-of-the-api');
  assert.equal(polled?.headers['x-tenant'], 'acme');
  assert.equal(polled?.headers['x-toolgate-project-id'], tenant.id);
  assert.equal(polled?.query, '');
  assert.equal(polled?.body.length, 0);
});

test('wait_seconds returns the result if it is there in time', async () => {
  const { job, tool } = await makeJobTool({}, { interval_seconds: 1 });
  done(job, { n: 1 });
  const calling = api('POST', `/custom-tools/${tool.id}/execute?wait_seconds=20`, {
    key: keys.read,
    body: { arguments: {} },
  });
  while (job.starts().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  // The task exists when its first request is there; its job is due a second later.
  for (let tries = 0; tries < 50 && job.polls().length === 0; tries++) {
    await poll(2);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const result = expectResponse(await calling, 200);
  assert.deepEqual(result.body, { n: 1 });
  for (const wait of ['51', '-1', 'x'])
    expectResponse(
      await api('POST', `/custom-tools/${tool.id}/execute?wait_seconds=${wait}`, { key: keys.read, body: {} }),
      422,
    );
});

test('a first response that is done is the result as it came, and one that failed is the error', async () => {
  const { job, tool } = await makeJobTool();
  customer.respond(job.start, { status: 200, body: { id: 7, state: 'done', output: { n: 2 } } });
  const result = expectResponse(await execute(server, keys.read, tool.id), 200);
  assert.deepEqual(result.body, { id: 7, state: 'done', output: { n: 2 } });
  customer.respond(job.start, { status: 200, body: { id: 7, state: 'error', reason: 'no such month' } });
  const { error } = expectResponse(await execute(server, keys.read, tool.id), 502);
  assert.deepEqual([error.code, error.details.upstream_error], ['TASK_FAILED', 'no such month']);
  const listed = expectResponse(await api('GET', `${tasks}?tool_id=${tool.id}`, { key: keys.admin }), 200);
  assert.deepEqual(listed.data, []);
});

test('a first response without a usable job is TASK_START_UNKNOWN, and is not sent again', async () => {
  const { job, tool } = await makeJobTool({}, { job_id: null, status_path: null });
  for (const headers of [{}, { location: 'https://evil.example/jobs/1' }]) {
    customer.respond(job.start, { status: 202, headers });
    const { error } = expectResponse(await execute(server, keys.read, tool.id), 502);
    assert.deepEqual([error.code, error.details.reason], ['TASK_START_UNKNOWN', 'location_not_usable']);
  }
  await poll(120);
  assert.equal(job.starts().length, 2);
});

test('a Location is polled as it came, and a 303 of it is read once as the result', async () => {
  const { job, tool } = await makeJobTool(
    {},
    { job_id: null, status_path: null, status: null, done: [], failed: [], error: null, result: null, progress: null },
  );
  customer.respond(job.start, { status: 202, headers: { location: `${job.status}?token=a%2Fb` } });
  job.say({ status: 202, headers: { 'retry-after': '30' } });
  const { task } = await start(tool);
  await poll();
  assert.equal(job.polls()[0]?.query, 'token=a%2Fb');
  await poll(20);
  assert.equal(job.polls().length, 1);
  job.say({ status: 303, headers: { location: job.result } });
  customer.respond(job.result, { body: { rows: 3 } });
  await poll(20);
  const { status, result } = await read(task.id);
  assert.deepEqual([status, result.body], ['completed', { rows: 3 }]);
  assert.equal(customer.at(job.result).length, 1);
});

test('a 303 to another origin is not followed', async () => {
  const { job, tool } = await makeJobTool();
  const { task } = await start(tool);
  job.say({ status: 303, headers: { location: 'https://evil.example/result' } });
  await poll();
  const { status, error } = await read(task.id);
  assert.deepEqual(
    [status, error.code, error.details.reason],
    ['failed', 'TASK_RESPONSE_INVALID', 'location_not_usable'],
  );
});

test('result_path is read when the job is done', async () => {
  const { job, tool } = await makeJobTool();
  const { polling } = tool;
  expectResponse(
    await api('PATCH', `/custom-tools/${tool.id}`, {
      key: keys.write,
      body: { polling: { ...polling, result_path: `${job.start}/{{job_id}}/result`, result: 'data' } },
    }),
    200,
  );
  customer.respond(job.result, { body: { data: 'plain text' } });
  const { task } = await start(tool);
  job.say({ body: { state: 'done' } });
  await poll();
  assert.equal((await read(task.id)).result.body, 'plain text');
});

test('errors of the network and of the server are retried; another 4xx ends the task', async () => {
  const { job, tool } = await makeJobTool();
  const { task } = await start(tool);
  for (const response of [{ status: 500 }, { status: 404 }, { status: 429 }, { reset: true as const }]) {
    job.say(response);
    await poll();
    assert.equal((await read(task.id)).status, 'working', JSON.stringify(response));
  }
  job.say({ status: 403, body: { reason: 'gone away' } });
  await poll();
  const { status, error } = await read(task.id);
  assert.deepEqual([status, error.code, error.details.upstream_status], ['failed', 'UPSTREAM_STATUS', 403]);
});

test('a job that fails, and one that takes too long, fail their task', async () => {
  const { job, tool } = await makeJobTool({ response: { redact: ['@email'] } });
  const { task } = await start(tool);
  job.say({ body: { state: 'error', reason: `ada@example.com\n${'x'.repeat(2_000)}` } });
  await poll();
  const failed = await read(task.id);
  assert.equal(failed.error.code, 'TASK_FAILED');
  const said: string = failed.error.details.upstream_error;
  assert.ok(!said.includes('ada@') && !said.includes('\n') && said.length <= 500, said);

  const slow = await makeJobTool({}, { timeout_seconds: 60 });
  const { task: late } = await start(slow.tool);
  await poll(30);
  await poll(31);
  assert.equal((await read(late.id)).error.code, 'TASK_TIMED_OUT');
});

test('the result is shaped, long ones become a file, and nothing of it is kept longer than a day', async () => {
  const { job, tool } = await makeJobTool({ response: { select: ['name'] } });
  const { task } = await start(tool);
  done(job, { name: 'May', secret: 'x' });
  await poll();
  assert.deepEqual((await read(task.id)).result.body, { name: 'May' });
  const large = await makeJobTool();
  const { task: long } = await start(large.tool);
  done(large.job, { text: 'y'.repeat(1_100_000) });
  await expectLargeResponses();
  await poll();
  const shown = await read(long.id);
  assert.equal(shown.status, 'completed', JSON.stringify(shown.error));
  assert.equal(shown.result.body, null);
  assert.match(shown.result.file.id, /^fil_/);
  server.advance(86_400_000);
  await server.runJobs();
  expectResponse(await api('GET', `${tasks}/${task.id}`, { key: keys.read }), 404);
});

async function expectLargeResponses(): Promise<void> {
  const body = { max_response_bytes: 2_000_000 };
  expectResponse(await api('PATCH', `/projects/${tenant.id}/settings`, { key: keys.admin, body }), 200);
}

test('the call log has one row for the call, when it is over, with its polls', async () => {
  const { job, tool } = await makeJobTool();
  const { call_id } = await start(tool);
  const calls = async () => {
    await server.app.batch_writer.flush();
    const path = `/projects/${tenant.id}/tool-calls?tool_id=${tool.id}`;
    return expectResponse(await api('GET', path, { key: keys.read }), 200).data;
  };
  assert.deepEqual(await calls(), []);
  await poll();
  done(job, {});
  await poll();
  const [call, ...others] = await calls();
  assert.deepEqual(others, []);
  assert.deepEqual([call.id, call.outcome, call.poll_count], [call_id, 'succeeded', 2]);
  assert.ok(call.task_ms >= 12_000, String(call.task_ms));
});

test('an event without the result is recorded when a task ends', async () => {
  const { job, tool } = await makeJobTool();
  const { task } = await start(tool);
  done(job, { confidential: 'yes' });
  await poll();
  const path = `/projects/${tenant.id}/events?type=task.completed`;
  const { data } = expectResponse(await api('GET', path, { key: keys.admin }), 200);
  const event = data.find((each: { data: { id: string } }) => each.data.id === task.id);
  assert.equal(event.data.status, 'completed');
  assert.ok(!JSON.stringify(event).includes('confidential'));
});

test('the same call again gets the task, which is started once; another caller has one of its own', async () => {
  const { job, tool } = await makeJobTool();
  const first = await start(tool, { n: 1 });
  const again = await start(tool, { n: 1 });
  assert.equal(again.task.id, first.task.id);
  assert.notEqual(again.call_id, first.call_id);
  const other = await start(tool, { n: 2 });
  assert.notEqual(other.task.id, first.task.id);
  const { key } = await makeKey(server, tenant.id, ['read']);
  assert.notEqual((await start(tool, { n: 1 }, key)).task.id, first.task.id);
  assert.equal(job.starts().length, 3);
  done(job, {});
  await poll();
  assert.notEqual((await start(tool, { n: 1 })).task.id, first.task.id);
});

test('a call that arrives while the first request is under way gets its task, and its result', async () => {
  const { job, tool } = await makeJobTool();
  const { promise: hold, resolve: release } = Promise.withResolvers<void>();
  customer.respond(job.start, { hold, status: 200, body: { state: 'done', n: 5 } });
  const first = execute(server, keys.read, tool.id);
  while (job.starts().length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  const { task } = await start(tool);
  assert.equal(task.status, 'working');
  release();
  expectResponse(await first, 200);
  const { status, result } = await read(task.id);
  assert.deepEqual([status, result.body.n], ['completed', 5]);
  assert.equal(job.starts().length, 1);
});

test('a task that nobody but its caller knows of is gone with a first response that is the result', async () => {
  const { job, tool } = await makeJobTool();
  customer.respond(job.start, { body: { state: 'done' } });
  expectResponse(await execute(server, keys.read, tool.id), 200);
  const { rows } = await server.app.pool.query('select from tasks where tool_id = $1', [tool.id]);
  assert.deepEqual(rows, []);
});

test('a start whose process ended is TASK_START_UNKNOWN when it must be over, and is not sent again', async () => {
  const { job, tool } = await makeJobTool();
  const { task } = await start(tool);
  // As a process leaves it that ends between the request and its response.
  await server.app.pool.query(`update tasks set status = 'starting', job = null where id = $1`, [task.id]);
  await poll(700);
  const { status, error } = await read(task.id);
  assert.deepEqual([status, error.code], ['failed', 'TASK_START_UNKNOWN']);
  assert.equal(job.starts().length, 1);
  assert.equal(job.polls().length, 0);
});

test('a retry with the same Idempotency-Key gets the task again', async () => {
  const { job, tool } = await makeJobTool();
  const headers = { 'idempotency-key': 'export-may' };
  const first = expectResponse(await execute(server, keys.read, tool.id, {}, headers), 202);
  const again = expectResponse(await execute(server, keys.read, tool.id, {}, headers), 202);
  assert.deepEqual([again.call_id, again.task.id], [first.call_id, first.task.id]);
  assert.equal(job.starts().length, 1);
});

test('20 tasks of a caller work at the same time at most; the next call is refused before anything is sent', async () => {
  const { job, tool } = await makeJobTool();
  const { key } = await makeKey(server, tenant.id, ['read']);
  for (let n = 0; n < 20; n++) await start(tool, { n }, key);
  const response = await execute(server, key, tool.id, { n: 20 });
  const { error } = expectResponse(response, 429);
  assert.equal(error.code, 'TOO_MANY_TASKS');
  assert.ok(Number(response.headers.get('retry-after')) > 0);
  assert.equal(job.starts().length, 20);
  // The same call again is not one more.
  await start(tool, { n: 3 }, key);
});
