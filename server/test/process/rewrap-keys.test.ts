// npm run rewrap-keys: a master key is replaced without failing calls, and nothing is lost when the old one is removed.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { execute, makeTool, received } from '../support/make/make-tools.ts';
import { makeWebhook } from '../support/make/make-webhook.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const masterKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const [old, fresh] = [masterKey('old'), masterKey('fresh')];
const environment = { TOOLGATE_EGRESS_ALLOW: customer.address };
// All servers load the new key before any data key is wrapped with it.
const server = await startServer({ ...environment, TOOLGATE_MASTER_KEYS: `${old},${fresh}` });
const DATABASE_URL = server.app.config.database_url ?? '';
const tenant = await makeTenant(server);
const secret = { auth_strategy: 'bearer_token', encrypted_auth_secret: 'kept-over-the-rotation' };
const tool = await makeTool(server, tenant.keys.write, customer, secret);
const webhook = await makeWebhook(server, customer, tenant.id, { headers: { 'X-Key': 'a header over the rotation' } });

function run(master_keys: string): Promise<{ code: number; output: string }> {
  const command = join(import.meta.dirname, '../../src/commands/rewrap-keys.ts');
  const env = { ...process.env, DATABASE_URL, TOOLGATE_MASTER_KEYS: master_keys };
  return new Promise((done) => {
    execFile(process.execPath, [command], { env }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

test('without the key that is still in use nothing is changed', async () => {
  const { code, output } = await run(fresh);
  assert.equal(code, 1);
  assert.match(output, /secrets are encrypted with master key "old"/);
  assert.ok(!output.includes(fresh.slice(6)) && !output.includes(old.slice(4)), 'a key is printed');
});

test('after the re-wrap, a server with only the new key opens what the old one sealed', async () => {
  const { code, output } = await run(`${fresh},${old}`);
  assert.equal(code, 0, output);
  assert.match(output, /done: [1-9]\d* data keys rewrapped/);
  const again = await run(`${fresh},${old}`);
  assert.match(again.output, /done: 0 data keys rewrapped/);

  const replica = await startServer({ ...environment, DATABASE_URL, TOOLGATE_MASTER_KEYS: fresh });
  const request = await received(replica, customer, tenant.keys.read, tool);
  assert.equal(request.headers.authorization, 'Bearer kept-over-the-rotation');
  expectResponse(await execute(server, tenant.keys.read, tool.id), 200);

  const ping = `/projects/${tenant.id}/webhooks/${webhook.id}/ping`;
  expectResponse(await replica.api('POST', ping, { key: tenant.keys.webhook }), 201);
  await replica.runJobs();
  assert.equal(customer.at(webhook.path)[0]?.headers['x-key'], 'a header over the rotation');
});
