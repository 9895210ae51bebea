// The whole life of an API key.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { beforeEach, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { makeToken } from '../../src/secrets/tokens.ts';
import { expectAnswer, type MadeKey, makeKey, makeProject, makeTenant } from '../make.ts';
import { settled } from '../settled.ts';
import { ROOT_KEY, startServer } from '../start-server.ts';

const server = await startServer();
const { api, app } = server;
const MINUTE_MS = 60_000;
const BAD_KEY = 'Invalid or inactive API key';

// Bad keys are counted by address: each test gets a minute of its own.
beforeEach(() => server.advance(MINUTE_MS));

const keysOf = (project_id: string) => `/projects/${project_id}/api-keys`;
const inSeconds = (seconds: number) => new Date(app.now() + seconds * 1000).toISOString();
const use = ({ key, project_id }: { key: string; project_id: string }) =>
  api('GET', `/projects/${project_id}`, { key });
const works = async (made: MadeKey) => expectAnswer(await use(made), 200);
const refused = async (made: MadeKey) => expectAnswer(await use(made), 401, BAD_KEY);
const read = async ({ id, project_id }: MadeKey) =>
  expectAnswer(await api('GET', `${keysOf(project_id)}/${id}`, { key: ROOT_KEY }), 200);
const change = ({ id, project_id }: MadeKey, body: object) =>
  api('PATCH', `${keysOf(project_id)}/${id}`, { key: ROOT_KEY, body });
const revoke = ({ id, project_id }: MadeKey) => api('POST', `${keysOf(project_id)}/${id}/revoke`, { key: ROOT_KEY });
const remove = ({ id, project_id }: MadeKey) => api('DELETE', `${keysOf(project_id)}/${id}`, { key: ROOT_KEY });
const rotate = ({ id, project_id }: MadeKey, overlap_seconds: number) =>
  api('POST', `${keysOf(project_id)}/${id}/rotate`, { key: ROOT_KEY, body: { overlap_seconds } });

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
function base62(number: number): string {
  let text = '';
  for (let rest = number; text.length < 6; rest = Math.floor(rest / 62)) text = ALPHABET[rest % 62] + text;
  return text;
}

// --- made and shown

test('a new key has its whole record and its secret, and reads back without the secret', async () => {
  const tenant = await makeTenant(server);
  const body = { name: 'ci', permissions: ['read', 'webhook'], expires_at: inSeconds(3600) };
  const { key, ...record } = expectAnswer(await api('POST', keysOf(tenant.id), { key: tenant.keys.admin, body }), 201);
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

test('the secret is shown once: no later answer holds it', async () => {
  const { id } = await makeProject(server);
  const made = await makeKey(server, id, ['read']);
  const answers = [
    await api('GET', `${keysOf(id)}/${made.id}`, { key: ROOT_KEY }),
    await api('GET', keysOf(id), { key: ROOT_KEY }),
    await change(made, { name: 'renamed' }),
    await revoke(made),
  ];
  for (const answer of answers) {
    expectAnswer(answer, 200);
    assert.ok(!answer.text.includes(made.key.slice(12)) && !('key' in answer.body), answer.text);
  }
});

test('the database holds the SHA-256 of a key and nothing of its text', async () => {
  const { id } = await makeProject(server);
  const made = await makeKey(server, id, ['read']);
  await works(made);
  const { rows: found } = await app.pool.query('select hash from api_keys where id = $1', [made.id]);
  assert.deepEqual(found[0].hash, createHash('sha256').update(made.key).digest());

  const { rows: tables } = await app.pool.query(`select tablename from pg_tables where schemaname = 'public'`);
  assert.ok(tables.length > 3);
  for (const { tablename } of tables) {
    const { rows } = await app.pool.query(`select t::text as text from "${tablename}" t`);
    for (const { text } of rows) assert.ok(!text.includes(made.key.slice(12, -4)), `${tablename} holds the key`);
  }
});

// --- what is refused at the door

const withoutFuture = [
  '2020-01-01T00:00:00Z',
  '2999-01-01T00:00:00',
  'tomorrow',
  '2027-02-30T00:00:00Z',
  '2030-01-01',
  4_102_444_800,
  '',
  {},
];
for (const expires_at of [...withoutFuture, '2999-01-01T00:00:00+02:00', '2999-01-01T00:00:00Z']) {
  test(`expires_at ${JSON.stringify(expires_at)} is 422`, async () => {
    const { id } = await makeProject(server);
    const body = { name: 'x', permissions: ['read'], expires_at };
    const { error } = expectAnswer(await api('POST', keysOf(id), { key: ROOT_KEY, body }), 422, 'Validation error');
    assert.equal(error.details.field, 'expires_at');
  });
}

for (const permissions of [['root'], [], 'admin', ['read', 7], ['Read'], ['read', 'read'], null, { 0: 'read' }]) {
  test(`permissions ${JSON.stringify(permissions)} are 422`, async () => {
    const { id } = await makeProject(server);
    const { error } = expectAnswer(
      await api('POST', keysOf(id), { key: ROOT_KEY, body: { name: 'x', permissions } }),
      422,
      'Validation error',
    );
    assert.match(error.details.field, /^permissions/);
  });
}

test('a key makes no key with more permissions than its own, in no way', async () => {
  const tenant = await makeTenant(server);
  for (const own of ['read', 'write', 'webhook'] as const) {
    const key = tenant.keys[own];
    expectAnswer(await api('POST', keysOf(tenant.id), { key, body: { name: 'x', permissions: ['admin'] } }), 403);
    expectAnswer(await api('POST', keysOf(tenant.id), { key, body: { name: 'x', permissions: [own] } }), 403);
  }
  const sibling = expectAnswer(
    await api('POST', '/projects', { key: tenant.keys.write, body: { name: 'sibling' } }),
    201,
  );
  assert.deepEqual(sibling.api_key.permissions, ['write']);
});

test('nobody changes the permissions, the project or the expiry of a key', async () => {
  const { id } = await makeProject(server);
  const made = await makeKey(server, id, ['read'], { expires_at: inSeconds(3600) });
  for (const field of [
    { permissions: ['admin'] },
    { project_id: 'prj_x' },
    { expires_at: null },
    { status: 'active' },
  ]) {
    const { error } = expectAnswer(await change(made, field), 422);
    assert.equal(error.details.field, Object.keys(field)[0]);
  }
  assert.deepEqual((await read(made)).permissions, ['read']);
});

// --- switched off, revoked, expired, rotated, deleted

test('is_active switches a key off and on again', async () => {
  const made = await makeKey(server, (await makeProject(server)).id, ['read']);
  await works(made);
  assert.equal(expectAnswer(await change(made, { is_active: false }), 200).status, 'inactive');
  await refused(made);
  assert.equal(expectAnswer(await change(made, { is_active: true }), 200).status, 'active');
  await works(made);
});

test('revoked is final: not switched on, not rotated, and revoking again changes nothing', async () => {
  const made = await makeKey(server, (await makeProject(server)).id, ['read']);
  await works(made);
  assert.equal(expectAnswer(await revoke(made), 200).status, 'revoked');
  await refused(made);
  expectAnswer(await change(made, { is_active: true }), 409, 'API key is revoked or expired');
  expectAnswer(await rotate(made, 60), 409);
  assert.equal(expectAnswer(await revoke(made), 200).status, 'revoked');
  await refused(made);
  assert.equal(expectAnswer(await change(made, { name: 'old' }), 200).name, 'old');
});

test('a key ends at its expires_at and stays ended', async () => {
  const made = await makeKey(server, (await makeProject(server)).id, ['read'], { expires_at: inSeconds(120) });
  await works(made);
  server.advance(115_000);
  await works(made);
  server.advance(6_000);
  await refused(made);
  assert.equal((await read(made)).status, 'expired');
  expectAnswer(await change(made, { is_active: true }), 409);
  expectAnswer(await rotate(made, 60), 409);
});

test("expiry follows the database's clock, not the server's", async (t) => {
  const made = await makeKey(server, (await makeProject(server)).id, ['read'], { expires_at: inSeconds(1800) });
  const [now, shift] = [Date.now, app.now() - Date.now()];
  t.mock.method(Date, 'now', () => now() + 3_600_000);
  // The next look at the database's clock finds out.
  while (Math.abs(app.now() - now() - shift) > 1000) await new Promise((done) => setTimeout(done, 20));
  await works(made);
});

test('rotation without overlap ends the old key at once; the successor is its equal', async () => {
  const old = await makeKey(server, (await makeProject(server)).id, ['read', 'webhook'], {
    name: 'backend',
    expires_at: inSeconds(7200),
  });
  const successor: MadeKey = expectAnswer(await rotate(old, 0), 201);
  await refused(old);
  await works(successor);
  const after = await read(old);
  assert.deepEqual([after.rotated_to, after.status], [successor.id, 'expired']);
  const equal = ({ name, permissions, integration_id, expires_at, project_id }: MadeKey) => ({
    name,
    permissions,
    integration_id,
    expires_at,
    project_id,
  });
  assert.deepEqual(equal(successor), equal(old));
  assert.notEqual(successor.key, old.key);
});

test('rotation takes no body as an overlap of 0', async () => {
  const old = await makeKey(server, (await makeProject(server)).id, ['read']);
  await works(expectAnswer(await api('POST', `${keysOf(old.project_id)}/${old.id}/rotate`, { key: ROOT_KEY }), 201));
  await refused(old);
});

test('during the overlap both keys work, then only the successor', async () => {
  const old = await makeKey(server, (await makeProject(server)).id, ['read']);
  const successor: MadeKey = expectAnswer(await rotate(old, 3600), 201);
  assert.equal(successor.expires_at, null);
  await works(old);
  server.advance(3500 * 1000);
  await works(old);
  await works(successor);
  server.advance(101 * 1000);
  await refused(old);
  await works(successor);
});

test('an overlap never lengthens the life of the old key', async () => {
  const old = await makeKey(server, (await makeProject(server)).id, ['read'], { expires_at: inSeconds(60) });
  expectAnswer(await rotate(old, 3600), 201);
  assert.equal(Date.parse((await read(old)).expires_at), Date.parse(old.expires_at));
});

test('a key is rotated once: of many calls at the same time one makes the successor', async () => {
  const old = await makeKey(server, (await makeProject(server)).id, ['read']);
  const answers = await Promise.all(Array.from({ length: 8 }, () => rotate(old, 3600)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(7).fill(409)]);
  const again = expectAnswer(await rotate(old, 3600), 409, 'API key was already rotated');
  assert.equal(again.error.details.value, (await read(old)).rotated_to);
  const { data } = expectAnswer(await api('GET', keysOf(old.project_id), { key: ROOT_KEY }), 200);
  assert.equal(data.length, 2);
});

for (const overlap_seconds of [-1, 1.5, '60', 30 * 86_400 + 1, null]) {
  test(`overlap_seconds ${JSON.stringify(overlap_seconds)} is 422 and ends nothing`, async () => {
    const made = await makeKey(server, (await makeProject(server)).id, ['read']);
    expectAnswer(await rotate(made, overlap_seconds as number), 422, 'Validation error');
    await works(made);
  });
}

test('a deleted key is gone', async () => {
  const made = await makeKey(server, (await makeProject(server)).id, ['read']);
  await works(made);
  expectAnswer(await remove(made), 204);
  await refused(made);
  expectAnswer(await api('GET', `${keysOf(made.project_id)}/${made.id}`, { key: ROOT_KEY }), 404, 'Not found');
  expectAnswer(await remove(made), 404, 'Not found');
});

test('a key can end itself', async () => {
  const made = await makeKey(server, (await makeProject(server)).id, ['admin']);
  expectAnswer(await api('POST', `${keysOf(made.project_id)}/${made.id}/revoke`, { key: made.key }), 200);
  await refused(made);
});

// --- last use

async function lastUse({ id }: MadeKey): Promise<string | null> {
  await settled(app);
  const { rows } = await app.pool.query('select last_used_at from api_keys where id = $1', [id]);
  return rows[0].last_used_at;
}

test('last_used_at is written at most once a minute, also when the key is looked up anew', async () => {
  const made = await makeKey(server, (await makeProject(server)).id, ['read']);
  assert.equal(await lastUse(made), null);
  await works(made);
  const first = await lastUse(made);
  assert.ok(first !== null && Math.abs(Date.parse(first) - app.now()) < 30_000);

  server.advance(30_000);
  await works(made);
  expectAnswer(await change(made, { name: 'makes the server forget the key' }), 200);
  await works(made);
  assert.equal(await lastUse(made), first);

  server.advance(31_000);
  await works(made);
  assert.ok(Date.parse((await lastUse(made)) ?? '') - Date.parse(first) > MINUTE_MS);
});

test('a refused use is no use', async () => {
  const made = await makeKey(server, (await makeProject(server)).id, ['read']);
  await change(made, { is_active: false });
  await refused(made);
  assert.equal(await lastUse(made), null);
});

// --- bad keys

/** One more raw way to ask, for what fetch will not send: the same header twice. */
function rawGet(
  path: string,
  headers: Record<string, string | string[]>,
): Promise<{ status: number; text: string; names: string[] }> {
  return new Promise((done, fail) => {
    httpRequest(`${server.url}/api/v1${path}`, { headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => (text += part));
      response.on('end', () =>
        done({ status: response.statusCode ?? 0, text, names: Object.keys(response.headers).sort() }),
      );
    })
      .on('error', fail)
      .end();
  });
}

test('every bad key gets the same body and the same header names', async () => {
  const [project, foreign] = [await makeProject(server), await makeTenant(server)];
  const make = () => makeKey(server, project.id, ['admin']);
  const [good, inactive, revoked, deleted, rotated] = [
    await make(),
    await make(),
    await make(),
    await make(),
    await make(),
  ];
  const expired = await makeKey(server, project.id, ['admin'], { expires_at: inSeconds(1) });
  await change(inactive, { is_active: false });
  await revoke(revoked);
  await remove(deleted);
  await rotate(rotated, 0);
  server.advance(2000);
  const flip = (text: string, at: number) => text.slice(0, at) + (text[at] === 'a' ? 'b' : 'a') + text.slice(at + 1);
  const gone = await makeKey(server, (await makeProject(server)).id);
  expectAnswer(await api('DELETE', `/projects/${gone.project_id}`, { key: ROOT_KEY }), 204);

  const headers: Record<string, Record<string, string | string[]>> = {
    missing: {},
    empty: { authorization: '' },
    'only a scheme': { authorization: 'Bearer' },
    'another scheme': { authorization: `Basic ${Buffer.from(`${good.key}:`).toString('base64')}` },
    bare: { authorization: good.key },
    twice: { authorization: [`Bearer ${good.key}`, `Bearer ${good.key}`] },
    'two spaces': { authorization: `Bearer  ${good.key}` },
    'something behind': { authorization: `Bearer ${good.key} x` },
    'project named in X-Project-Id': { authorization: `Bearer ${good.key}`, 'x-project-id': foreign.id },
  };
  const bearers = {
    malformed: 'nonsense',
    'too long': `svc_test_${'a'.repeat(4000)}`,
    'wrong checksum': flip(good.key, good.key.length - 1),
    'one character changed': flip(good.key, 15),
    'wrong prefix': good.key.replace('svc_test_', 'svc_live_'),
    'a member token': makeToken('svc_mst_'),
    unknown: makeToken('svc_test_'),
    inactive: inactive.key,
    revoked: revoked.key,
    deleted: deleted.key,
    expired: expired.key,
    rotated: rotated.key,
    'of another project': foreign.keys.admin,
    'of a deleted project': gone.key,
    'nearly the root key': flip(ROOT_KEY, 20),
  };
  for (const [what, key] of Object.entries(bearers)) headers[what] = { authorization: `Bearer ${key}` };

  const shapes = new Map<string, string>();
  for (const [what, sent] of Object.entries(headers)) {
    const { status, text, names } = await rawGet(`/projects/${project.id}`, sent);
    assert.equal(status, 401, what);
    const { request_id, ...error } = JSON.parse(text).error;
    assert.match(request_id, /^req_/);
    shapes.set(JSON.stringify([error, names]), what);
  }
  assert.equal(shapes.size, 1, [...shapes].map(([shape, what]) => `${what}: ${shape}`).join('\n'));
});

for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
  test(`the scheme may be written ${scheme}`, async () => {
    const made = await makeKey(server, (await makeProject(server)).id, ['read']);
    expectAnswer(await api('GET', '/projects', { headers: { authorization: `${scheme} ${made.key}` } }), 200);
  });
}

test('a key in the query string opens nothing', async () => {
  const made = await makeKey(server, (await makeProject(server)).id, ['read']);
  for (const name of ['key', 'api_key', 'access_token', 'authorization', 'token']) {
    expectAnswer(await api('GET', `/projects?${name}=${made.key}`), 401, BAD_KEY);
  }
});

test('a wrong checksum or shape costs no look-up', async (t) => {
  const made = await makeKey(server, (await makeProject(server)).id, ['read']);
  const loads = t.mock.method(app.cache, 'load');
  const rest = made.key.slice(0, -1);
  for (const key of [rest, `${rest}_`, `${rest}${made.key.endsWith('0') ? 1 : 0}`, 'svc_test_']) {
    expectAnswer(await api('GET', '/projects', { key }), 401);
  }
  assert.equal(loads.mock.callCount(), 0);
});

test('the list of keys is newest first, in pages, and only of this project', async () => {
  const [project, other] = [await makeProject(server), await makeProject(server)];
  await makeKey(server, other.id);
  const ids: string[] = [];
  for (let i = 0; i < 23; i += 1) ids.unshift((await makeKey(server, project.id, ['read'])).id);
  const first = expectAnswer(await api('GET', keysOf(project.id), { key: ROOT_KEY }), 200);
  assert.deepEqual([first.object, first.has_more], ['list', true]);
  assert.deepEqual(
    first.data.map(({ id }: MadeKey) => id),
    ids.slice(0, 20),
  );
  const rest = expectAnswer(
    await api('GET', `${keysOf(project.id)}?limit=5&cursor=${first.next_cursor}`, { key: ROOT_KEY }),
    200,
  );
  assert.deepEqual(
    [rest.data.map(({ id }: MadeKey) => id), rest.has_more, rest.next_cursor],
    [ids.slice(20), false, null],
  );
});
