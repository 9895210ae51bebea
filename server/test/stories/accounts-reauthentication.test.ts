// Changes that need the password or the second factor again: a stolen cookie neither keeps the account nor makes owners.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { totpCode } from '../../src/features/identity/accounts/totp.ts';
import { expectResponse, unique } from '../support/make/make.ts';
import {
  cookieOf,
  makeOwner,
  makePerson,
  PASSWORD,
  type Person,
  reauthenticate,
  signIn,
} from '../support/make/make-accounts.ts';
import { startServer } from '../support/servers/start-server.ts';

const MINUTE_MS = 60_000;
const server = await startServer();
const { app } = server;
const owner = await makeOwner(server);
const MESSAGE = 'Enter your password again to make this change';

beforeEach(() => server.advance(2 * 60 * MINUTE_MS));

const currentStep = () => Math.floor(app.now() / 30_000);
const reauth = (person: Person, body: object) => person.api('POST', '/account/reauthenticate', { body });
const invite = (person: Person, role: string) =>
  person.api('POST', '/organization/invitations', { body: { email: `${unique('guest')}@example.com`, role } });

/** A session that was used all the time, and whose person gave the password more than 10 minutes ago. */
async function staleSession(email: string, more: object = {}): Promise<Person> {
  const person = await signIn(server, email, more);
  server.advance(10 * MINUTE_MS + 1000);
  return person;
}

async function enrol(person: Person): Promise<string> {
  const { secret } = expectResponse(await person.api('POST', '/account/totp'), 201);
  const body = { code: totpCode(secret, currentStep()) };
  expectResponse(await person.api('POST', '/account/totp/confirm', { body }), 200);
  return secret;
}

test('a cookie alone neither turns on two-factor authentication nor confirms it', async () => {
  const { email } = await makePerson(server, await signIn(server, owner.email), 'developer');
  const person = await signIn(server, email);
  const { secret } = expectResponse(await person.api('POST', '/account/totp'), 201);
  server.advance(10 * MINUTE_MS + 1000);
  const refused = expectResponse(await person.api('POST', '/account/totp'), 403, MESSAGE);
  assert.equal(refused.error.code, 'REAUTHENTICATION_REQUIRED');
  assert.equal(refused.error.details.max_age_seconds, 600);
  assert.match(refused.error.details.remedy, /POST \/account\/reauthenticate/);
  const confirm = { body: { code: totpCode(secret, currentStep()) } };
  expectResponse(await person.api('POST', '/account/totp/confirm', confirm), 403, MESSAGE);
  assert.equal(expectResponse(await person.api('GET', '/account'), 200).has_totp, false);
  const again = await reauthenticate(server, person);
  expectResponse(await again.api('POST', '/account/totp/confirm', confirm), 200);
});

test('new recovery codes need the password, with the request or in the last 10 minutes', async () => {
  const { email } = await makePerson(server, await signIn(server, owner.email), 'developer');
  const secret = await enrol(await signIn(server, email));
  server.advance(MINUTE_MS);
  const person = await staleSession(email, { code: totpCode(secret, currentStep()) });
  const url = '/account/totp/recovery-codes';
  expectResponse(await person.api('POST', url), 403, MESSAGE);
  expectResponse(await person.api('POST', url, { body: {} }), 403, MESSAGE);
  expectResponse(await person.api('POST', url, { body: { password: PASSWORD } }), 200);
  const again = await reauthenticate(server, person);
  expectResponse(await again.api('POST', url), 200);
});

test('a cookie alone neither invites, makes, demotes nor removes owners', async () => {
  const me = await signIn(server, owner.email);
  const [second, third] = [await makePerson(server, me, 'owner'), await makePerson(server, me, 'admin')];
  const invitation = expectResponse(await invite(me, 'owner'), 201);
  const stale = await staleSession(owner.email);
  const change = (person: Person, id: string, role: string) =>
    person.api('PATCH', `/organization/accounts/${id}`, { body: { role } });
  const all = (person: Person) => [
    () => invite(person, 'owner'),
    () => person.api('POST', `/organization/invitations/${invitation.id}/resend`),
    () => change(person, third.account.id, 'owner'),
    () => change(person, second.account.id, 'admin'),
    () => person.api('DELETE', `/organization/accounts/${third.account.id}`),
  ];
  const last = () => stale.api('DELETE', `/organization/accounts/${second.account.id}`);
  for (const attempt of [...all(stale).slice(0, 4), last]) expectResponse(await attempt(), 403, MESSAGE);
  // What concerns no owner goes on.
  expectResponse(await invite(stale, 'admin'), 201);
  expectResponse(await change(stale, third.account.id, 'developer'), 200);
  const fresh = await reauthenticate(server, stale);
  for (const attempt of all(fresh)) assert.ok((await attempt()).status < 300);
});

test('a cookie alone does not remove the account of its own person', async () => {
  const { email, account } = await makePerson(server, await signIn(server, owner.email), 'viewer');
  const url = `/organization/accounts/${account.id}`;
  const stale = await staleSession(email);
  expectResponse(await stale.api('DELETE', url), 403, MESSAGE);
  expectResponse(await (await reauthenticate(server, stale)).api('DELETE', url), 204);
});

test('a code of the authenticator app, or a recovery code, counts like the password, once', async () => {
  const { email } = await makePerson(server, await signIn(server, owner.email), 'developer');
  const fresh = await signIn(server, email);
  expectResponse(await reauth(fresh, { code: '000000' }), 409, 'Two-factor authentication is not on');
  const secret = await enrol(fresh);
  server.advance(MINUTE_MS);
  let person = await staleSession(email, { code: totpCode(secret, currentStep()) });
  const code = totpCode(secret, currentStep());
  person = await reauthenticate(server, person, { code });
  expectResponse(await reauth(person, { code }), 401, 'Authentication code is wrong or was already used');
  const { recovery_codes } = expectResponse(await person.api('POST', '/account/totp/recovery-codes'), 200);
  const recovery_code = recovery_codes[0];
  person = await reauthenticate(server, person, { recovery_code });
  expectResponse(await reauth(person, { recovery_code }), 401);
  assert.equal(expectResponse(await person.api('GET', '/account'), 200).recovery_codes_left, 9);
});

test('a secret that was not confirmed is no second factor', async () => {
  const { email } = await makePerson(server, await signIn(server, owner.email), 'developer');
  const person = await signIn(server, email);
  const { secret } = expectResponse(await person.api('POST', '/account/totp'), 201);
  expectResponse(await reauth(person, { code: totpCode(secret, currentStep()) }), 409);
});

test('giving the password again renews the cookie, so that one that was stolen before is of no use', async () => {
  const stale = await staleSession(owner.email);
  const response = await reauth(stale, { password: PASSWORD });
  const { object, expires_at } = expectResponse(response, 200);
  assert.deepEqual([object, Date.parse(expires_at) - app.now() > 9 * MINUTE_MS], ['reauthentication', true]);
  assert.match(response.headers.get('set-cookie') ?? '', /^toolgate_session=[\w-]{43}; .*HttpOnly/);
  assert.notEqual(cookieOf(response), stale.cookie);
  expectResponse(await stale.api('GET', '/account'), 401);
  const again = { ...stale, ...(await signIn(server, owner.email)) };
  const { data } = expectResponse(await again.api('GET', '/organization/audit-log'), 200);
  assert.ok(data.some(({ action }: any) => action === 'account.reauthenticated'));
});

test('of two requests at the same time one renews the cookie, and both are accepted', async () => {
  const stale = await staleSession(owner.email);
  const responses = await Promise.all([reauth(stale, { password: PASSWORD }), reauth(stale, { password: PASSWORD })]);
  const accepted = responses.filter(({ status }) => status === 200);
  const cookies = accepted.map(cookieOf).filter((cookie) => cookie !== null);
  assert.equal(cookies.length, 1);
  // The second may have been authenticated after the cookie was renewed.
  assert.ok(responses.every(({ status }) => status === 200 || status === 401));
});

test('after five wrong passwords or codes each further one waits, also with the right one', async () => {
  const { email } = await makePerson(server, await signIn(server, owner.email), 'developer');
  const fresh = await signIn(server, email);
  const secret = await enrol(fresh);
  for (let i = 0; i < 3; i += 1)
    expectResponse(await reauth(fresh, { password: 'not the password' }), 403, 'Password is wrong');
  for (let i = 0; i < 2; i += 1) {
    const code = totpCode(secret, currentStep() + 50);
    expectResponse(await reauth(fresh, { code }), 401, 'Authentication code is wrong or was already used');
  }
  expectResponse(await reauth(fresh, { password: PASSWORD }), 429, 'Too many failed sign-ins');
  server.advance(4000);
  expectResponse(await reauth(fresh, { password: PASSWORD }), 200);
});

test('exactly one of password, code and recovery code is sent', async () => {
  const person = await signIn(server, owner.email);
  for (const body of [{}, { password: PASSWORD, code: '123456' }, { code: '123456', recovery_code: 'x' }])
    expectResponse(await reauth(person, body), 422);
});
