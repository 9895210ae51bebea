// Two servers on one database: what one of them changes, the other hears of within a second.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectResponse, makeKey, makeProject, unique } from '../support/make/make.ts';
import type { ApiResponse } from '../support/requests/call-api.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';
import { withinASecond } from '../support/within-a-second.ts';

const one = await startServer();
const two = await startServer({ DATABASE_URL: one.app.config.database_url ?? '' });

/** A key that both servers remember. */
async function sharedKey() {
  const project = await makeProject(one);
  const made = await makeKey(one, project.id, ['admin']);
  const path = `/projects/${project.id}`;
  for (const server of [one, two]) expectResponse(await server.api('GET', path, { key: made.key }), 200);
  return { ...made, path, keyPath: `${path}/api-keys/${made.id}` };
}

for (const [what, method, tail, body] of [
  ['revoked', 'POST', '/revoke', undefined],
  ['switched off', 'PATCH', '', { is_active: false }],
  ['rotated without overlap', 'POST', '/rotate', { overlap_seconds: 0 }],
  ['deleted', 'DELETE', '', undefined],
] as const) {
  test(`a key ${what} on one replica is refused by the other within a second`, async () => {
    const { key, path, keyPath } = await sharedKey();
    const response = await one.api(method, keyPath + tail, { key: ROOT_KEY, body });
    assert.ok(response.status < 300, response.text);
    expectResponse(await one.api('GET', path, { key }), 401);
    await withinASecond(
      () => two.api('GET', path, { key }),
      ({ status }) => status === 401,
    );
  });
}

test('a key switched on again on one replica works on the other within a second', async () => {
  const { key, path, keyPath } = await sharedKey();
  await one.api('PATCH', keyPath, { key: ROOT_KEY, body: { is_active: false } });
  await withinASecond(
    () => two.api('GET', path, { key }),
    ({ status }) => status === 401,
  );
  await one.api('PATCH', keyPath, { key: ROOT_KEY, body: { is_active: true } });
  await withinASecond(
    () => two.api('GET', path, { key }),
    ({ status }) => status === 200,
  );
});

test('a change to a project is seen on the other replica within a second, by its keys and by the root key', async () => {
  const { key, path } = await sharedKey();
  const name = unique('renamed');
  expectResponse(await two.api('GET', path, { key: ROOT_KEY }), 200);
  expectResponse(await one.api('PATCH', path, { key, body: { name } }), 200);
  for (const reader of [key, ROOT_KEY]) {
    await withinASecond(
      () => two.api('GET', path, { key: reader }),
      ({ body }) => body.name === name,
    );
  }
});

test('a plan set on one replica limits on the other within a second', async () => {
  const { key, path } = await sharedKey();
  expectResponse(await one.api('PATCH', path, { key: ROOT_KEY, body: { plan: 'free' } }), 200);
  const isFree = ({ headers }: ApiResponse) => headers.get('x-ratelimit-limit') === '100';
  await withinASecond(() => two.api('GET', path, { key }), isFree);
});

test('a project deleted on one replica is gone on the other within a second', async () => {
  const { key, path } = await sharedKey();
  expectResponse(await one.api('DELETE', path, { key }), 204);
  await withinASecond(
    () => two.api('GET', path, { key }),
    ({ status }) => status === 401,
  );
  await withinASecond(
    () => two.api('GET', path, { key: ROOT_KEY }),
    ({ status }) => status === 404,
  );
});

test('an Idempotency-Key used on one replica is known to the other', async () => {
  const { path } = await sharedKey();
  const call = {
    key: ROOT_KEY,
    headers: { 'idempotency-key': unique('replica') },
    body: { name: 'x', permissions: ['read'] },
  };
  const first = expectResponse(await one.api('POST', `${path}/api-keys`, call), 201);
  assert.deepEqual(expectResponse(await two.api('POST', `${path}/api-keys`, call), 201), first);
});

test('last_used_at is written once a minute by all replicas together', async () => {
  const { key, keyPath, path } = await sharedKey();
  const lastUse = async () => {
    for (const { app } of [one, two]) await app.batch_writer.flush();
    return expectResponse(await one.api('GET', keyPath, { key: ROOT_KEY }), 200).last_used_at;
  };
  const first = await lastUse();
  for (const server of [one, two]) server.advance(61_000);
  await one.api('GET', path, { key });
  const second = await lastUse();
  assert.ok(Date.parse(second) > Date.parse(first));
  // Replica two knows nothing of that note and thinks the last one is 90 s old.
  for (const server of [one, two]) server.advance(29_000);
  await two.api('GET', path, { key });
  assert.equal(await lastUse(), second);
});
