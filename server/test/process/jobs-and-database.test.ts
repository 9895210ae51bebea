// Background jobs while the database is unavailable: the process survives, and the results are saved afterwards.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startDatabaseProxy } from '../support/database/database-proxy.ts';
import { copyTemplate } from '../support/database/test-database.ts';
import { expectResponse } from '../support/make/make.ts';
import { makeWebhook } from '../support/make/make-webhook.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { writeAuthorityFile } from '../support/peers/write-authority-file.ts';
import { startProcess } from '../support/servers/start-process.ts';
import { MASTER_KEY, ROOT_KEY } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const WITHIN_MS = 60_000;

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
  const project = expectResponse(await server.api('POST', '/projects', { key: ROOT_KEY, body }), 201);
  const webhook = await makeWebhook(server, receiver, project.id);
  const held = Promise.withResolvers<void>();
  receiver.respond(webhook.path, { status: 200, hold: held.promise });
  const ping = `/projects/${project.id}/webhooks/${webhook.id}/ping`;
  const delivery = expectResponse(await server.api('POST', ping, { key: ROOT_KEY }), 201);
  await waitUntil(async () => receiver.at(webhook.path).length === 1, WITHIN_MS, 'the delivery is under way');

  await proxy.cut();
  held.resolve();
  await waitUntil(async () => (await server.api('GET', '/readyz')).status === 503, WITHIN_MS, 'the database is missed');
  await proxy.restore();

  const path = `/projects/${project.id}/webhooks/${webhook.id}/deliveries/${delivery.id}`;
  const isDone = async () => (await server.api('GET', path, { key: ROOT_KEY })).body.status === 'succeeded';
  await waitUntil(isDone, WITHIN_MS, 'the delivery is written down');
  const { attempts } = expectResponse(await server.api('GET', path, { key: ROOT_KEY }), 200);
  assert.equal(attempts.length, 1);
  assert.equal(receiver.at(webhook.path).length, 1);

  expectResponse(await server.api('POST', ping, { key: ROOT_KEY }), 201);
  await waitUntil(async () => receiver.at(webhook.path).length === 2, WITHIN_MS, 'the next one arrives too');
});
