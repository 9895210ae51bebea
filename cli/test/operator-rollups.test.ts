// toolgate rebuild-rollups: corrects rollups while a server runs.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectResponse, makeTenant } from '../../server/test/support/make/make.ts';
import { execute, makeTool } from '../../server/test/support/make/make-tools.ts';
import { startCustomer } from '../../server/test/support/peers/fake-customer.ts';
import { MASTER_KEY, ROOT_KEY, startServer } from '../../server/test/support/servers/start-server.ts';
import { runToolgate } from './run-toolgate.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { app } = server;

const run = () =>
  runToolgate(['rebuild-rollups'], {
    DATABASE_URL: app.config.database_url ?? '',
    TOOLGATE_MASTER_KEYS: MASTER_KEY,
  });

test('what is wrong with the rollups is corrected and reported, day by day', async () => {
  const tenant = await makeTenant(server);
  const tool = await makeTool(server, tenant.keys.write, customer);
  for (let i = 0; i < 3; i += 1) expectResponse(await execute(server, tenant.keys.read, tool.id), 200);
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

  const { code, stdout, stderr } = await run();
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^\d{4}-\d\d-\d\d: 1 projects, \d+ counts corrected$/m);
  assert.match(stderr, /^[1-9]\d* counts corrected$/m);
  assert.deepEqual(await totals(), [3, 0]);
  assert.match((await run()).stderr, /^nothing to do: every count is correct$/m);
});
