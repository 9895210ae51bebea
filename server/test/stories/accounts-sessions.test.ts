// A person's own account: name, email, password, and the sessions of other browsers.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { expectResponse } from '../support/make/make.ts';
import {
  cookieOf,
  makeOwner,
  makePerson,
  PASSWORD,
  type Person,
  signIn,
  withCookie,
} from '../support/make/make-accounts.ts';
import { startServer } from '../support/servers/start-server.ts';

const NEW_PASSWORD = 'another long passphrase';
const server = await startServer();
const { api } = server;
const owner = await makeOwner(server);

// Failures are counted by address.
beforeEach(() => server.advance(3_700_000));

const isSignedIn = async (person: Person) => (await person.api('GET', '/account')).status === 200;

test('a person sees every browser that is signed in, and ends one of them', async () => {
  const me = await makePerson(server, await signIn(server, owner.email), 'viewer');
  const headers = { 'user-agent': 'Other Browser/1.0' };
  const body = { email: me.email, password: PASSWORD };
  const other = withCookie(server, cookieOf(await api('POST', '/account/sign-in', { body, headers })) ?? '');
  const { data } = expectResponse(await me.api('GET', '/account/sessions'), 200);
  assert.equal(data.length, 2);
  const [newest, current] = data;
  assert.deepEqual([newest.user_agent, newest.is_current, current.is_current], ['Other Browser/1.0', false, true]);
  assert.equal(newest.ip, '127.0.0.1');
  expectResponse(await me.api('DELETE', `/account/sessions/${newest.id}`), 204);
  expectResponse(await other('GET', '/account'), 401);
  expectResponse(await me.api('DELETE', `/account/sessions/${newest.id}`), 404);
  const ended = await me.api('DELETE', `/account/sessions/${current.id}`);
  assert.match(ended.headers.get('set-cookie') ?? '', /Max-Age=0/);
  assert.equal(await isSignedIn(me), false);
});

test('nobody ends a session of another person', async () => {
  const me = await signIn(server, owner.email);
  const other = await makePerson(server, me, 'admin');
  const { data } = expectResponse(await me.api('GET', '/account/sessions?limit=1'), 200);
  expectResponse(await other.api('DELETE', `/account/sessions/${data[0].id}`), 404);
  assert.equal(await isSignedIn(me), true);
});

test('all other sessions end at once, and this one stays', async () => {
  const me = await signIn(server, owner.email);
  const others = [await signIn(server, owner.email), await signIn(server, owner.email)];
  const { ended } = expectResponse(await me.api('POST', '/account/sessions/end-others'), 200);
  assert.ok(ended >= 2);
  for (const other of others) assert.equal(await isSignedIn(other), false);
  assert.equal(await isSignedIn(me), true);
});

test('a new password needs the current one, ends all other sessions and renews this one', async () => {
  const me = await makePerson(server, await signIn(server, owner.email), 'developer');
  const other = await signIn(server, me.email);
  const change = (fields: object) => me.api('PATCH', '/account', { body: { password: NEW_PASSWORD, ...fields } });
  const missing = expectResponse(await change({}), 422);
  assert.deepEqual(missing.error.details.field, 'current_password');
  const wrong = expectResponse(await change({ current_password: 'wrong' }), 403, 'Password is wrong');
  assert.equal(wrong.error.details.field, 'current_password');
  const common = await change({ current_password: PASSWORD, password: 'Password123!' });
  assert.equal(expectResponse(common, 422).error.details.reason, 'password_too_common');
  assert.equal(await isSignedIn(other), true);

  const changed = await change({ current_password: PASSWORD });
  expectResponse(changed, 200);
  assert.equal(await isSignedIn(other), false);
  assert.equal(await isSignedIn(me), false);
  expectResponse(await withCookie(server, cookieOf(changed) ?? '')('GET', '/account'), 200);
  const sign = (password: string) => api('POST', '/account/sign-in', { body: { email: me.email, password } });
  expectResponse(await sign(PASSWORD), 401);
  expectResponse(await sign(NEW_PASSWORD), 200);
});

test('guesses of the current password wait, and do not delay a sign-in', async () => {
  const me = await makePerson(server, await signIn(server, owner.email), 'viewer');
  const guess = (current_password: string) =>
    me.api('PATCH', '/account', { body: { email: 'new@example.com', current_password } });
  for (let i = 0; i < 5; i += 1) expectResponse(await guess('wrong'), 403);
  expectResponse(await guess(PASSWORD), 429, 'Too many failed sign-ins');
  await signIn(server, me.email);
  server.advance(4000);
  assert.equal(expectResponse(await guess(PASSWORD), 200).email, 'new@example.com');
});

test('a name needs no password, and an email address that is taken is refused', async () => {
  const me = await makePerson(server, await signIn(server, owner.email), 'viewer');
  assert.equal(expectResponse(await me.api('PATCH', '/account', { body: { name: 'Ada' } }), 200).name, 'Ada');
  const body = { email: owner.email.toUpperCase(), current_password: PASSWORD };
  expectResponse(await me.api('PATCH', '/account', { body }), 409, 'Email address already belongs to an account');
  const unknown = await me.api('PATCH', '/account', { body: { role: 'owner' } });
  assert.equal(expectResponse(unknown, 422).error.details.field, 'role');
});

test('an account keeps its 50 newest sessions', async () => {
  const me = await makePerson(server, await signIn(server, owner.email), 'viewer');
  const rows = Array.from({ length: 60 }, (_, i) => ({
    id: `acs_${i}`,
    account_id: me.account.id,
    hash: Buffer.alloc(32, i + 1),
    user_agent: null,
    ip: null,
    expires_at: new Date(server.app.now() + 3_600_000).toISOString(),
  }));
  await server.app.database.insertInto('account_sessions').values(rows).execute();
  await signIn(server, me.email);
  const left = await server.app.database
    .selectFrom('account_sessions')
    .select('id')
    .where('account_id', '=', me.account.id)
    .execute();
  assert.equal(left.length, 50);
});
