// Nothing acknowledged is lost when the process is killed: before a delivery, in the middle of one, and between two attempts.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { copyTemplate } from '../support/database/test-database.ts';
import { expectResponse, unique } from '../support/make/make.ts';
import { makeWebhook } from '../support/make/make-webhook.ts';
import { type Customer, startCustomer } from '../support/peers/fake-customer.ts';
import { writeAuthorityFile } from '../support/peers/write-authority-file.ts';
import { type ServerProcess, startProcess } from '../support/servers/start-process.ts';
import { MASTER_KEY, ROOT_KEY } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const WITHIN_MS = 60_000;

const authorityFile = writeAuthorityFile();

async function setUp() {
  const receiver = await startCustomer();
  after(() => receiver.close());
  const database = await copyTemplate();
  after(database.drop);
  const environment = {
    DATABASE_URL: database.url,
    TOOLGATE_MASTER_KEYS: MASTER_KEY,
    TOOLGATE_ROOT_KEY: ROOT_KEY,
    TOOLGATE_EGRESS_ALLOW: receiver.address,
    NODE_EXTRA_CA_CERTS: authorityFile,
  };
  const server = await startProcess(environment);
  const body = { name: unique('project') };
  const project = expectResponse(await server.api('POST', '/projects', { key: ROOT_KEY, body }), 201);
  const webhook = await makeWebhook(server, receiver, project.id, { events: ['api_key.created'] });
  return { receiver, environment, server, project_id: project.id as string, webhook };
}

/** Creates keys concurrently. Returns the ids of the acknowledged ones. */
async function makeKeys(server: ServerProcess, project_id: string, count: number): Promise<string[]> {
  const body = { name: 'k', permissions: ['read'] };
  const path = `/projects/${project_id}/api-keys`;
  const responses = await Promise.all(
    Array.from({ length: count }, () => server.api('POST', path, { key: ROOT_KEY, body })),
  );
  return responses.map((response) => expectResponse(response, 201).id as string);
}

/** The ids of the received events, by key id. */
function receivedEvents(receiver: Customer, path: string, from = 0): Map<string, Set<string>> {
  const events = new Map<string, Set<string>>();
  for (const { body } of receiver.at(path).slice(from)) {
    const { id, data } = JSON.parse(String(body));
    events.set(data.id, (events.get(data.id) ?? new Set()).add(id));
  }
  return events;
}

test('killed with deliveries waiting and in progress, it delivers every acknowledged event after the restart', async () => {
  const { receiver, environment, server, project_id, webhook } = await setUp();
  receiver.respond(webhook.path, { hang: true });
  const keys = await makeKeys(server, project_id, 20);
  await waitUntil(async () => receiver.at(webhook.path).length === 5, WITHIN_MS, 'five deliveries are under way');
  await server.stop('SIGKILL');

  receiver.respond(webhook.path, { status: 200 });
  const before = receiver.at(webhook.path).length;
  await startProcess(environment, server.data_dir);
  const all = async () => keys.every((id) => receivedEvents(receiver, webhook.path, before).has(id));
  await waitUntil(all, WITHIN_MS, 'every event has arrived');
  // The five that were in progress are delivered twice, with the same id.
  for (const id of keys) assert.equal(receivedEvents(receiver, webhook.path).get(id)?.size, 1);
});

test('killed between two attempts, it makes the next one in time, with the same id', async () => {
  const { receiver, environment, server, project_id, webhook } = await setUp();
  receiver.respond(webhook.path, { status: 500 });
  const [key] = await makeKeys(server, project_id, 1);
  assert.ok(key);
  const deliveries = `/projects/${project_id}/webhooks/${webhook.id}/deliveries`;
  const isNoted = async () => (await server.api('GET', deliveries, { key: ROOT_KEY })).body.data[0].attempt_count === 1;
  await waitUntil(isNoted, WITHIN_MS, 'the first attempt has failed');
  await server.stop('SIGKILL');

  receiver.respond(webhook.path, { status: 200 });
  const second = await startProcess(environment, server.data_dir);
  const isDone = async () => {
    const { body } = await second.api('GET', deliveries, { key: ROOT_KEY });
    return body.data[0].status === 'succeeded';
  };
  await waitUntil(isDone, WITHIN_MS, 'the second attempt has succeeded');
  assert.equal(receiver.at(webhook.path).length, 2);
  assert.equal(receivedEvents(receiver, webhook.path).get(key)?.size, 1);
});

test('killed while changes are being made, it has an event for each acknowledged change', async () => {
  const { receiver, environment, server, project_id, webhook } = await setUp();
  const acknowledged: string[] = [];
  const body = { name: 'k', permissions: ['read'] };
  const path = `/projects/${project_id}/api-keys`;
  const makeUntilKilled = async () => {
    for (;;) {
      const response = await server.api('POST', path, { key: ROOT_KEY, body });
      acknowledged.push(expectResponse(response, 201).id);
    }
  };
  const makers = Array.from({ length: 4 }, () => makeUntilKilled().catch(() => {}));
  await waitUntil(async () => acknowledged.length > 50, WITHIN_MS, 'some changes are acknowledged');
  await server.stop('SIGKILL');
  await Promise.all(makers);

  await startProcess(environment, server.data_dir);
  const all = async () => acknowledged.every((id) => receivedEvents(receiver, webhook.path).has(id));
  await waitUntil(all, WITHIN_MS, 'every event has arrived');
  for (const ids of receivedEvents(receiver, webhook.path).values()) assert.equal(ids.size, 1);
});

test('on SIGTERM it finishes or releases the jobs in progress and exits with 0', async () => {
  const { receiver, environment, server, project_id, webhook } = await setUp();
  receiver.respond(webhook.path, { hang: true });
  const [key] = await makeKeys(server, project_id, 1);
  assert.ok(key);
  await waitUntil(async () => receiver.at(webhook.path).length === 1, WITHIN_MS, 'a delivery is under way');
  assert.deepEqual(await server.stop(), { code: 0, signal: null });
  receiver.respond(webhook.path, { status: 200 });
  await startProcess(environment, server.data_dir);
  await waitUntil(async () => receiver.at(webhook.path).length === 2, WITHIN_MS, 'it is delivered');
  assert.equal(receivedEvents(receiver, webhook.path).get(key)?.size, 1);
});
