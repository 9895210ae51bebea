// The background while the database is away: it neither ends the process nor forgets, and goes on by itself.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { cutOff } from '../cut-off.ts';
import { startCustomer, testAuthority } from '../fake-customer.ts';
import { expectAnswer } from '../make.ts';
import { makeWebhook } from '../make-webhook.ts';
import { startProcess, until } from '../start-process.ts';
import { ROOT_KEY } from '../start-server.ts';
import { copyTemplate } from '../test-database.ts';

const WITHIN_MS = 30_000;

test('an answer that comes while the database is away is written down when it is back, once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-ca-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'ca.pem'), testAuthority.certificate);
  const receiver = await startCustomer();
  after(() => receiver.close());
  const database = await copyTemplate();
  after(database.drop);
  const way = await cutOff(database.url);
  const server = await startProcess({
    DATABASE_URL: way.url,
    TOOLGATE_ROOT_KEY: ROOT_KEY,
    TOOLGATE_MASTER_KEYS: `t1:${Buffer.alloc(32, 7).toString('base64')}`,
    TOOLGATE_EGRESS_ALLOW: receiver.address,
    NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
  });
  const body = { name: 'Shop', plan: 'enterprise' };
  const project = expectAnswer(await server.api('POST', '/projects', { key: ROOT_KEY, body }), 201);
  const webhook = await makeWebhook(server, receiver, project.id);
  const held = Promise.withResolvers<void>();
  receiver.answer(webhook.path, { status: 200, hold: held.promise });
  const ping = `/projects/${project.id}/webhooks/${webhook.id}/ping`;
  const delivery = expectAnswer(await server.api('POST', ping, { key: ROOT_KEY }), 201);
  await until(async () => receiver.at(webhook.path).length === 1, WITHIN_MS, 'the delivery is under way');

  await way.cut();
  held.resolve();
  await until(async () => (await server.api('GET', '/readyz')).status === 503, WITHIN_MS, 'the database is missed');
  await way.restore();

  const path = `/projects/${project.id}/webhooks/${webhook.id}/deliveries/${delivery.id}`;
  const isDone = async () => (await server.api('GET', path, { key: ROOT_KEY })).body.status === 'succeeded';
  await until(isDone, WITHIN_MS, 'the delivery is written down');
  const { attempts } = expectAnswer(await server.api('GET', path, { key: ROOT_KEY }), 200);
  assert.equal(attempts.length, 1);
  assert.equal(receiver.at(webhook.path).length, 1);

  expectAnswer(await server.api('POST', ping, { key: ROOT_KEY }), 201);
  await until(async () => receiver.at(webhook.path).length === 2, WITHIN_MS, 'the next one arrives too');
});
