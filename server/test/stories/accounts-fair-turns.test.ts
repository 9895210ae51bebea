// Strangers who send sign-ins and sign-outs from many networks do not keep a person from signing in or out.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectResponse } from '../support/make/make.ts';
import { cookieOf, makeOwner, PASSWORD, signIn, withCookie } from '../support/make/make-accounts.ts';
import { startServer } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const server = await startServer();
const { api, app } = server;
const owner = await makeOwner(server);

/** Takes all slots until the returned function is called. */
function hold(
  slots: { run(key: string, work: () => Promise<void>): Promise<void> },
  count: number,
): () => Promise<void> {
  const held = Array.from({ length: count }, (_, i) => {
    let release = () => {};
    const done = slots.run(`192.0.2.${i}`, () => new Promise<void>((end) => (release = end)));
    return { done, release: () => release() };
  });
  return async () => {
    for (const { release } of held) release();
    await Promise.all(held.map(({ done }) => done));
  };
}

test('a person signs in while sixty networks have password checks waiting', async () => {
  const release = hold(app.password_checks, 2);
  const flood = Array.from({ length: 20 }, () =>
    Array.from({ length: 60 }, (_, i) => app.password_checks.run(`198.51.100.${i}`, async () => {})),
  ).flat();
  const body = { email: owner.email, password: PASSWORD };
  const response = api('POST', '/account/sign-in', { body });
  // The sign-in waits in the queue once its attempt is counted; then everyone goes on.
  await waitUntil(
    async () => {
      const counted = await app.database.selectFrom('failed_sign_ins').select('key').execute();
      return counted.length === 2;
    },
    10_000,
    'the sign-in is counted',
  );
  await release();
  expectResponse(await response, 200);
  await Promise.all(flood);
});

test('a sign-out does not wait for password checks', async () => {
  const person = await signIn(server, owner.email);
  const release = hold(app.password_checks, 2);
  expectResponse(await person.api('POST', '/account/sign-out'), 204);
  await release();
});

test('sign-outs with invented cookies wait in the queue of their own network', async () => {
  const person = await signIn(server, owner.email);
  const invented = withCookie(server, `${person.cookie.slice(0, -1)}_`);
  const release = hold(app.lookups, 4);
  const flood = Array.from({ length: 1000 }, () => app.lookups.run('127.0.0.1', async () => {}));
  const refused = await invented('POST', '/account/sign-out');
  assert.equal(expectResponse(refused, 503).error.code, 'SERVICE_UNAVAILABLE');
  assert.equal(cookieOf(refused), null);
  await release();
  await Promise.all(flood);
  expectResponse(await person.api('POST', '/account/sign-out'), 204);
});
