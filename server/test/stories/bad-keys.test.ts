// Invalid credentials: every kind gets the same response (contract 3).

import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { beforeEach, test } from 'node:test';
import pg from 'pg';
import { makeToken } from '../../src/secrets/tokens.ts';
import { expectResponse, type MadeKey, makeKey, makeProject, makeTenant } from '../support/make/make.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const server = await startServer();
const { api, app } = server;

// Failed authentications are counted per address and minute: each test starts a new minute.
beforeEach(() => server.advance(60_000));

const inSeconds = (seconds: number) => new Date(app.now() + seconds * 1000).toISOString();

/** One change to a key, by the root key. */
async function alter({ id, project_id }: MadeKey, method: string, tail = '', body?: object): Promise<void> {
  const { status, text } = await api(method, `/projects/${project_id}/api-keys/${id}${tail}`, { key: ROOT_KEY, body });
  assert.ok(status < 300, text);
}

/** Sends what fetch does not: the same header twice. */
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

test('every invalid key gets the same body and the same header names', async () => {
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
  await alter(inactive, 'PATCH', '', { is_active: false });
  await alter(revoked, 'POST', '/revoke');
  await alter(deleted, 'DELETE');
  await alter(rotated, 'POST', '/rotate', { overlap_seconds: 0 });
  server.advance(2000);
  const flip = (text: string, at: number) => text.slice(0, at) + (text[at] === 'a' ? 'b' : 'a') + text.slice(at + 1);
  const gone = await makeKey(server, (await makeProject(server)).id);
  expectResponse(await api('DELETE', `/projects/${gone.project_id}`, { key: ROOT_KEY }), 204);

  const headers: Record<string, Record<string, string | string[]>> = {
    missing: {},
    empty: { authorization: '' },
    'only a scheme': { authorization: 'Bearer' },
    'another scheme': { authorization: `Basic ${Buffer.from(`${good.key}:`).toString('base64')}` },
    bare: { authorization: good.key },
    twice: { authorization: [`Bearer ${good.key}`, `Bearer ${good.key}`] },
    'two spaces': { authorization: `Bearer  ${good.key}` },
    'trailing text': { authorization: `Bearer ${good.key} x` },
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
    'one character off the root key': flip(ROOT_KEY, 20),
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
    expectResponse(await api('GET', '/projects', { headers: { authorization: `${scheme} ${made.key}` } }), 200);
  });
}

test('a key in the query string is ignored', async () => {
  const made = await makeKey(server, (await makeProject(server)).id, ['read']);
  for (const name of ['key', 'api_key', 'access_token', 'authorization', 'token']) {
    expectResponse(await api('GET', `/projects?${name}=${made.key}`), 401, 'Invalid or inactive API key');
  }
});

test('a key with a wrong checksum or format is refused without a lookup', async (t) => {
  const made = await makeKey(server, (await makeProject(server)).id, ['read']);
  const loads = t.mock.method(app.cache, 'getOrLoad');
  const rest = made.key.slice(0, -1);
  for (const key of [rest, `${rest}_`, `${rest}${made.key.endsWith('0') ? 1 : 0}`, 'svc_test_']) {
    expectResponse(await api('GET', '/projects', { key }), 401);
  }
  assert.equal(loads.mock.callCount(), 0);
});

const unknownToken = () => makeToken('svc_test_');

test('60 unknown tokens a minute get 401, the next 429; a valid key from the same address is still served', async () => {
  const made = await makeKey(server, (await makeProject(server)).id, ['read']);
  for (let i = 0; i < 60; i += 1) expectResponse(await api('GET', '/projects', { key: unknownToken() }), 401);
  const refused = await api('GET', '/projects', { key: unknownToken() });
  expectResponse(refused, 429, 'Rate limit exceeded');
  const seconds = Number(refused.headers.get('retry-after'));
  assert.ok(seconds >= 1 && seconds <= 60, `${seconds}`);
  // The key is not cached: it was never used before.
  expectResponse(await api('GET', '/projects', { key: made.key }), 200);
  expectResponse(await api('GET', '/projects', { key: ROOT_KEY }), 200);
  server.advance(seconds * 1000);
  expectResponse(await api('GET', '/projects', { key: unknownToken() }), 401);
});

test('malformed and missing tokens are counted separately from unknown ones', async () => {
  for (let i = 0; i < 60; i += 1) {
    expectResponse(await api('GET', '/projects', i % 2 === 0 ? {} : { key: 'nonsense' }), 401);
  }
  expectResponse(await api('GET', '/projects', { key: 'nonsense' }), 429);
  expectResponse(await api('GET', '/projects'), 429);
  expectResponse(await api('GET', '/projects', { key: unknownToken() }), 401);
});

test('a flood of unknown tokens uses at most 4 database connections, and other requests are served meanwhile', async (t) => {
  // What the tests above have used is written now: it would wait for the lock too.
  await app.batch_writer.flush();
  const other = new pg.Client(app.config.database_url ?? '');
  // Not in the transaction of the lock: pg_stat_activity does not change during a transaction.
  const monitor = new pg.Client(app.config.database_url ?? '');
  await Promise.all([other.connect(), monitor.connect()]);
  // Also after a failure: the server could not stop while the table is locked.
  t.after(() => Promise.all([other.end(), monitor.end()]));
  await other.query('begin');
  await other.query('lock table api_keys in access exclusive mode');
  const flood = Array.from({ length: 40 }, () => api('GET', '/projects', { key: unknownToken() }));
  const waiting = `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  const countWaiting = async () => (await monitor.query<{ count: number }>(waiting)).rows[0]?.count ?? 0;
  await waitUntil(async () => (await countWaiting()) > 0, 30_000, 'lookups wait for the table');
  for (let i = 0; i < 20; i += 1) {
    // The root key needs no lookup, and its list does not read api_keys.
    expectResponse(await api('GET', '/projects', { key: ROOT_KEY }), 200);
    const count = await countWaiting();
    assert.ok(count >= 1 && count <= 4, `${count} connections`);
  }
  await other.query('commit');
  for (const response of await Promise.all(flood)) expectResponse(response, 401);
});
