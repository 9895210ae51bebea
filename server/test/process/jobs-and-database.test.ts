// Background jobs while the database is unavailable: the process survives, and the results are saved afterwards.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startDatabaseProxy } from '../database-proxy.ts';
import { startCustomer } from '../fake-customer.ts';
import { expectAnswer } from '../make.ts';
import { makeWebhook } from '../make-webhook.ts';
import { startProcess } from '../start-process.ts';
import { MASTER_KEY, ROOT_KEY } from '../start-server.ts';
import { copyTemplate } from '../test-database.ts';
import { waitUntil } from '../wait-until.ts';
import { writeAuthorityFile } from '../write-authority-file.ts';

const WITHIN_MS = 30_000;

test('a response that arrives while the database is unavailable is saved once when it is available again', async () => {
  const receiver = await startCustomer();
  after(() => receiver.close());
  const database = await copyTemplate();
  after(database.drop);
  const proxy = await startDatabaseProxy(database.url);
  const server = await startProcess({
    DATABASE_URL: proxy.url,
    TOOLGATE_ROOT_KEY: ROOT_KEY,
    TOOLGATE_MASTER_KEYS: MASTER_KEY,
    TOOLGATE_EGRESS_ALLOW: receiver.address,
    NODE_EXTRA_CA_CERTS: writeAuthorityFile(),
  });
  const body = { name: 'Shop', plan: 'enterprise' };
  const project = expectAnswer(await server.api('POST', '/projects', { key: ROOT_KEY, body }), 201);
  const webhook = await makeWebhook(server, receiver, project.id);
  const held = Promise.withResolvers<void>();
  receiver.answer(webhook.path, { status: 200, hold: held.promise });
  const ping = `/projects/${project.id}/webhooks/${webhook.id}/ping`;
  const delivery = expectAnswer(await server.api('POST', ping, { key: ROOT_KEY }), 201);
  await waitUntil(async () => receiver.at(webhook.path).length === 1, WITHIN_MS, 'the delivery is under way');

  await proxy.cut();
  held.resolve();
  await waitUntil(async () => (await server.api('GET', '/readyz')).status === 503, WITHIN_MS, 'the database is missed');
  await proxy.restore();

  const path = `/projects/${project.id}/webhooks/${webhook.id}/deliveries/${delivery.id}`;
  const isDone = async () => (await server.api('GET', path, { key: ROOT_KEY })).body.status === 'succeeded';
  await waitUntil(isDone, WITHIN_MS, 'the delivery is written down');
  const { attempts } = expectAnswer(await server.api('GET', path, { key: ROOT_KEY }), 200);
  assert.equal(attempts.length, 1);
  assert.equal(receiver.at(webhook.path).length, 1);

  expectAnswer(await server.api('POST', ping, { key: ROOT_KEY }), 201);
  await waitUntil(async () => receiver.at(webhook.path).length === 2, WITHIN_MS, 'the next one arrives too');
});
