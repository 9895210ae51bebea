// Creating an API key: its format, what is stored of it, and which input is refused.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { expectResponse, type MadeKey, makeKey, makeProject, makeTenant } from '../support/make/make.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const server = await startServer();
const { api, app } = server;

const keysOf = (project_id: string) => `/projects/${project_id}/api-keys`;
const inSeconds = (seconds: number) => new Date(app.now() + seconds * 1000).toISOString();
const works = async (made: MadeKey) => expectResponse(await use(made), 200);
const read = async ({ id, project_id }: MadeKey) =>
  expectResponse(await api('GET', `${keysOf(project_id)}/${id}`, { key: ROOT_KEY }), 200);
const change = ({ id, project_id }: MadeKey, body: object) =>
  api('PATCH', `${keysOf(project_id)}/${id}`, { key: ROOT_KEY, body });
const revoke = ({ id, project_id }: MadeKey) => api('POST', `${keysOf(project_id)}/${id}/revoke`, { key: ROOT_KEY });
const use = ({ key, project_id }: { key: string; project_id: string }) =>
  api('GET', `/projects/${project_id}`, { key });

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
function base62(number: number): string {
  let text = '';
  for (let rest = number; text.length < 6; rest = Math.floor(rest / 62)) text = ALPHABET[rest % 62] + text;
  return text;
}

test('a new key is returned with all its fields and its secret, and later without the secret', async () => {
  const tenant = await makeTenant(server);
  const body = { name: 'ci', permissions: ['read', 'webhook'], expires_at: inSeconds(3600) };
  const { key, ...record } = expectResponse(
    await api('POST', keysOf(tenant.id), { key: tenant.keys.admin, body }),
    201,
  );
  assert.match(key, /^svc_test_[0-9A-Za-z]{36}$/);
  const { id, created_at, created_by, expires_at, ...rest } = record;
  assert.match(id, /^key_[0-9A-Za-z]{22}$/);
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/);
  assert.match(created_by, /^key_/);
  assert.equal(Date.parse(expires_at), Date.parse(body.expires_at));
  assert.deepEqual(rest, {
    object: 'api_key',
    project_id: tenant.id,
    integration_id: null,
    name: 'ci',
    permissions: ['read', 'webhook'],
    toolset_ids: null,
    can_approve: false,
    status: 'active',
    prefix: key.slice(0, 12),
    last4: key.slice(-4),
    last_used_at: null,
    rotated_to: null,
  });
  assert.deepEqual(await read({ id, key, project_id: tenant.id }), record);
});

test('the last six characters are the CRC-32 of all before them, in base62', async () => {
  const { keys } = await makeTenant(server);
  for (const key of Object.values(keys)) assert.equal(key.slice(-6), base62(crc32(key.slice(0, -6))));
});

test('keys of a production project begin with svc_live_, others with svc_test_', async () => {
  const [live, test] = [await makeProject(server, { environment: 'production' }), await makeProject(server)];
  assert.match((await makeKey(server, live.id)).key, /^svc_live_/);
  assert.match((await makeKey(server, test.id)).key, /^svc_test_/);
});

test('a key without expires_at, or with null, never expires', async () => {
  const { id } = await makeProject(server);
  for (const fields of [{}, { expires_at: null }])
    assert.equal((await makeKey(server, id, ['read'], fields)).expires_at, null);
});

test('the secret is shown once: no later response contains it', async () => {
  const { id } = await makeProject(server);
  const made = await makeKey(server, id, ['read']);
  const responses = [
    await api('GET', `${keysOf(id)}/${made.id}`, { key: ROOT_KEY }),
    await api('GET', keysOf(id), { key: ROOT_KEY }),
    await change(made, { name: 'renamed' }),
    await revoke(made),
  ];
  for (const response of responses) {
    expectResponse(response, 200);
    assert.ok(!response.text.includes(made.key.slice(12)) && !('key' in response.body), response.text);
  }
});

test('the database stores the SHA-256 of a key and no part of its text', async () => {
  const { id } = await makeProject(server);
  const made = await makeKey(server, id, ['read']);
  await works(made);
  const { rows: found } = await app.pool.query('select hash from api_keys where id = $1', [made.id]);
  assert.deepEqual(found[0].hash, createHash('sha256').update(made.key).digest());

  const { rows: tables } = await app.pool.query(`select tablename from pg_tables where schemaname = 'public'`);
  assert.ok(tables.length > 3);
  for (const { tablename } of tables) {
    const { rows } = await app.pool.query(`select t::text as text from "${tablename}" t`);
    for (const { text } of rows) assert.ok(!text.includes(made.key.slice(12, -4)), `${tablename} contains the key`);
  }
});

const invalidExpiries = [
  '2020-01-01T00:00:00Z',
  '2999-01-01T00:00:00',
  'tomorrow',
  '2027-02-30T00:00:00Z',
  '2030-01-01',
  4_102_444_800,
  '',
  {},
];
for (const expires_at of [...invalidExpiries, '2999-01-01T00:00:00+02:00', '2999-01-01T00:00:00Z']) {
  test(`expires_at ${JSON.stringify(expires_at)} is 422`, async () => {
    const { id } = await makeProject(server);
    const body = { name: 'x', permissions: ['read'], expires_at };
    const { error } = expectResponse(await api('POST', keysOf(id), { key: ROOT_KEY, body }), 422, 'Validation error');
    assert.equal(error.details.field, 'expires_at');
  });
}

for (const permissions of [['root'], [], 'admin', ['read', 7], ['Read'], ['read', 'read'], null, { 0: 'read' }]) {
  test(`permissions ${JSON.stringify(permissions)} are 422`, async () => {
    const { id } = await makeProject(server);
    const { error } = expectResponse(
      await api('POST', keysOf(id), { key: ROOT_KEY, body: { name: 'x', permissions } }),
      422,
      'Validation error',
    );
    assert.match(error.details.field, /^permissions/);
  });
}

test('a key cannot create a key with more permissions than its own', async () => {
  const tenant = await makeTenant(server);
  for (const own of ['read', 'write', 'webhook'] as const) {
    const key = tenant.keys[own];
    expectResponse(await api('POST', keysOf(tenant.id), { key, body: { name: 'x', permissions: ['admin'] } }), 403);
    expectResponse(await api('POST', keysOf(tenant.id), { key, body: { name: 'x', permissions: [own] } }), 403);
  }
  const sibling = expectResponse(
    await api('POST', '/projects', { key: tenant.keys.write, body: { name: 'sibling' } }),
    201,
  );
  assert.deepEqual(sibling.api_key.permissions, ['write']);
});

test('the permissions, project, expiry and status of a key cannot be changed', async () => {
  const { id } = await makeProject(server);
  const made = await makeKey(server, id, ['read'], { expires_at: inSeconds(3600) });
  for (const field of [
    { permissions: ['admin'] },
    { project_id: 'prj_x' },
    { expires_at: null },
    { status: 'active' },
  ]) {
    const { error } = expectResponse(await change(made, field), 422);
    assert.equal(error.details.field, Object.keys(field)[0]);
  }
  assert.deepEqual((await read(made)).permissions, ['read']);
});
