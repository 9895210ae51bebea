// API keys after creation: switched off and on, rotated, revoked, expired, deleted; last_used_at; the list.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { expectResponse, type MadeKey, makeKey, makeProject } from '../support/make/make.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const server = await startServer();
const { api, app } = server;
const MINUTE_MS = 60_000;
const BAD_KEY = 'Invalid or inactive API key';

// Failed authentications are counted per address and minute: each test starts a new minute.
beforeEach(() => server.advance(MINUTE_MS));

const keysOf = (project_id: string) => `/projects/${project_id}/api-keys`;
const inSeconds = (seconds: number) => new Date(app.now() + seconds * 1000).toISOString();
const use = ({ key, project_id }: { key: string; project_id: string }) =>
  api('GET', `/projects/${project_id}`, { key });
const works = async (made: MadeKey) => expectResponse(await use(made), 200);
const refused = async (made: MadeKey) => expectResponse(await use(made), 401, BAD_KEY);
const read = async ({ id, project_id }: MadeKey) =>
  expectResponse(await api('GET', `${keysOf(project_id)}/${id}`, { key: ROOT_KEY }), 200);
const change = ({ id, project_id }: MadeKey, body: object) =>
  api('PATCH', `${keysOf(project_id)}/${id}`, { key: ROOT_KEY, body });
const revoke = ({ id, project_id }: MadeKey) => api('POST', `${keysOf(project_id)}/${id}/revoke`, { key: ROOT_KEY });
const remove = ({ id, project_id }: MadeKey) => api('DELETE', `${keysOf(project_id)}/${id}`, { key: ROOT_KEY });
const rotate = ({ id, project_id }: MadeKey, overlap_seconds: number) =>
  api('POST', `${keysOf(project_id)}/${id}/rotate`, { key: ROOT_KEY, body: { overlap_seconds } });

test('is_active switches a key off and on again', async () => {
  const made = await makeKey(server, (await makeProject(server)).id, ['read']);
  await works(made);
  assert.equal(expectResponse(await change(made, { is_active: false }), 200).status, 'inactive');
  await refused(made);
  assert.equal(expectResponse(await change(made, { is_active: true }), 200).status, 'active');
  await works(made);
});

test('a revoked key cannot be switched on or rotated, and revoking it again changes nothing', async () => {
  const made = await makeKey(server, (await makeProject(server)).id, ['read']);
  await works(made);
  assert.equal(expectResponse(await revoke(made), 200).status, 'revoked');
  await refused(made);
  expectResponse(await change(made, { is_active: true }), 409, 'API key is revoked or expired');
  expectResponse(await rotate(made, 60), 409);
  assert.equal(expectResponse(await revoke(made), 200).status, 'revoked');
  await refused(made);
  assert.equal(expectResponse(await change(made, { name: 'old' }), 200).name, 'old');
});

test('a key stops working at its expires_at and cannot be switched on or rotated afterwards', async () => {
  const made = await makeKey(server, (await makeProject(server)).id, ['read'], { expires_at: inSeconds(120) });
  await works(made);
  server.advance(115_000);
  await works(made);
  server.advance(6_000);
  await refused(made);
  assert.equal((await read(made)).status, 'expired');
  expectResponse(await change(made, { is_active: true }), 409);
  expectResponse(await rotate(made, 60), 409);
});

test("expiry follows the database's clock, not the server's", async (t) => {
  const made = await makeKey(server, (await makeProject(server)).id, ['read'], { expires_at: inSeconds(1800) });
  const [now, shift] = [Date.now, app.now() - Date.now()];
  // app.now() is corrected at the next read of the database's clock.
  const corrected = async () => {
    while (Math.abs(app.now() - now() - shift) > 1000) await new Promise((done) => setTimeout(done, 20));
  };
  t.mock.method(Date, 'now', () => now() + 3_600_000);
  await corrected();
  await works(made);
  t.mock.restoreAll();
  await corrected();
});

test('rotation without overlap ends the old key at once; the successor has the same fields', async () => {
  const old = await makeKey(server, (await makeProject(server)).id, ['read', 'webhook'], {
    name: 'backend',
    expires_at: inSeconds(7200),
  });
  const successor: MadeKey = expectResponse(await rotate(old, 0), 201);
  await refused(old);
  await works(successor);
  const after = await read(old);
  assert.deepEqual([after.rotated_to, after.status], [successor.id, 'expired']);
  const copiedFields = ({ name, permissions, integration_id, expires_at, project_id }: MadeKey) => ({
    name,
    permissions,
    integration_id,
    expires_at,
    project_id,
  });
  assert.deepEqual(copiedFields(successor), copiedFields(old));
  assert.notEqual(successor.key, old.key);
});

test('rotation without a body has an overlap of 0', async () => {
  const old = await makeKey(server, (await makeProject(server)).id, ['read']);
  await works(expectResponse(await api('POST', `${keysOf(old.project_id)}/${old.id}/rotate`, { key: ROOT_KEY }), 201));
  await refused(old);
});

test('during the overlap both keys work, then only the successor', async () => {
  const old = await makeKey(server, (await makeProject(server)).id, ['read']);
  const successor: MadeKey = expectResponse(await rotate(old, 3600), 201);
  assert.equal(successor.expires_at, null);
  await works(old);
  server.advance(3500 * 1000);
  await works(old);
  await works(successor);
  server.advance(101 * 1000);
  await refused(old);
  await works(successor);
});

test('an overlap never extends the expiry of the old key', async () => {
  const old = await makeKey(server, (await makeProject(server)).id, ['read'], { expires_at: inSeconds(60) });
  expectResponse(await rotate(old, 3600), 201);
  assert.equal(Date.parse((await read(old)).expires_at), Date.parse(old.expires_at));
});

test('a key is rotated once: of many concurrent calls only one creates a successor', async () => {
  const old = await makeKey(server, (await makeProject(server)).id, ['read']);
  const responses = await Promise.all(Array.from({ length: 8 }, () => rotate(old, 3600)));
  assert.deepEqual(responses.map(({ status }) => status).sort(), [201, ...Array(7).fill(409)]);
  const again = expectResponse(await rotate(old, 3600), 409, 'API key was already rotated');
  assert.equal(again.error.details.value, (await read(old)).rotated_to);
  const { data } = expectResponse(await api('GET', keysOf(old.project_id), { key: ROOT_KEY }), 200);
  assert.equal(data.length, 2);
});

for (const overlap_seconds of [-1, 1.5, '60', 30 * 86_400 + 1, null]) {
  test(`overlap_seconds ${JSON.stringify(overlap_seconds)} is 422 and the key keeps working`, async () => {
    const made = await makeKey(server, (await makeProject(server)).id, ['read']);
    expectResponse(await rotate(made, overlap_seconds as number), 422, 'Validation error');
    await works(made);
  });
}

test('a deleted key is refused and not found', async () => {
  const made = await makeKey(server, (await makeProject(server)).id, ['read']);
  await works(made);
  expectResponse(await remove(made), 204);
  await refused(made);
  expectResponse(await api('GET', `${keysOf(made.project_id)}/${made.id}`, { key: ROOT_KEY }), 404, 'Not found');
  expectResponse(await remove(made), 404, 'Not found');
});

test('an admin key can revoke itself', async () => {
  const made = await makeKey(server, (await makeProject(server)).id, ['admin']);
  expectResponse(await api('POST', `${keysOf(made.project_id)}/${made.id}/revoke`, { key: made.key }), 200);
  await refused(made);
});

// --- last_used_at

async function lastUsedAt({ id }: MadeKey): Promise<string | null> {
  await app.batch_writer.flush();
  const { rows } = await app.pool.query('select last_used_at from api_keys where id = $1', [id]);
  return rows[0].last_used_at;
}

test('last_used_at is written at most once a minute, also after the cache entry of the key was invalidated', async () => {
  const made = await makeKey(server, (await makeProject(server)).id, ['read']);
  assert.equal(await lastUsedAt(made), null);
  await works(made);
  const first = await lastUsedAt(made);
  assert.ok(first !== null && Math.abs(Date.parse(first) - app.now()) < 30_000);

  server.advance(30_000);
  await works(made);
  expectResponse(await change(made, { name: 'invalidates the cache' }), 200);
  await works(made);
  assert.equal(await lastUsedAt(made), first);

  server.advance(31_000);
  await works(made);
  assert.ok(Date.parse((await lastUsedAt(made)) ?? '') - Date.parse(first) > MINUTE_MS);
});

test('a key that is locked by a change does not hold up the last uses of other keys', async () => {
  const [locked, other] = [
    await makeKey(server, (await makeProject(server)).id),
    await makeKey(server, (await makeProject(server)).id),
  ];
  await app.database.transaction().execute(async (transaction) => {
    await transaction.selectFrom('api_keys').select('id').where('id', '=', locked.id).forUpdate().execute();
    for (const { key } of [locked, other]) expectResponse(await api('GET', '/projects', { key }), 200);
    assert.notEqual(await lastUsedAt(other), null);
    assert.equal(await lastUsedAt(locked), null);
  });
});

test('a refused request does not set last_used_at', async () => {
  const made = await makeKey(server, (await makeProject(server)).id, ['read']);
  await change(made, { is_active: false });
  await refused(made);
  assert.equal(await lastUsedAt(made), null);
});

test('the list of keys is newest first, in pages, and only of this project', async () => {
  const [project, other] = [await makeProject(server), await makeProject(server)];
  await makeKey(server, other.id);
  const ids: string[] = [];
  for (let i = 0; i < 23; i += 1) ids.unshift((await makeKey(server, project.id, ['read'])).id);
  const first = expectResponse(await api('GET', keysOf(project.id), { key: ROOT_KEY }), 200);
  assert.deepEqual([first.object, first.has_more], ['list', true]);
  assert.deepEqual(
    first.data.map(({ id }: MadeKey) => id),
    ids.slice(0, 20),
  );
  const rest = expectResponse(
    await api('GET', `${keysOf(project.id)}?limit=5&cursor=${first.next_cursor}`, { key: ROOT_KEY }),
    200,
  );
  assert.deepEqual(
    [rest.data.map(({ id }: MadeKey) => id), rest.has_more, rest.next_cursor],
    [ids.slice(20), false, null],
  );
});
