// Streams of subscriptions/listen when the process stops.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { messages } from '../mcp/rpc.ts';
import { copyTemplate } from '../support/database/test-database.ts';
import { expectResponse } from '../support/make/make.ts';
import { startProcess } from '../support/servers/start-process.ts';
import { MASTER_KEY, ROOT_KEY } from '../support/servers/start-server.ts';

const database = await copyTemplate();
after(() => database.drop());
const server = await startProcess({
  TOOLGATE_ROOT_KEY: ROOT_KEY,
  TOOLGATE_MASTER_KEYS: MASTER_KEY,
  DATABASE_URL: database.url,
});
after(() => server.stop('SIGKILL'));

const create = async (path: string, body: object) =>
  expectResponse(await server.api('POST', path, { key: ROOT_KEY, body }), 201);

test('SIGTERM ends streams with the answer to their request, and they do not delay it', async () => {
  const { id } = await create('/projects', { name: 'Shop', plan: 'enterprise' });
  const { key } = await create(`/projects/${id}/api-keys`, { name: 'key', permissions: ['read'] });
  const params = { notifications: { toolsListChanged: true } };
  const { headers, body } = messages['2026-07-28']('sub-1', 'subscriptions/listen', params);
  const response = await fetch(`${server.url}/api/v1/mcp`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.equal(response.status, 200);
  const text = response.text();
  const exit = server.stop('SIGTERM');
  const last = (await text).trimEnd().split('\n').at(-1) ?? '';
  const { id: responded, result } = JSON.parse(last.replace('data: ', ''));
  assert.deepEqual([responded, result.resultType], ['sub-1', 'complete']);
  assert.deepEqual(await exit, { code: 0, signal: null });
  assert.doesNotMatch(server.output(), /requests in progress are aborted/);
});
