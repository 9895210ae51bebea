// A process that is killed while calls are tasks: no task that was told is lost, none is started twice, and a start whose job is not
// known is not sent again.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openPool } from '../../src/database/connection.ts';
import { copyTemplate } from '../support/database/test-database.ts';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { makeJobApi, pollingOf } from '../support/peers/job-api.ts';
import { startProcess } from '../support/servers/start-process.ts';
import { MASTER_KEY, ROOT_KEY } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const customer = await startCustomer({ is_plain: true });
after(() => customer.close());
const { url, drop } = await copyTemplate();
after(drop);
const pool = openPool({ connectionString: url }, { size: 2, connect_timeout_ms: 60_000 });
after(() => pool.end());

const start = () =>
  startProcess({
    DATABASE_URL: url,
    TOOLGATE_ROOT_KEY: ROOT_KEY,
    TOOLGATE_MASTER_KEYS: MASTER_KEY,
    TOOLGATE_EGRESS_ALLOW: `http://${customer.address}`,
  });

test('tasks that were told are polled on after kill -9, and a start whose job is unknown is not sent again', async () => {
  const killed = await start();
  const { id, keys } = await makeTenant(killed, { plan: 'enterprise' });
  const job = makeJobApi(customer);
  const body = {
    name: 'export_orders',
    base_url: customer.url,
    endpoint_path: job.start,
    input_schema: { type: 'object' },
    polling: { ...pollingOf(job), interval_seconds: 1 },
  };
  const tool = expectResponse(await killed.api('POST', '/custom-tools', { key: keys.write, body }), 201);
  const execute = (n: number) =>
    killed.api('POST', `/custom-tools/${tool.id}/execute`, { key: keys.read, body: { arguments: { n } } });
  const told = [];
  for (let n = 0; n < 5; n++) told.push(expectResponse(await execute(n), 202).task.id);
  // This one is killed between its request and the response.
  customer.respond(job.start, { hang: true });
  const lost = execute(5).catch(() => null);
  await waitUntil(async () => job.starts().length === 6, 10_000, 'the last start was sent');
  await killed.stop('SIGKILL');
  assert.equal(await lost, null);

  job.say({ body: { state: 'done', output: { n: 1 } } });
  const server = await start();
  after(() => server.stop());
  const read = async (task_id: string) =>
    expectResponse(await server.api('GET', `/projects/${id}/tasks/${task_id}`, { key: keys.read }), 200);
  for (const task_id of told)
    await waitUntil(async () => (await read(task_id)).status === 'completed', 30_000, 'the task is completed');
  // As if its start had to be over by now.
  await pool.query(`update tasks set expires_at = clock_timestamp() where status = 'starting'`);
  await pool.query(`update jobs set run_at = clock_timestamp() where kind = 'task_poll'`);
  const failed = async () => {
    const path = `/projects/${id}/tasks?status=failed`;
    return expectResponse(await server.api('GET', path, { key: keys.read }), 200).data;
  };
  await waitUntil(async () => (await failed()).length === 1, 30_000, 'the unknown start has failed');
  assert.equal((await failed())[0].error.code, 'TASK_START_UNKNOWN');
  assert.equal(job.starts().length, 6);
});
