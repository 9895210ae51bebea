// Two apps in one process, such as the servers of two tests, share nothing that is kept in memory.

import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { createMemory } from '../../src/app.ts';
import { createListings } from '../../src/features/tools/mcp-servers/listing/thread.ts';
import { startServer } from '../support/servers/start-server.ts';

test('a limit that is used up in one app is not in the other', async () => {
  const environment = { TOOLGATE_DYNAMIC_REGISTRATION: 'on' };
  const [one, other] = [await startServer(environment), await startServer(environment)];
  const body = { redirect_uris: ['https://app.example.com/callback'] };
  const register = async ({ api }: typeof one) => (await api('POST', '/oauth/register', { body })).status;
  for (let i = 0; i < 10; i += 1) assert.equal(await register(one), 201);
  assert.deepEqual([await register(one), await register(other)], [429, 201]);
});

test('the threads of an app end when it closes, and those of another do not', async (t) => {
  const workers: Worker[] = [];
  const onWorker = (message: unknown) => workers.push((message as { worker: Worker }).worker);
  subscribe('worker_threads', onWorker);
  t.after(() => unsubscribe('worker_threads', onWorker));
  const undo: (() => Promise<unknown>)[] = [];
  const undoOther: (() => Promise<unknown>)[] = [];
  const [memory, other] = [createMemory(undo), createMemory(undoOther)];
  for (const { validators, stateOf } of [memory, other]) {
    assert.equal(await validators.checkCompiles({ type: 'object' }, 'org_1'), null);
    stateOf(createListings).open();
  }
  assert.equal(workers.length, 4);
  const ends = workers.slice(0, 2).map((worker) => once(worker, 'exit'));
  for (const step of undo) await step();
  await Promise.all(ends);
  assert.equal(await other.validators.checkCompiles({ type: 'object' }, 'org_1'), null);
  assert.equal(workers.length, 4);
  for (const step of undoOther) await step();
});
