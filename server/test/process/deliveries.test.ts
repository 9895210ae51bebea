// Nothing acknowledged is lost when the process is killed: before a delivery, in the middle of one, and between two attempts.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Customer, startCustomer, testAuthority } from '../fake-customer.ts';
import { expectAnswer, unique } from '../make.ts';
import { makeWebhook } from '../make-webhook.ts';
import { type ServerProcess, startProcess, until } from '../start-process.ts';
import { ROOT_KEY } from '../start-server.ts';

const WITHIN_MS = 30_000;

const folder = mkdtempSync(join(tmpdir(), 'toolgate-ca-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const authority = join(folder, 'ca.pem');
writeFileSync(authority, testAuthority.certificate);

async function world() {
  const receiver = await startCustomer();
  after(() => receiver.close());
  const environment = {
    TOOLGATE_ROOT_KEY: ROOT_KEY,
    TOOLGATE_EGRESS_ALLOW: receiver.address,
    NODE_EXTRA_CA_CERTS: authority,
  };
  const server = await startProcess(environment);
  const body = { name: unique('project') };
  const project = expectAnswer(await server.api('POST', '/projects', { key: ROOT_KEY, body }), 201);
  const webhook = await makeWebhook(server, receiver, project.id, { events: ['api_key.created'] });
  return { receiver, environment, server, project_id: project.id as string, webhook };
}

/** Makes so many keys at once; answers the ids of those that were acknowledged. */
async function makeKeys(server: ServerProcess, project_id: string, count: number): Promise<string[]> {
  const body = { name: 'k', permissions: ['read'] };
  const path = `/projects/${project_id}/api-keys`;
  const answers = await Promise.all(
    Array.from({ length: count }, () => server.api('POST', path, { key: ROOT_KEY, body })),
  );
  return answers.map((answer) => expectAnswer(answer, 201).id as string);
}

/** Key id → the ids of the events that told about it. */
function heard(receiver: Customer, path: string, from = 0): Map<string, Set<string>> {
  const told = new Map<string, Set<string>>();
  for (const { body } of receiver.at(path).slice(from)) {
    const { id, data } = JSON.parse(String(body));
    told.set(data.id, (told.get(data.id) ?? new Set()).add(id));
  }
  return told;
}

test('killed with deliveries waiting and under way, it delivers every acknowledged event after the restart', async () => {
  const { receiver, environment, server, project_id, webhook } = await world();
  receiver.answer(webhook.path, { hang: true });
  const keys = await makeKeys(server, project_id, 20);
  await until(async () => receiver.at(webhook.path).length === 5, WITHIN_MS, 'five deliveries are under way');
  await server.stop('SIGKILL');

  receiver.answer(webhook.path, { status: 200 });
  const before = receiver.at(webhook.path).length;
  await startProcess(environment, server.data_dir);
  const all = async () => keys.every((id) => heard(receiver, webhook.path, before).has(id));
  await until(all, WITHIN_MS, 'every event has arrived');
  // The five that were under way have been told twice, with the same id.
  for (const id of keys) assert.equal(heard(receiver, webhook.path).get(id)?.size, 1);
});

test('killed between two attempts, it makes the next one in time, with the same id', async () => {
  const { receiver, environment, server, project_id, webhook } = await world();
  receiver.answer(webhook.path, { status: 500 });
  const [key] = await makeKeys(server, project_id, 1);
  assert.ok(key);
  const deliveries = `/projects/${project_id}/webhooks/${webhook.id}/deliveries`;
  const isNoted = async () => (await server.api('GET', deliveries, { key: ROOT_KEY })).body.data[0].attempt_count === 1;
  await until(isNoted, WITHIN_MS, 'the first attempt has failed');
  await server.stop('SIGKILL');

  receiver.answer(webhook.path, { status: 200 });
  const second = await startProcess(environment, server.data_dir);
  const isDone = async () => {
    const { body } = await second.api('GET', deliveries, { key: ROOT_KEY });
    return body.data[0].status === 'succeeded';
  };
  await until(isDone, WITHIN_MS, 'the second attempt has succeeded');
  assert.equal(receiver.at(webhook.path).length, 2);
  assert.equal(heard(receiver, webhook.path).get(key)?.size, 1);
});

test('killed while changes are being made, it has an event for each acknowledged change', async () => {
  const { receiver, environment, server, project_id, webhook } = await world();
  const acknowledged: string[] = [];
  const body = { name: 'k', permissions: ['read'] };
  const path = `/projects/${project_id}/api-keys`;
  const makeUntilKilled = async () => {
    for (;;) {
      const answer = await server.api('POST', path, { key: ROOT_KEY, body });
      acknowledged.push(expectAnswer(answer, 201).id);
    }
  };
  const makers = Array.from({ length: 4 }, () => makeUntilKilled().catch(() => {}));
  await until(async () => acknowledged.length > 50, WITHIN_MS, 'some changes are acknowledged');
  await server.stop('SIGKILL');
  await Promise.all(makers);

  await startProcess(environment, server.data_dir);
  const all = async () => acknowledged.every((id) => heard(receiver, webhook.path).has(id));
  await until(all, WITHIN_MS, 'every event has arrived');
  for (const ids of heard(receiver, webhook.path).values()) assert.equal(ids.size, 1);
});

test('asked to stop, it finishes or gives back what is under way and ends with 0', async () => {
  const { receiver, environment, server, project_id, webhook } = await world();
  receiver.answer(webhook.path, { hang: true });
  const [key] = await makeKeys(server, project_id, 1);
  assert.ok(key);
  await until(async () => receiver.at(webhook.path).length === 1, WITHIN_MS, 'a delivery is under way');
  assert.deepEqual(await server.stop(), { code: 0, signal: null });
  receiver.answer(webhook.path, { status: 200 });
  await startProcess(environment, server.data_dir);
  await until(async () => receiver.at(webhook.path).length === 2, WITHIN_MS, 'it is delivered');
  assert.equal(heard(receiver, webhook.path).get(key)?.size, 1);
});
