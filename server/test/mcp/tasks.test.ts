// Calls that take long, over MCP: as tasks for clients that know them, and held for others.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectResponse, makeKey, makeTenant } from '../support/make/make.ts';
import { type MadeTool, makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { type JobApi, makeJobApi, pollingOf } from '../support/peers/job-api.ts';
import { startServer } from '../support/servers/start-server.ts';
import { callTool, legacy, modern } from './rpc.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const tenant = await makeTenant(server, { plan: 'enterprise' });
const { keys } = tenant;
const EXTENSION = 'io.modelcontextprotocol/tasks';
const _meta = { 'io.modelcontextprotocol/clientCapabilities': { extensions: { [EXTENSION]: {} } } };

async function makeJobTool(fields: object = {}, polling: object = {}): Promise<{ job: JobApi; tool: MadeTool }> {
  const job = makeJobApi(customer);
  const tool = await makeTool(server, keys.write, customer, {
    endpoint_path: job.start,
    polling: { ...pollingOf(job), interval_seconds: 1, ...polling },
    ...fields,
  });
  return { job, tool };
}

const call = async (tool: MadeTool, given: object = {}) =>
  expectResponse(await modern(server, keys.read, 'tools/call', { name: tool.name, arguments: given, _meta }), 200)
    .result;

const ofTask = (method: string, taskId: string, more: object = {}, key = keys.read) =>
  modern(server, key, method, { taskId, ...more, _meta }, { headers: { 'mcp-name': taskId } });

async function poll(seconds = 6): Promise<void> {
  server.advance(seconds * 1000);
  await server.runJobs();
}

test('a client that knows tasks gets one, and its result by tasks/get', async () => {
  const { job, tool } = await makeJobTool();
  const created = await call(tool);
  assert.equal(created.resultType, 'task');
  assert.match(created.taskId, /^tsk_/);
  assert.equal(created.status, 'working');
  for (const field of ['ttlMs', 'pollIntervalMs']) assert.ok(Number.isInteger(created[field]) && created[field] > 0);
  for (const field of ['result', 'error', 'inputRequests', 'requestState']) assert.ok(!(field in created), field);

  const working = expectResponse(await ofTask('tasks/get', created.taskId), 200).result;
  assert.deepEqual([working.resultType, working.status, 'result' in working], ['complete', 'working', false]);
  job.say({ body: { state: 'done', output: { rows: 2 } } });
  await poll();
  const { status, result } = expectResponse(await ofTask('tasks/get', created.taskId), 200).result;
  assert.equal(status, 'completed');
  assert.deepEqual([result.resultType, result.structuredContent, result.isError], ['complete', { rows: 2 }, undefined]);
});

test('a job that failed is completed with an error result', async () => {
  const { job, tool } = await makeJobTool();
  const { taskId } = await call(tool);
  job.say({ body: { state: 'error', reason: 'no such month' } });
  await poll();
  const { status, result } = expectResponse(await ofTask('tasks/get', taskId), 200).result;
  assert.deepEqual([status, result.isError], ['completed', true]);
  assert.match(result.content[0].text, /no such month/);
});

test('tasks/cancel and tasks/update acknowledge, also for one that has ended; an unknown task is -32602', async () => {
  const { tool } = await makeJobTool();
  const { taskId } = await call(tool);
  for (const method of ['tasks/cancel', 'tasks/cancel'])
    assert.deepEqual(Object.keys(expectResponse(await ofTask(method, taskId), 200).result), ['resultType', '_meta']);
  assert.equal(expectResponse(await ofTask('tasks/get', taskId), 200).result.status, 'cancelled');
  expectResponse(await ofTask('tasks/update', taskId, { inputResponses: {} }), 200);
  const { key: other } = await makeKey(server, tenant.id, ['read']);
  for (const [id, key] of [
    ['tsk_0000000000000000000000', keys.read],
    ['x', keys.read],
    [taskId, other],
  ] as const)
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update'])
      assert.equal(expectResponse(await ofTask(method, id, { inputResponses: {} }, key), 200).error.code, -32602);
});

test('a client that does not declare the extension is refused with -32021, and headers must agree with the body', async () => {
  const { tool } = await makeJobTool();
  const { taskId } = await call(tool);
  const named = { headers: { 'mcp-name': taskId } };
  for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
    const { error } = expectResponse(await modern(server, keys.read, method, { taskId }, named), 400);
    assert.deepEqual([error.code, error.data.requiredCapabilities], [-32021, { extensions: { [EXTENSION]: {} } }]);
  }
  const wrong = await modern(
    server,
    keys.read,
    'tasks/get',
    { taskId, _meta },
    { headers: { 'mcp-name': 'tsk_other' } },
  );
  assert.equal(expectResponse(wrong, 400).error.code, -32020);
  const { result } = expectResponse(await modern(server, keys.read, 'server/discover', {}), 200);
  assert.deepEqual(result.capabilities.extensions[EXTENSION], {});
});

test('a call whose first request takes longer than 2 s is a task meanwhile', async () => {
  const { job, tool } = await makeJobTool();
  const { promise: hold, resolve: release } = Promise.withResolvers<void>();
  customer.respond(job.start, { hold, body: { state: 'done', n: 3 } });
  const { resultType, taskId } = await call(tool);
  assert.equal(resultType, 'task');
  release();
  for (let tries = 0; tries < 100; tries++) {
    const { status, result } = expectResponse(await ofTask('tasks/get', taskId), 200).result;
    if (status === 'completed') {
      assert.equal(result.structuredContent.n, 3);
      return;
    }
    await sleep(50);
  }
  assert.fail('the task has not ended');
});

test('get_task_result is listed with tools that have polling, and waits for the result', async () => {
  const { job, tool } = await makeJobTool();
  const list = expectResponse(await modern(server, keys.read, 'tools/list'), 200).result.tools;
  assert.equal(list.filter(({ name }: { name: string }) => name === 'get_task_result').length, 1);
  const none = await makeTenant(server, { plan: 'enterprise' });
  const others = expectResponse(await modern(server, none.keys.read, 'tools/list'), 200).result.tools;
  assert.deepEqual(others, []);

  const { taskId } = await call(tool);
  const ask = async (given: object, key = keys.read) =>
    expectResponse(await callTool(legacy, server, key, 'get_task_result', { ...given }), 200).result;
  const waiting = await ask({ task_id: taskId, wait_seconds: 0 });
  assert.equal(waiting.isError, undefined);
  assert.match(waiting.content[0].text, /still working/);
  assert.deepEqual(waiting.structuredContent.task.id, taskId);
  const asking = ask({ task_id: taskId, wait_seconds: 50 });
  job.say({ body: { state: 'done', output: { rows: 9 } } });
  await sleep(100);
  await poll();
  assert.deepEqual((await asking).structuredContent, { rows: 9 });
  const { key } = await makeKey(server, tenant.id, ['read']);
  for (const [given, who] of [
    [{ task_id: taskId }, key],
    [{ task_id: 'x' }, keys.read],
    [{}, keys.read],
  ] as const)
    assert.equal((await ask(given, who)).isError, true);
});

test('for other clients the response is held until the result is there', async () => {
  const { job, tool } = await makeJobTool({ output_schema: { type: 'object', required: ['rows'] } });
  const calling = callTool(legacy, server, keys.read, tool.name, { n: 1 });
  while (job.starts().length === 0) await sleep(20);
  job.say({ body: { state: 'done', output: { rows: 4 } } });
  for (let tries = 0; tries < 50 && job.polls().length === 0; tries++) {
    await sleep(50);
    await poll(2);
  }
  assert.deepEqual(expectResponse(await calling, 200).result.structuredContent, { rows: 4 });
  const [listed] = expectResponse(await modern(server, keys.read, 'tools/list'), 200).result.tools.filter(
    ({ name }: { name: string }) => name === tool.name,
  );
  assert.equal(listed.outputSchema.anyOf.length, 3);
});

test('a client that gave a progress token is told of the progress', async () => {
  const { job, tool } = await makeJobTool();
  const params = { name: tool.name, arguments: { n: 2 }, _meta: { progressToken: 'p1' } };
  const headers = {
    authorization: `Bearer ${keys.read}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  };
  const responding = fetch(`${server.url}/api/v1/mcp`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const text = (await responding).text();
  await poll(2);
  await sleep(700);
  job.say({ body: { state: 'done', percent: 100, output: {} } });
  await poll(2);
  const messages = (await text)
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)));
  const progress = messages.filter(({ method }) => method === 'notifications/progress').map(({ params }) => params);
  assert.ok(progress.length >= 2, JSON.stringify(messages));
  const values = progress.map((each) => each.progress);
  assert.deepEqual(
    values,
    [...new Set(values)].sort((a, b) => a - b),
  );
  assert.equal(messages.at(-1).id, 1);
});

test('over the cap the call is an error result, and nothing is sent', async () => {
  const { job, tool } = await makeJobTool();
  const { key } = await makeKey(server, tenant.id, ['read']);
  const one = (n: number) => modern(server, key, 'tools/call', { name: tool.name, arguments: { n }, _meta });
  for (let n = 0; n < 20; n++) assert.equal(expectResponse(await one(n), 200).result.resultType, 'task');
  const { result } = expectResponse(await one(20), 200);
  assert.equal(result.isError, true);
  assert.equal(result._meta['toolgate/error'].code, 'TOO_MANY_TASKS');
  assert.equal(job.starts().length, 20);
});

test('a stream is told of changes of the tasks it names, and only of those that the caller sees', async () => {
  const { job, tool } = await makeJobTool();
  const { taskId } = await call(tool, { n: 3 });
  const notifications = { taskIds: [taskId, 'tsk_0000000000000000000000'] };
  const refused = await modern(server, keys.read, 'subscriptions/listen', { notifications });
  assert.equal(expectResponse(refused, 400).error.code, -32021);
  const headers = {
    authorization: `Bearer ${keys.read}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'subscriptions/listen',
  };
  const all = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', ..._meta };
  const body = { jsonrpc: '2.0', id: 's', method: 'subscriptions/listen', params: { notifications, _meta: all } };
  const stop = new AbortController();
  const response = await fetch(`${server.url}/api/v1/mcp`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    signal: stop.signal,
  });
  let text = '';
  const reading = (async () => {
    for await (const part of response.body as never as AsyncIterable<Uint8Array>) text += Buffer.from(part).toString();
  })().catch(() => {});
  job.say({ body: { state: 'done', output: { rows: 1 } } });
  await sleep(500);
  await poll(2);
  for (let tries = 0; tries < 100 && !text.includes('"completed"'); tries++) await sleep(50);
  stop.abort();
  await reading;
  const messages = text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)));
  assert.deepEqual(messages[0].params.notifications, { taskIds: [taskId] });
  const [told] = messages.filter(({ method }) => method === 'notifications/tasks');
  assert.equal(told.params.status, 'completed');
  assert.deepEqual(told.params.result.structuredContent, { rows: 1 });
  assert.equal(told.params._meta['io.modelcontextprotocol/subscriptionId'], 's');
});
