// Calls that go on as tasks, with a real server.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeTenant } from '../../server/test/support/make/make.ts';
import { makeTool } from '../../server/test/support/make/make-tools.ts';
import { startCustomer } from '../../server/test/support/peers/fake-customer.ts';
import { makeJobApi, pollingOf } from '../../server/test/support/peers/job-api.ts';
import { startServer } from '../../server/test/support/servers/start-server.ts';
import { ConflictError, type Task, Toolgate, UpstreamError } from '../src/index.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const tenant = await makeTenant(server, { plan: 'enterprise' });
const toolgate = new Toolgate({ apiKey: tenant.keys.read, baseUrl: server.url, projectId: tenant.id });

async function makeJobTool() {
  const job = makeJobApi(customer);
  const polling = { ...pollingOf(job), interval_seconds: 1 };
  return { job, tool: await makeTool(server, tenant.keys.write, customer, { endpoint_path: job.start, polling }) };
}

/** Jobs run while the client waits. */
async function whileJobsRun<T>(work: Promise<T>): Promise<T> {
  let is_over = false;
  const settled = work.finally(() => {
    is_over = true;
  });
  settled.catch(() => {});
  while (!is_over) {
    server.advance(2_000);
    await server.runJobs();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return settled;
}

test('execute waits for the result of a task, and tells of its progress', async () => {
  const { job, tool } = await makeJobTool();
  const seen: Task['status'][] = [];
  const onProgress = ({ status }: Task) => {
    seen.push(status);
    job.say({ body: { state: 'done', output: { rows: 2 } } });
  };
  const result = await whileJobsRun(toolgate.customTools.execute(tool.id, {}, { onProgress }));
  assert.deepEqual(result.body, { rows: 2 });
  assert.deepEqual([seen[0], seen.at(-1)], ['working', 'completed']);
});

test('without waiting it returns the task, which can be watched and cancelled', async () => {
  const { tool } = await makeJobTool();
  const started = await toolgate.customTools.execute(tool.id, {}, { wait: false });
  assert.ok('task' in started);
  const { id } = started.task;
  await toolgate.tasks.cancel(id);
  const statuses: string[] = [];
  for await (const { status } of toolgate.tasks.watch(id)) statuses.push(status);
  assert.deepEqual(statuses, ['cancelled']);
  await assert.rejects(toolgate.tasks.result(id), ConflictError);
});

test('a task that fails or is cancelled rejects as the call would have', async () => {
  const failing = await makeJobTool();
  failing.job.say({ body: { state: 'error', reason: 'no such month' } });
  await assert.rejects(whileJobsRun(toolgate.customTools.execute(failing.tool.id)), (error: unknown) => {
    assert.ok(error instanceof UpstreamError);
    assert.deepEqual([error.code, error.details.upstream_error], ['TASK_FAILED', 'no such month']);
    return true;
  });
  const cancelled = await makeJobTool();
  const onProgress = ({ id }: Task) => void toolgate.tasks.cancel(id);
  await assert.rejects(
    whileJobsRun(toolgate.customTools.execute(cancelled.tool.id, {}, { onProgress })),
    ConflictError,
  );
});
