// The hourly limit of a quota group continues after a restart, whether the process was stopped or killed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { findRunning } from '../../src/database/embedded.ts';
import { copyTemplate } from '../support/database/test-database.ts';
import { expectResponse } from '../support/make/make.ts';
import { type ServerProcess, startProcess } from '../support/servers/start-process.ts';
import { MASTER_KEY, ROOT_KEY } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const LIMIT = 20;

async function makeLimitedKey(server: ServerProcess): Promise<{ key: string; group: string }> {
  const body = { name: 'Shop', plan: 'enterprise', requests_per_hour: LIMIT };
  const project = expectResponse(await server.api('POST', '/projects', { key: ROOT_KEY, body }), 201);
  const made = await server.api('POST', `/projects/${project.id}/api-keys`, {
    key: ROOT_KEY,
    body: { name: 'k', permissions: ['read'] },
  });
  return { key: expectResponse(made, 201).key, group: project.quota_group_id };
}

async function countAllowed(server: ServerProcess, key: string, requests: number): Promise<number> {
  const responses = await Promise.all(Array.from({ length: requests }, () => server.api('GET', '/projects', { key })));
  for (const { status } of responses) assert.ok(status === 200 || status === 429, `status ${status}`);
  return responses.filter(({ status }) => status === 200).length;
}

test('SIGTERM right after a request: every request of the last hour counts after the restart', async () => {
  const first = await startProcess({ TOOLGATE_ROOT_KEY: ROOT_KEY });
  const { key } = await makeLimitedKey(first);
  assert.equal(await countAllowed(first, key, 15), 15);
  assert.deepEqual(await first.stop('SIGTERM'), { code: 0, signal: null });
  const second = await startProcess({ TOOLGATE_ROOT_KEY: ROOT_KEY }, first.data_dir);
  assert.equal(await countAllowed(second, key, 15), LIMIT - 15);
  const refused = await second.api('GET', '/projects', { key });
  expectResponse(refused, 429, 'Rate limit exceeded');
  assert.ok(Number(refused.headers.get('retry-after')) > 3_000);
  await second.stop();
});

test('kill -9 on the embedded database: what was counted more than a second ago counts after the restart', async () => {
  const first = await startProcess({ TOOLGATE_ROOT_KEY: ROOT_KEY });
  const { key, group } = await makeLimitedKey(first);
  assert.equal(await countAllowed(first, key, 15), 15);
  const client = new pg.Client(await findRunning(first.data_dir));
  await client.connect();
  const isStored = async () => {
    const sum = 'select sum(count)::integer as sum from request_counts where quota_group_id = $1';
    return (await client.query(sum, [group])).rows[0].sum === 15;
  };
  await waitUntil(isStored, 5_000, 'the counts are stored');
  await client.end();
  await first.stop('SIGKILL');
  const second = await startProcess({ TOOLGATE_ROOT_KEY: ROOT_KEY }, first.data_dir);
  assert.equal(await countAllowed(second, key, 15), LIMIT - 15);
  await second.stop();
});

test('kill -9 with an external database: every request counts after the restart', async () => {
  const database = await copyTemplate();
  const environment = { TOOLGATE_ROOT_KEY: ROOT_KEY, DATABASE_URL: database.url, TOOLGATE_MASTER_KEYS: MASTER_KEY };
  const first = await startProcess(environment);
  const { key } = await makeLimitedKey(first);
  assert.equal(await countAllowed(first, key, 15), 15);
  await first.stop('SIGKILL');
  const second = await startProcess(environment);
  assert.equal(await countAllowed(second, key, 15), LIMIT - 15);
  await second.stop();
  await database.drop();
});
