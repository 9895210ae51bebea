// Signing in and out, the cookie, the waits after failures, and when a session ends.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { expectResponse } from '../support/make/make.ts';
import { cookieOf, makeOwner, PASSWORD, signIn, withCookie } from '../support/make/make-accounts.ts';
import type { ApiResponse } from '../support/requests/call-api.ts';
import { startServer } from '../support/servers/start-server.ts';

const HOUR_MS = 3_600_000;
const server = await startServer();
const { api, app } = server;
const owner = await makeOwner(server);

const attempt = (email: string, password = 'not the password') =>
  api('POST', '/account/sign-in', { body: { email, password } });

// Failures are counted by address too: each test starts when the last ones no longer count.
beforeEach(() => server.advance(2 * HOUR_MS));

test('a person signs in with email and password, and the cookie opens the API', async () => {
  const response = await attempt('OLIVIA@example.com', PASSWORD);
  const account = expectResponse(response, 200);
  assert.deepEqual(
    [account.object, account.email, account.role, account.has_totp, account.is_operator, account.organization.object],
    ['account', 'olivia@example.com', 'owner', false, true, 'organization'],
  );
  assert.equal(account.session.is_current, true);
  assert.ok(!response.text.includes('password'));
  const cookie = response.headers.get('set-cookie') ?? '';
  assert.match(cookie, /^toolgate_session=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/);
  const person = withCookie(server, cookieOf(response) ?? '');
  assert.equal(expectResponse(await person('GET', '/account'), 200).id, account.id);
  assert.equal(expectResponse(await person('GET', `/projects/${owner.project.id}`), 200).name, 'Shop');
});

test('the cookie is stored as a hash only', async () => {
  const { cookie } = await signIn(server, owner.email);
  const sessions = await app.database.selectFrom('account_sessions').selectAll().execute();
  assert.ok(!JSON.stringify(sessions).includes(cookie.split('=')[1] as string));
});

test('an unknown address and a wrong password get the same answer, after one password check each', async () => {
  const responses: ApiResponse[] = [];
  for (const email of [owner.email, 'nobody@example.com']) {
    const before = app.password_checks.started();
    responses.push(await attempt(email));
    assert.equal(app.password_checks.started() - before, 1, email);
  }
  const [known, unknown] = responses as [ApiResponse, ApiResponse];
  assert.deepEqual([known.status, unknown.status], [401, 401]);
  const strip = ({ body }: ApiResponse) => ({ ...body.error, request_id: '' });
  assert.deepEqual(strip(known), strip(unknown));
  assert.deepEqual([...known.headers.keys()].sort(), [...unknown.headers.keys()].sort());
});

for (const email of ['olivia@example.com', 'somebody@example.com']) {
  test(`after five failures for ${email} each further one waits twice as long, up to 15 minutes`, async () => {
    for (let i = 0; i < 5; i += 1) expectResponse(await attempt(email), 401, 'Email or password is wrong');
    for (const seconds of [4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
      const refused = await attempt(email, PASSWORD);
      const { error } = expectResponse(refused, 429, 'Too many failed sign-ins');
      assert.equal(error.code, 'SIGN_IN_DELAYED');
      assert.equal(error.details.retry_after_seconds, seconds);
      assert.equal(refused.headers.get('retry-after'), String(seconds));
      server.advance(seconds * 1000);
      expectResponse(await attempt(email), 401, 'Email or password is wrong');
    }
  });
}

test('of 20 guesses at once five are checked', async () => {
  const before = app.password_checks.started();
  const responses = await Promise.all(Array.from({ length: 20 }, () => attempt(owner.email)));
  assert.equal(responses.filter(({ status }) => status === 401).length, 5);
  assert.equal(responses.filter(({ status }) => status === 429).length, 15);
  assert.equal(app.password_checks.started() - before, 5);
});

test('failures of one address delay all its sign-ins, also for other accounts', async () => {
  for (let i = 0; i < 5; i += 1) expectResponse(await attempt(`person${i}@example.com`), 401);
  expectResponse(await attempt(owner.email, PASSWORD), 429);
});

test('a right password resets the count of its account, and is no failure of its address', async () => {
  for (let round = 0; round < 3; round += 1) {
    expectResponse(await attempt(owner.email), 401);
    expectResponse(await attempt(owner.email, PASSWORD), 200);
  }
  expectResponse(await attempt(owner.email), 401);
  expectResponse(await attempt(owner.email, PASSWORD), 200);
});

test('the waits do not lock out a person who has a session', async () => {
  const person = await signIn(server, owner.email);
  for (let i = 0; i < 5; i += 1) expectResponse(await attempt(owner.email), 401);
  expectResponse(await attempt(owner.email, PASSWORD), 429);
  expectResponse(await person.api('GET', '/account'), 200);
  const body = { name: 'Olivia O.', current_password: PASSWORD, email: owner.email };
  expectResponse(await person.api('PATCH', '/account', { body }), 200);
});

test('a sign-out ends the session and deletes the cookie', async () => {
  const person = await signIn(server, owner.email);
  const response = await person.api('POST', '/account/sign-out');
  expectResponse(response, 204);
  assert.match(response.headers.get('set-cookie') ?? '', /^toolgate_session=; Path=\/; Max-Age=0; /);
  const refused = await person.api('GET', '/account');
  assert.equal(expectResponse(refused, 401).error.code, 'NOT_SIGNED_IN');
  expectResponse(await person.api('POST', '/account/sign-out'), 204);
});

test('a session ends after 12 hours without use', async () => {
  const person = await signIn(server, owner.email);
  server.advance(11 * HOUR_MS);
  expectResponse(await person.api('GET', '/account'), 200);
  server.advance(11 * HOUR_MS);
  expectResponse(await person.api('GET', '/account'), 200);
  server.advance(12 * HOUR_MS);
  assert.equal(expectResponse(await person.api('GET', '/projects'), 401).error.code, 'NOT_SIGNED_IN');
});

test('a session ends after 7 days, however often it is used', async () => {
  const person = await signIn(server, owner.email);
  for (let i = 0; i < 16; i += 1) {
    server.advance(10 * HOUR_MS);
    expectResponse(await person.api('GET', '/account'), 200);
  }
  server.advance(8 * HOUR_MS);
  expectResponse(await person.api('GET', '/account'), 401);
});

test('a new sign-in of the same browser ends its old session', async () => {
  const person = await signIn(server, owner.email);
  const again = await person.api('POST', '/account/sign-in', { body: { email: owner.email, password: PASSWORD } });
  expectResponse(again, 200);
  assert.notEqual(cookieOf(again), person.cookie);
  expectResponse(await person.api('GET', '/account'), 401);
});

test('sessions that expired are removed', async () => {
  await signIn(server, owner.email);
  server.advance(8 * 24 * HOUR_MS);
  await server.runJobs();
  const left = await app.database.selectFrom('account_sessions').select('id').execute();
  assert.deepEqual(left, []);
});
