// toolgate rebuild-rollups: corrects rollups while a server runs.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startCustomer } from '../fake-customer.ts';
import { expectAnswer, makeTenant } from '../make.ts';
import { execute, makeTool } from '../make-tools.ts';
import { ROOT_KEY, startServer } from '../start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { app } = server;

function run(): Promise<{ code: number; output: string }> {
  const command = join(import.meta.dirname, '../../../cli/src/main.ts');
  const { database_url } = app.config;
  const env = { ...process.env, DATABASE_URL: database_url ?? '', TOOLGATE_MASTER_KEYS: `t1:${'A'.repeat(43)}=` };
  return new Promise((done) => {
    execFile(process.execPath, [command, 'rebuild-rollups'], { env }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

test('what is wrong with the rollups is corrected and reported, day by day', async () => {
  const tenant = await makeTenant(server);
  const tool = await makeTool(server, tenant.keys.write, customer);
  for (let i = 0; i < 3; i += 1) expectAnswer(await execute(server, tenant.keys.read, tool.id), 200);
  await app.batch_writer.flush();
  const totals = async () => {
    const { body } = await server.api('GET', `/projects/${tenant.id}/analytics`, { key: ROOT_KEY });
    return [body.totals.calls, body.totals.errors];
  };
  await app.database
    .updateTable('call_rollups')
    .set({ calls: 8, errors: 5 })
    .where('dimension', '=', 'total')
    .execute();
  assert.deepEqual(await totals(), [8, 5]);

  const { code, output } = await run();
  assert.equal(code, 0, output);
  assert.match(output, /^\d{4}-\d\d-\d\d: 1 projects, \d+ counts corrected$/m);
  assert.match(output, /^[1-9]\d* counts corrected$/m);
  assert.deepEqual(await totals(), [3, 0]);
  assert.match((await run()).output, /^nothing to do: every count is right$/m);
});
