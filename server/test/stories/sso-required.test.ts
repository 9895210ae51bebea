// Required single sign-on: passwords work for break-glass owners only, other sessions end, and such an owner stays.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { resetOwner } from '../../src/features/identity/accounts/owner.ts';
import { totpCode } from '../../src/features/identity/accounts/totp.ts';
import { allowPasswords } from '../../src/features/identity/sso/settings.ts';
import { expectResponse } from '../support/make/make.ts';
import { makeOwner, makePerson, PASSWORD, type Person, reauthenticate, signIn } from '../support/make/make-accounts.ts';
import { startOAuthServer } from '../support/make/make-oauth.ts';
import { makeBreakGlass, personAt, setSso, signInAt, ssoFields } from '../support/make/make-sso.ts';
import { startOpenIdProvider } from '../support/peers/openid-provider.ts';

const clock = { now: Date.now };
const peer = await startOpenIdProvider({ now: () => clock.now() });
const server = await startOAuthServer([peer]);
clock.now = () => server.app.now();
const { api } = server;
let owner: Person = await makeOwner(server);
let secret = '';

const codeNow = () => totpCode(secret, Math.floor(server.app.now() / 30_000));
const passwordIn = (email: string, more: object = {}) =>
  api('POST', '/account/sign-in', { body: { email, password: PASSWORD, ...more } });
const require = (person: Person, is_required: boolean) =>
  person.api('PUT', '/organization/sso', { body: ssoFields(peer, { is_required }) });
const change = (id: string, body: object) => owner.api('PATCH', `/organization/accounts/${id}`, { body });

beforeEach(async () => {
  server.advance(61 * 60_000);
  owner = await signIn(server, owner.email, secret === '' ? {} : { code: codeNow() });
});

test('it cannot be required without a break-glass owner, who is an owner with a password and a second factor', async () => {
  assert.equal(expectResponse(await require(owner, true), 409).error.code, 'SSO_BREAK_GLASS_MISSING');
  expectResponse(await owner.api('GET', '/organization/sso'), 404);
  const admin = await makePerson(server, owner, 'admin');
  for (const { id } of [owner.account, admin.account])
    assert.equal(expectResponse(await change(id, { is_break_glass: true }), 409).error.code, 'BREAK_GLASS_NOT_ALLOWED');
  secret = await makeBreakGlass(server, owner);
  assert.equal(expectResponse(await owner.api('GET', '/account'), 200).is_break_glass, true);
  const byAdmin = await admin.api('PATCH', `/organization/accounts/${owner.account.id}`, {
    body: { is_break_glass: false },
  });
  expectResponse(byAdmin, 403);
  server.advance(11 * 60_000);
  const stale = await change(owner.account.id, { is_break_glass: false });
  assert.equal(expectResponse(stale, 403).error.code, 'REAUTHENTICATION_REQUIRED');
});

test('when it becomes required, sessions with a password end, and passwords work for break-glass owners only', async () => {
  const developer = await makePerson(server, owner, 'developer');
  const second = await makePerson(server, owner, 'owner');
  await setSso(owner, peer);
  const person = await personAt(server, peer, {
    sub: 'p',
    email: 'p@example.com',
    email_verified: true,
    groups: 'leads',
  });
  expectResponse(await developer.api('GET', '/account'), 200);
  const { link } = expectResponse(
    await owner.api('POST', '/organization/invitations', { body: { email: 'late@example.com', role: 'viewer' } }),
    201,
  );

  expectResponse(await require(owner, true), 200);
  for (const ended of [developer, second]) {
    expectResponse(await ended.api('GET', '/account'), 401);
    assert.equal(expectResponse(await passwordIn(ended.email), 403).error.code, 'SSO_REQUIRED');
    expectResponse(await passwordIn(ended.email, { password: 'wrong' }), 401);
  }
  for (const going of [owner, person]) expectResponse(await going.api('GET', '/account'), 200);
  assert.equal(expectResponse(await passwordIn(owner.email), 401).error.code, 'TOTP_REQUIRED');
  server.advance(30_000);
  expectResponse(await passwordIn(owner.email, { code: codeNow() }), 200);
  const token = new URL(link).hash.slice('#token='.length);
  const accepted = await api('POST', '/account/invitations/accept', {
    body: { token, name: 'Late', password: PASSWORD },
  });
  assert.equal(expectResponse(accepted, 403).error.code, 'SSO_REQUIRED');
  const invited = await owner.api('POST', '/organization/invitations', {
    body: { email: 'n@example.com', role: 'viewer' },
  });
  assert.equal(expectResponse(invited, 403).error.code, 'SSO_REQUIRED');

  // Sessions that ended do not come back.
  expectResponse(await require(owner, false), 200);
  expectResponse(await developer.api('GET', '/account'), 401);
  expectResponse(await passwordIn(developer.email), 200);
});

test('the identity provider has no way to the account of a break-glass owner', async () => {
  await setSso(owner, peer);
  const response = await signInAt(server, peer, {
    sub: 'o',
    email: owner.email,
    email_verified: true,
    groups: 'heads',
  });
  assert.equal(expectResponse(response, 409).error.code, 'SSO_EMAIL_TAKEN');
});

test('while it is required, the last break-glass owner keeps role, mark, second factor and account', async () => {
  expectResponse(await require(owner, true), 200);
  const { id } = owner.account;
  const refusals = [
    await change(id, { is_break_glass: false }),
    await owner.api('DELETE', '/account/totp', { body: { password: PASSWORD } }),
  ];
  for (const response of refusals) assert.equal(expectResponse(response, 409).error.code, 'SSO_BREAK_GLASS_MISSING');
  expectResponse(await change(id, { role: 'admin' }), 409);
  expectResponse(await owner.api('DELETE', `/organization/accounts/${id}`), 409);
  expectResponse(await require(owner, false), 200);
});

test('an owner who loses the mark while it is required is signed out, and one who loses the role loses the mark', async () => {
  const other = await makePerson(server, owner, 'owner');
  await makeBreakGlass(server, other);
  expectResponse(await require(owner, true), 200);
  expectResponse(await other.api('GET', '/account'), 200);
  const path = other.account.id;
  assert.equal(expectResponse(await change(path, { is_break_glass: false }), 200).is_break_glass, false);
  expectResponse(await other.api('GET', '/account'), 401);
  expectResponse(await change(path, { is_break_glass: true }), 200);
  const demoted = expectResponse(await change(path, { role: 'admin' }), 200);
  assert.deepEqual([demoted.role, demoted.is_break_glass], ['admin', false]);
  expectResponse(await require(owner, false), 200);
});

test('the operator gives an owner a password that works, also while single sign-on is required', async () => {
  const me = await reauthenticate(server, owner);
  expectResponse(await require(me, true), 200);
  const { id } = await resetOwner(server.app, { email: owner.email, password: PASSWORD });
  secret = '';
  await allowPasswords(server.app, id);
  const again = await signIn(server, owner.email);
  assert.equal(again.account.is_break_glass, false);
  assert.equal(expectResponse(await again.api('GET', '/organization/sso'), 200).is_required, false);
});
