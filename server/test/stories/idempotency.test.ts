// Idempotency-Key: a retried POST makes nothing twice, and an answer that got lost is not lost (contract 1).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expectResponse, makeKey, makeProject, makeTenant, unique } from '../support/make/make.ts';
import type { ApiResponse, CallOptions } from '../support/requests/call-api.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const server = await startServer();
const { api, app } = server;
const HOUR_MS = 3_600_000;

const keysOf = (project_id: string) => `/projects/${project_id}/api-keys`;
const post = (path: string, token: string, options: CallOptions) =>
  api('POST', path, { ...options, headers: { 'idempotency-key': token } });
const newKey = () => ({ name: unique('key'), permissions: ['read'] });

async function countKeys(project_id: string): Promise<number> {
  const { rows } = await app.pool.query('select count(*) as many from api_keys where project_id = $1', [project_id]);
  return rows[0].many;
}

function isReplay(response: ApiResponse): boolean {
  return response.headers.get('idempotent-replayed') === 'true';
}

/** Holds what this statement locks, so that whoever needs it waits until `release`. */
async function hold(statement: string, values: unknown[]) {
  const client = new pg.Client(app.config.database_url ?? '');
  await client.connect();
  await client.query('begin');
  await client.query(statement, values);
  let isReleased = false;
  return {
    /** The connections that wait, once there are so many. */
    async waiting(many = 1): Promise<number[]> {
      while (!isReleased) {
        const { rows } = await client.query(
          `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        if (rows.length >= many) return rows.map(({ pid }) => pid);
        await sleep(5);
      }
      return [];
    },
    kill: (pid: number) => client.query('select pg_terminate_backend($1)', [pid]),
    async release() {
      isReleased = true;
      await client.query('rollback');
      await client.end();
    },
  };
}

const holdProject = (project_id: string) => hold('select from projects where id = $1 for update', [project_id]);

test('the same call again gives the first answer, with its secret, and makes nothing', async () => {
  const { id, keys } = await makeTenant(server);
  const [token, body] = [unique('token'), newKey()];
  const first = await post(keysOf(id), token, { key: keys.admin, body });
  const again = await post(keysOf(id), token, { key: keys.admin, body });
  expectResponse(first, 201);
  expectResponse(again, 201);
  assert.equal(again.text, first.text);
  assert.deepEqual([isReplay(first), isReplay(again)], [false, true]);
  assert.equal(again.headers.get('content-type'), first.headers.get('content-type'));
  assert.equal(await countKeys(id), 5);
  expectResponse(await api('GET', '/projects', { key: again.body.key }), 200);
});

test('every POST that creates takes one: projects and rotations too', async () => {
  const { id } = await makeProject(server);
  const old = await makeKey(server, id);
  for (const [path, body] of [
    ['/projects', { name: unique('project') }],
    [`${keysOf(id)}/${old.id}/rotate`, { overlap_seconds: 60 }],
  ] as const) {
    const token = unique('token');
    const first = await post(path, token, { key: ROOT_KEY, body });
    const again = await post(path, token, { key: ROOT_KEY, body });
    expectResponse(first, 201);
    assert.equal(again.text, first.text);
    assert.ok(isReplay(again));
  }
  assert.equal(await countKeys(id), 2);
});

test('the order of members and the space between them make no other call', async () => {
  const { id } = await makeProject(server);
  const token = unique('token');
  const first = await post(keysOf(id), token, { key: ROOT_KEY, body: '{"name":"a","permissions":["read"]}' });
  const again = await post(keysOf(id), token, {
    key: ROOT_KEY,
    body: '{ "permissions": ["read"], "name": "\\u0061" }',
  });
  expectResponse(first, 201);
  assert.equal(again.text, first.text);
});

test('with another body or another path it is 422 and makes nothing', async () => {
  const { id } = await makeProject(server);
  const old = await makeKey(server, id);
  const token = unique('token');
  expectResponse(await post(keysOf(id), token, { key: ROOT_KEY, body: { name: 'a', permissions: ['read'] } }), 201);
  for (const [path, body] of [
    [keysOf(id), { name: 'a', permissions: ['write'] }],
    [keysOf(id), { name: 'b', permissions: ['read'] }],
    [`${keysOf(id)}/${old.id}/rotate`, { overlap_seconds: 0 }],
  ] as const) {
    const response = await post(path, token, { key: ROOT_KEY, body });
    const { error } = expectResponse(response, 422, 'Idempotency key was used with another request');
    assert.equal(error.details.field, 'Idempotency-Key');
    assert.ok(!('value' in error.details));
  }
  assert.equal(await countKeys(id), 2);
});

test('while the first call is in flight the second is 409; afterwards it gets the first answer', async () => {
  const { id } = await makeProject(server);
  const [token, body] = [unique('token'), newKey()];
  const held = await holdProject(id);
  const first = post(keysOf(id), token, { key: ROOT_KEY, body });
  await held.waiting();
  const second = await Promise.race([post(keysOf(id), token, { key: ROOT_KEY, body }), held.waiting(2)]);
  await held.release();
  assert.ok('status' in second, 'the second call waits for the first');
  expectResponse(second, 409, 'Idempotency key in use');
  assert.equal(second.headers.get('retry-after'), '1');
  const made = expectResponse(await first, 201);
  assert.deepEqual(expectResponse(await post(keysOf(id), token, { key: ROOT_KEY, body }), 201), made);
  assert.equal(await countKeys(id), 1);
});

test('a call whose connection dies keeps nothing: the retry makes it, once', async () => {
  const { id } = await makeProject(server);
  const [token, body] = [unique('token'), newKey()];
  const held = await holdProject(id);
  const lost = post(keysOf(id), token, { key: ROOT_KEY, body });
  for (const pid of await held.waiting()) await held.kill(pid);
  expectResponse(await lost, 503, 'Service unavailable');
  await held.release();
  const retry = await post(keysOf(id), token, { key: ROOT_KEY, body });
  expectResponse(retry, 201);
  assert.equal(isReplay(retry), false);
  assert.equal(await countKeys(id), 1);
});

test('a call that dies while its answer is kept has made nothing: both or neither', async () => {
  const { id } = await makeProject(server);
  const [token, body] = [unique('token'), newKey()];
  const held = await hold(
    `insert into idempotency_keys (scope, key, fingerprint, expires_at) values ($1, $2, '', now())`,
    [id, token],
  );
  const lost = post(keysOf(id), token, { key: ROOT_KEY, body });
  for (const pid of await held.waiting()) await held.kill(pid);
  expectResponse(await lost, 503);
  await held.release();
  assert.equal(await countKeys(id), 0);
  expectResponse(await post(keysOf(id), token, { key: ROOT_KEY, body }), 201);
  assert.equal(await countKeys(id), 1);
});

test('of many calls at the same time one makes the resource, and all that succeed give the same', async () => {
  const { id } = await makeProject(server);
  const [token, body] = [unique('token'), newKey()];
  const responses = await Promise.all(
    Array.from({ length: 12 }, () => post(keysOf(id), token, { key: ROOT_KEY, body })),
  );
  for (const { status, text } of responses) assert.ok(status === 201 || status === 409, text);
  assert.equal(new Set(responses.filter(({ status }) => status === 201).map(({ text }) => text)).size, 1);
  assert.equal(await countKeys(id), 1);
});

test('a refused call keeps nothing: the corrected one may use the same token', async () => {
  const { id, keys } = await makeTenant(server);
  const [token, body] = [unique('token'), newKey()];
  expectResponse(await post(keysOf(id), token, { key: keys.admin, body: { ...body, color: 'red' } }), 422);
  expectResponse(await post(keysOf(id), token, { key: keys.read, body }), 403);
  expectResponse(
    await post(keysOf(id), token, { key: keys.admin, body: { ...body, expires_at: '2020-01-01T00:00:00Z' } }),
    422,
  );
  const made = await post(keysOf(id), token, { key: keys.admin, body });
  expectResponse(made, 201);
  assert.equal(isReplay(made), false);
});

test('another project, and the root key without a project, have tokens of their own', async () => {
  const [one, two] = [await makeTenant(server), await makeTenant(server)];
  const [token, body] = [unique('token'), newKey()];
  const first = expectResponse(await post(keysOf(one.id), token, { key: one.keys.admin, body }), 201);
  const other = expectResponse(await post(keysOf(two.id), token, { key: two.keys.admin, body }), 201);
  assert.notEqual(first.id, other.id);
  assert.equal(other.project_id, two.id);
  const project = await post('/projects', token, { key: ROOT_KEY, body: { name: unique('project') } });
  expectResponse(project, 201);
  assert.equal(isReplay(project), false);
});

test('a key never gets the answer of a call with other permissions', async () => {
  const { id, keys } = await makeTenant(server);
  const [token, body] = [unique('token'), { name: unique('sibling') }];
  const byAdmin = expectResponse(await post('/projects', token, { key: keys.admin, body }), 201);
  const byWriter = await post('/projects', token, { key: keys.write, body });
  expectResponse(byWriter, 422, 'Idempotency key was used with another request');
  assert.ok(!byWriter.text.includes(byAdmin.api_key.key));
  const equal = await makeKey(server, id, ['admin']);
  assert.deepEqual(expectResponse(await post('/projects', token, { key: equal.key, body }), 201), byAdmin);
});

test('a revoked key gets no kept answer', async () => {
  const { id } = await makeProject(server);
  const admin = await makeKey(server, id, ['admin']);
  const [token, body] = [unique('token'), newKey()];
  expectResponse(await post(keysOf(id), token, { key: admin.key, body }), 201);
  expectResponse(await api('POST', `${keysOf(id)}/${admin.id}/revoke`, { key: ROOT_KEY }), 200);
  expectResponse(await post(keysOf(id), token, { key: admin.key, body }), 401);
});

test('an answer is kept for 24 hours; then the token is free again', async () => {
  const { id } = await makeProject(server);
  const [token, body] = [unique('token'), newKey()];
  const first = expectResponse(await post(keysOf(id), token, { key: ROOT_KEY, body }), 201);
  server.advance(24 * HOUR_MS - 60_000);
  assert.deepEqual(expectResponse(await post(keysOf(id), token, { key: ROOT_KEY, body }), 201), first);
  server.advance(60_000);
  const later = expectResponse(await post(keysOf(id), token, { key: ROOT_KEY, body }), 201);
  assert.notEqual(later.id, first.id);
  assert.deepEqual(expectResponse(await post(keysOf(id), token, { key: ROOT_KEY, body }), 201), later);
});

test('the kept answer is sealed: the database holds nothing of the secret or the record', async () => {
  const { id } = await makeProject(server);
  const [token, body] = [unique('token'), newKey()];
  const { key, id: api_key_id } = expectResponse(await post(keysOf(id), token, { key: ROOT_KEY, body }), 201);
  const { rows } = await app.pool.query('select k::text as text, answer from idempotency_keys k where scope = $1', [
    id,
  ]);
  assert.equal(rows.length, 1);
  for (const part of [key, key.slice(12), api_key_id, body.name]) assert.ok(!rows[0].text.includes(part));
  assert.ok(!Buffer.from(rows[0].answer, 'base64').toString('latin1').includes(key.slice(12)));
});

test('without the header every call makes its own', async () => {
  const { id } = await makeProject(server);
  const body = newKey();
  for (let i = 0; i < 2; i += 1) expectResponse(await api('POST', keysOf(id), { key: ROOT_KEY, body }), 201);
  assert.equal(await countKeys(id), 2);
});

for (const [what, token] of Object.entries({
  empty: '',
  'with a space': 'a b',
  'of 256 characters': 'x'.repeat(256),
  'not ASCII': 'é',
})) {
  test(`a token ${what} is 422 and named`, async () => {
    const { id } = await makeProject(server);
    const { error } = expectResponse(
      await post(keysOf(id), token, { key: ROOT_KEY, body: newKey() }),
      422,
      'Validation error',
    );
    assert.match(error.details.field, /^idempotency-key$/i);
    assert.equal(await countKeys(id), 0);
  });
}
