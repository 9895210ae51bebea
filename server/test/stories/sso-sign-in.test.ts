// Single sign-on of people: start by domain, the account by issuer and subject, the role of each sign-in, sessions of 12 hours.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { expectResponse, unique } from '../support/make/make.ts';
import { makeOwner, makePerson, PASSWORD, reauthenticate, signIn, withCookie } from '../support/make/make-accounts.ts';
import { startOAuthServer } from '../support/make/make-oauth.ts';
import {
  cookiesOf,
  finishSignIn,
  personAt,
  setSso,
  signInAt,
  ssoFields,
  startSignIn,
  visitProvider,
} from '../support/make/make-sso.ts';
import { startOpenIdProvider } from '../support/peers/openid-provider.ts';

const clock = { now: Date.now };
const peer = await startOpenIdProvider({ now: () => clock.now() });
const server = await startOAuthServer([peer]);
clock.now = () => server.app.now();
const { api } = server;
let owner = await makeOwner(server);
await setSso(owner, peer);

const HOUR_MS = 3_600_000;
const user = (name: string, groups: string | string[]) => ({
  sub: `sub-${name}`,
  email: `${name}@example.com`,
  email_verified: true,
  name: `The ${name}`,
  groups,
});
const codeOf = (body: any) => [body.error.code, body.error.details.reason];

beforeEach(async () => {
  peer.reset();
  server.advance(61 * 60_000); // failures before no longer count
  owner = { ...owner, ...(await signIn(server, owner.email)) };
});

test('the settings are shown without the secret, and only to owners', async () => {
  const shown = expectResponse(await owner.api('GET', '/organization/sso'), 200);
  const { callback_url, created_at, updated_at, ...rest } = shown;
  const { client_secret, ...fields } = ssoFields(peer);
  assert.deepEqual(rest, { object: 'organization_sso', ...fields });
  assert.match(callback_url, /\/api\/v1\/account\/sso\/callback\/org_/);
  const rows = await server.app.database.selectFrom('organization_sso').selectAll().execute();
  assert.ok(!JSON.stringify([shown, rows]).includes(client_secret));
  const admin = await makePerson(server, owner, 'admin');
  for (const [method, body] of [['GET'], ['PUT', ssoFields(peer)], ['DELETE']] as const) {
    const refused = expectResponse(await admin.api(method, '/organization/sso', body ? { body } : {}), 403);
    assert.equal(refused.error.details.reason, 'owner_only');
  }
});

test('a first sign-in creates the account with the role of the highest group, and the session lasts 12 hours', async () => {
  const response = await signInAt(server, peer, user('ann', ['staff', 'leads', 'builders', 'unknown']));
  expectResponse(response, 303);
  assert.equal(response.headers.get('location'), '/');
  const set = response.headers.getSetCookie().find((text) => text.startsWith('toolgate_session')) ?? '';
  assert.match(set, /Max-Age=43200; HttpOnly; SameSite=Lax/);
  const ann = withCookie(server, `toolgate_session=${cookiesOf(response).get('toolgate_session')}`);
  const account = expectResponse(await ann('GET', '/account'), 200);
  const { name, email, role, has_sso, has_totp, is_break_glass, session } = account;
  assert.deepEqual(
    [name, email, role, has_sso, has_totp, is_break_glass],
    ['The ann', 'ann@example.com', 'admin', true, false, false],
  );
  assert.equal(Date.parse(session.expires_at) - Date.parse(session.created_at), 12 * HOUR_MS);
  for (let i = 0; i < 3; i += 1) {
    server.advance(4 * HOUR_MS - 60_000);
    expectResponse(await ann('GET', '/account'), 200); // it is used, and still ends
  }
  server.advance(4 * 60_000);
  expectResponse(await ann('GET', '/account'), 401);
});

test('the role is read again at each sign-in, and a person who lost every group is refused and signed out', async () => {
  const first = await personAt(server, peer, user('bob', 'heads'));
  assert.equal(first.account.role, 'owner');
  const second = await personAt(server, peer, user('bob', ['staff']));
  assert.deepEqual([second.account.id, second.account.role], [first.account.id, 'viewer']);
  assert.equal(expectResponse(await first.api('GET', '/account'), 200).role, 'viewer');
  const refused = expectResponse(await signInAt(server, peer, user('bob', [])), 403);
  assert.equal(refused.error.code, 'SSO_NO_ROLE');
  for (const person of [first, second]) expectResponse(await person.api('GET', '/account'), 401);
});

test('without a default role a person without a group is refused with the reason; with one it is given', async () => {
  const nobody = user('carl', ['other']);
  const refused = expectResponse(await signInAt(server, peer, nobody), 403);
  assert.equal(refused.error.message, 'Your groups at the identity provider give you no role here');
  const page = await signInAt(server, peer, nobody, { accept: 'text/html' });
  assert.match(page.headers.get('content-type') ?? '', /text\/html/);
  assert.match(page.text, /give you no role here/);
  await setSso(owner, peer, { default_role: 'viewer' });
  assert.equal((await personAt(server, peer, nobody)).account.role, 'viewer');
  await setSso(owner, peer);
});

test('an account is the subject at the issuer: another address is the same person, another subject is not', async () => {
  const first = await personAt(server, peer, user('dora', 'staff'));
  const renamed = await personAt(server, peer, { ...user('dora', 'staff'), email: 'dora.new@example.com' });
  assert.deepEqual([renamed.account.id, renamed.account.email], [first.account.id, 'dora.new@example.com']);
  const stranger = { ...user('dora', 'heads'), sub: 'somebody-else', email: 'dora.new@example.com' };
  const refused = expectResponse(await signInAt(server, peer, stranger), 409);
  assert.equal(refused.error.code, 'SSO_EMAIL_TAKEN');
});

test('the start says nothing about accounts, and unknown domains are limited like failed sign-ins', async () => {
  for (const email of [owner.email, 'nobody@example.com']) {
    const { response, location } = await startSignIn(server, email);
    expectResponse(response, 303);
    assert.equal(new URL(location ?? '').searchParams.get('login_hint'), email);
    const { searchParams } = new URL(location ?? '');
    for (const name of ['state', 'nonce', 'code_challenge']) assert.ok(searchParams.get(name));
  }
  const statuses: number[] = [];
  for (let i = 0; i < 6; i += 1)
    statuses.push((await startSignIn(server, `${unique('x')}@other.example`)).response.status);
  assert.deepEqual(statuses, [404, 404, 404, 404, 404, 429]);
  expectResponse((await startSignIn(server, 'still@example.com')).response, 303);
  for (const email of ['', 'no-address', 'a\0@example.com'])
    assert.match(String((await startSignIn(server, email)).response.status), /^4(00|22)$/);
});

test('an address that is not verified, of another domain, or missing is refused', async () => {
  const cases = [
    [{ ...user('eve', 'heads'), email_verified: false }, 'email_not_verified'],
    [{ ...user('eve', 'heads'), email: 'eve@attacker.example' }, 'email_of_other_domain'],
    [{ ...user('eve', 'heads'), email: 'eve@sub.example.com' }, 'email_of_other_domain'],
    [{ ...user('eve', 'heads'), email: 'eve@example.com@attacker.example' }, 'email_not_verified'],
  ] as const;
  for (const [person, reason] of cases) {
    const { cookie, location } = await startSignIn(server, 'eve@example.com');
    const path = await visitProvider(peer, location, person as any);
    const response = await finishSignIn(server, path, { cookie: `toolgate_sso=${cookie}` });
    assert.deepEqual(codeOf(expectResponse(response, 403)), ['SSO_EMAIL_REFUSED', reason]);
    assert.equal(cookiesOf(response).get('toolgate_session'), undefined);
  }
});

test('an address that the ID token leaves out is taken from the userinfo endpoint', async () => {
  peer.switches.has_no_email_in_id_token = true;
  await setSso(owner, peer, { default_role: 'viewer' });
  const { account } = await personAt(server, peer, user('fay', 'staff'));
  assert.equal(account.email, 'fay@example.com');
  await setSso(owner, peer);
});

test('an account with a password is not taken over: it moves only with its password, and then has none', async () => {
  const victim = await makePerson(server, owner, 'developer');
  const person = { ...user('x', 'leads'), sub: unique('sub'), email: victim.email };
  const { cookie, location } = await startSignIn(server, victim.email);
  const headers = { cookie: `toolgate_sso=${cookie}`, origin: server.url };
  const refused = await finishSignIn(server, await visitProvider(peer, location, person), headers);
  assert.equal(expectResponse(refused, 409).error.code, 'SSO_LINK_REQUIRED');
  assert.equal(cookiesOf(refused).get('toolgate_session'), undefined);
  const link = (body: object, more = headers) => api('POST', '/account/sso/link', { headers: more, body });
  expectResponse(await link({ password: 'wrong' }), 401);
  expectResponse(await link({ password: PASSWORD }, { cookie: '', origin: server.url }), 400);
  expectResponse(await link({ password: PASSWORD }, { ...headers, origin: 'https://attacker.example' }), 403);
  const linked = await link({ password: PASSWORD });
  const { id, role, has_sso } = expectResponse(linked, 200);
  assert.deepEqual([id, role, has_sso], [victim.account.id, 'admin', true]);
  expectResponse(await victim.api('GET', '/account'), 401);
  expectResponse(await link({ password: PASSWORD }), 400);
  expectResponse(await api('POST', '/account/sign-in', { body: { email: victim.email, password: PASSWORD } }), 401);
  assert.equal((await personAt(server, peer, person)).account.id, victim.account.id);
});

test('the last owner with a password keeps it', async () => {
  const { cookie, location } = await startSignIn(server, owner.email);
  const headers = { cookie: `toolgate_sso=${cookie}`, origin: server.url };
  const person = { ...user('olivia', 'heads'), email: owner.email };
  expectResponse(await finishSignIn(server, await visitProvider(peer, location, person), headers), 409);
  const refused = await api('POST', '/account/sso/link', { headers, body: { password: PASSWORD } });
  assert.equal(expectResponse(refused, 409).error.code, 'LAST_OWNER');
  await personAt(server, peer, user('head', 'heads'));
  const path = `/organization/accounts/${owner.account.id}`;
  assert.equal(expectResponse(await owner.api('DELETE', path), 409).error.code, 'LAST_OWNER');
});

test('an account of single sign-on has no password, no second factor and no address to change here', async () => {
  const gus = await personAt(server, peer, user('gus', 'heads'));
  const refusals = [
    await gus.api('PATCH', '/account', { body: { password: 'another long password', current_password: 'x' } }),
    await gus.api('PATCH', '/account', { body: { email: 'other@example.com', current_password: 'x' } }),
    await gus.api('POST', '/account/totp'),
    await gus.api('POST', '/account/reauthenticate', { body: { password: PASSWORD } }),
    await gus.api('PATCH', `/organization/accounts/${gus.account.id}`, { body: { is_break_glass: true } }),
  ];
  const codes = refusals.map((response) => expectResponse(response, 409).error.code);
  assert.deepEqual(codes, ['SSO_ACCOUNT', 'SSO_ACCOUNT', 'SSO_ACCOUNT', 'SSO_ACCOUNT', 'BREAK_GLASS_NOT_ALLOWED']);
  assert.equal(expectResponse(await gus.api('PATCH', '/account', { body: { name: 'Gustav' } }), 200).name, 'Gustav');
  server.advance(11 * 60_000);
  expectResponse(await gus.api('DELETE', '/organization/sso'), 403);
  const again = await personAt(server, peer, user('gus', 'heads'));
  expectResponse(await again.api('PUT', '/organization/sso', { body: ssoFields(peer) }), 200);
});

test('another issuer, and no single sign-on, end the sessions and the accounts of the one before', async () => {
  const hal = await personAt(server, peer, user('hal', 'leads'));
  const me = await reauthenticate(server, owner);
  expectResponse(await me.api('DELETE', '/organization/sso'), 204);
  expectResponse(await me.api('GET', '/organization/sso'), 404);
  expectResponse(await hal.api('GET', '/account'), 401);
  expectResponse((await startSignIn(server, 'hal@example.com')).response, 404);
  await setSso(me, peer);
  expectResponse(await hal.api('GET', '/account'), 401);
  assert.equal((await personAt(server, peer, user('hal', 'staff'))).account.id, hal.account.id);
});

test('the audit log has the settings without the secret, the new account, the sign-in and the role', async () => {
  await personAt(server, peer, user('ida', 'staff'));
  await personAt(server, peer, user('ida', 'leads'));
  const { data } = expectResponse(await owner.api('GET', '/organization/audit-log?limit=100'), 200);
  const actions = new Set(data.map(({ action }: any) => action));
  for (const action of ['organization.sso_updated', 'account.created', 'account.signed_in', 'account.role_changed'])
    assert.ok(actions.has(action), action);
  assert.ok(!JSON.stringify(data).includes(peer.client_secret));
});
