// The call log when the process stops: no call is lost, and no stream delays it.

import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { after, test } from 'node:test';
import pg from 'pg';
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

const create = async (path: string, key: string, body: object) =>
  expectResponse(await server.api('POST', path, { key, body }), 201);

test('SIGTERM writes every call that was answered, ends the streams at once, and exits with 0', async () => {
  const { id } = await create('/projects', ROOT_KEY, { name: 'Shop', plan: 'enterprise' });
  const { key } = await create(`/projects/${id}/api-keys`, ROOT_KEY, { name: 'key', permissions: ['admin'] });
  const fields = { name: 'tool', base_url: 'https://api.example.com', endpoint_path: '/' };
  const tool = await create('/custom-tools', key, fields);
  const url = `${server.url}/api/v1/projects/${id}/tool-calls/stream`;
  const stream = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers: { authorization: `Bearer ${key}` }, agent: false }, resolve).on('error', reject);
  });
  const ended = new Promise((resolve) => stream.resume().once('end', resolve));

  // Refused before anything is sent, and recorded like every call.
  const call = { key, body: { arguments: { project_id: 'x' } } };
  const responses = await Promise.all(
    Array.from({ length: 50 }, () => server.api('POST', `/custom-tools/${tool.id}/execute`, call)),
  );
  for (const response of responses) expectResponse(response, 400);
  const exit = server.stop('SIGTERM');
  await ended;
  assert.deepEqual(await exit, { code: 0, signal: null });
  assert.doesNotMatch(server.output(), /requests in progress are aborted/);

  const client = new pg.Client(database.url);
  await client.connect();
  const { rows } = await client.query('select request_id from tool_calls where project_id = $1', [id]);
  await client.end();
  assert.deepEqual(
    rows.map(({ request_id }) => request_id).sort(),
    responses.map(({ headers }) => headers.get('x-request-id')).sort(),
  );
});
