// What an attacker tries against single sign-on: replayed and foreign callbacks, forged ID tokens, another organization's settings.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { createOwner } from '../../src/features/identity/accounts/owner.ts';
import { expectResponse } from '../support/make/make.ts';
import { makeOwner, PASSWORD, signIn } from '../support/make/make-accounts.ts';
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
import { startNameServer } from '../support/peers/name-server.ts';
import { type Switches, startOpenIdProvider } from '../support/peers/openid-provider.ts';

const clock = { now: Date.now };
const options = { now: () => clock.now() };
const peer = await startOpenIdProvider(options);
const evil = await startOpenIdProvider(options);
const texts: Record<string, string[]> = {};
const names = await startNameServer({}, texts);
const server = await startOAuthServer([peer, evil], {}, { name_servers: [names.address] });
clock.now = () => server.app.now();
const owner = await makeOwner(server);
await setSso(owner, peer, { default_role: 'viewer' });

const ann = { sub: 'ann', email: 'ann@example.com', email_verified: true, groups: 'leads' };
const sessionOf = (response: any) => cookiesOf(response).get('toolgate_session');
const browser = (secret: string) => ({ cookie: `toolgate_sso=${secret}` });

beforeEach(() => {
  peer.reset();
  server.advance(61 * 60_000);
});

test('a callback works once', async () => {
  const { cookie, location } = await startSignIn(server, ann.email);
  const path = await visitProvider(peer, location, ann);
  const [one, two] = await Promise.all([1, 2].map(() => finishSignIn(server, path, browser(cookie))));
  assert.deepEqual([one?.status, two?.status].sort(), [303, 400]);
  assert.equal(expectResponse(await finishSignIn(server, path, browser(cookie)), 400).error.code, 'SSO_EXPIRED');
});

test('a callback works only in the browser in which the sign-in began, and for 10 minutes', async () => {
  const attacker = await startSignIn(server, ann.email);
  const path = await visitProvider(peer, attacker.location, ann);
  const victim = await startSignIn(server, ann.email);
  for (const headers of [{}, browser(victim.cookie)] as Record<string, string>[]) {
    const response = await finishSignIn(server, path, headers);
    assert.equal(expectResponse(response, 400).error.code, 'SSO_EXPIRED');
    assert.equal(sessionOf(response), undefined);
  }
  server.advance(10 * 60_000 + 1000);
  expectResponse(await finishSignIn(server, path, browser(attacker.cookie)), 400);
});

test('a forged, foreign or broken answer of the provider signs nobody in', async () => {
  const respelled = peer.url.replace('https', 'HTTPS');
  const forged: Partial<Switches>[] = [
    { has_bad_signature: true },
    { token_issuer: evil.url },
    { token_issuer: `${peer.url}/` },
    { callback_iss: evil.url },
    { callback_iss: `${peer.url}/` },
    { audience: 'another-client' },
    { authorized_party: 'another-client' },
    { nonce: 'of-another-sign-in' },
    { authorize_error: 'access_denied' },
    { token_error: 'invalid_client' },
    { has_no_keys: true },
    { discovery_issuer: respelled, callback_iss: respelled, token_issuer: respelled },
  ];
  for (const switches of forged) {
    const { cookie, location } = await startSignIn(server, ann.email);
    Object.assign(peer.switches, switches);
    const response = await finishSignIn(server, await visitProvider(peer, location, ann), browser(cookie));
    assert.equal(expectResponse(response, 403).error.code, 'SSO_REFUSED', JSON.stringify(switches));
    assert.equal(sessionOf(response), undefined);
    peer.reset();
  }
  const { cookie, location } = await startSignIn(server, ann.email);
  const path = await visitProvider(peer, location, ann);
  peer.switches.is_down = true;
  assert.equal(
    expectResponse(await finishSignIn(server, path, browser(cookie)), 502).error.code,
    'SSO_PROVIDER_UNAVAILABLE',
  );
  expectResponse((await startSignIn(server, ann.email)).response, 502);
});

test('the answer of the provider of one organization is worth nothing at another', async () => {
  const { cookie, location } = await startSignIn(server, ann.email);
  const path = await visitProvider(peer, location, ann);
  const other = path.replace(/org_\w+/, 'org_0000000000000000000000');
  expectResponse(await finishSignIn(server, other, browser(cookie)), 400);
  expectResponse(await finishSignIn(server, path, browser(cookie)), 303);
});

test('another organization needs a TXT record for a domain, gets no domain of others, and none of their accounts', async () => {
  const email = 'mallory@evil.example';
  await createOwner(server.app, { email, name: 'Mallory', password: PASSWORD, organization: 'Evil' });
  const mallory = await signIn(server, email);
  const put = (fields: object) => mallory.api('PUT', '/organization/sso', { body: ssoFields(evil, fields) });
  const unproven = expectResponse(await put({ domains: ['evil.example'] }), 422).error.details;
  assert.deepEqual(
    [unproven.field, unproven.reason, unproven.record_name, unproven.record_value],
    [
      'domains',
      'domain_not_proven',
      '_toolgate.evil.example',
      `toolgate-organization=${mallory.account.organization.id}`,
    ],
  );
  expectResponse(await mallory.api('GET', '/organization/sso'), 404);
  const record = ['v=spf1 -all', unproven.record_value];
  texts['_toolgate.evil.example'] = ['toolgate-organization=org_of_somebody_else'];
  expectResponse(await put({ domains: ['evil.example'] }), 422);
  texts['_toolgate.evil.example'] = record;
  expectResponse(await put({ domains: ['evil.example'] }), 200);
  expectResponse(await put({ domains: ['evil.example', 'example.com'] }), 422);
  texts['_toolgate.example.com'] = record;
  assert.equal(expectResponse(await put({ domains: ['example.com'] }), 409).error.code, 'SSO_DOMAIN_TAKEN');
  // A domain that was proven stays when its record is gone.
  delete texts['_toolgate.evil.example'];
  expectResponse(await put({ domains: ['evil.example'] }), 200);

  // The same subject at another issuer, and an address of another organization.
  const real = await personAt(server, peer, ann);
  const stolen = await startSignIn(server, 'x@evil.example');
  const path = await visitProvider(evil, stolen.location, ann);
  const refused = expectResponse(await finishSignIn(server, path, browser(stolen.cookie)), 403);
  assert.equal(refused.error.details.reason, 'email_of_other_domain');
  const theirs = await personAt(server, evil, { ...ann, email: 'ann@evil.example' });
  assert.notEqual(theirs.account.id, real.account.id);
  assert.notEqual(theirs.account.organization.id, real.account.organization.id);
});

test('a domain is the same in every spelling: in the settings, in the DNS record, and as the domain of another organization', async () => {
  const email = 'mia@other.example';
  await createOwner(server.app, { email, name: 'Mia', password: PASSWORD, organization: 'Other' });
  const mia = await signIn(server, email);
  const put = (domain: string) =>
    mia.api('PUT', '/organization/sso', { body: ssoFields(evil, { domains: [domain], default_role: 'viewer' }) });
  const { record_name, record_value } = expectResponse(await put(' MÜNCHEN.Example. '), 422).error.details;
  assert.equal(record_name, '_toolgate.xn--mnchen-3ya.example');
  texts[record_name] = [record_value];
  assert.deepEqual(expectResponse(await put(' MÜNCHEN.Example. '), 200).domains, ['xn--mnchen-3ya.example']);
  for (const person of ['max@münchen.example', 'max@MÜNCHEN.EXAMPLE.', 'max@xn--mnchen-3ya.example'])
    expectResponse((await startSignIn(server, person)).response, 303);
  const { account } = await personAt(server, evil, { ...ann, sub: 'max', email: 'max@xn--Mnchen-3ya.example.' });
  assert.equal(account.email, 'max@xn--mnchen-3ya.example');
  texts['_toolgate.example.com'] = [record_value];
  for (const spelling of ['example.com', 'EXAMPLE.COM', 'example.com.', 'ｅｘａｍｐｌｅ.com'])
    assert.equal(expectResponse(await put(spelling), 409).error.code, 'SSO_DOMAIN_TAKEN', spelling);
});

test('an address whose domain only begins like one of the organization signs nobody in', async () => {
  for (const end of ['/evil.example', '#evil.example', '?evil.example', '%2eevil.example', '..']) {
    const { cookie, location } = await startSignIn(server, ann.email);
    const path = await visitProvider(peer, location, { ...ann, sub: 'eve', email: `eve@example.com${end}` });
    const refused = expectResponse(await finishSignIn(server, path, browser(cookie)), 403);
    assert.equal(refused.error.details.reason, 'email_of_other_domain', end);
  }
});

test('a sign-in that began under settings that were replaced has ended', async () => {
  const me = await signIn(server, owner.email);
  const { cookie, location } = await startSignIn(server, ann.email);
  const path = await visitProvider(peer, location, ann);
  await setSso(me, peer, { default_role: null });
  expectResponse(await finishSignIn(server, path, browser(cookie)), 400);
  await setSso(me, peer, { default_role: 'viewer' });
});

test('the secret goes to no other issuer, and settings that break a rule change nothing', async () => {
  const me = await signIn(server, owner.email);
  const before = expectResponse(await me.api('GET', '/organization/sso'), 200);
  const { client_secret: _, ...fields } = ssoFields(peer, { default_role: 'viewer' });
  const put = (more: object) => me.api('PUT', '/organization/sso', { body: { ...fields, ...more } });
  const wrong: [object, string][] = [
    [{ issuer: evil.url }, 'client_secret'],
    [{ issuer: 'http://idp.example.com' }, 'issuer'],
    [{ issuer: 'https://127.0.0.1:1' }, 'issuer'],
    [{ issuer: 'https://idp.example.com/?x' }, 'issuer'],
    [{ domains: [] }, 'domains'],
    [{ domains: ['a.example', 'A.example'] }, 'domains'],
    [{ domains: ['a.example', ' a.example.'] }, 'domains'],
    [{ domains: ['münchen.example', 'xn--mnchen-3ya.example'] }, 'domains'],
    [{ domains: ['localhost'] }, 'domains.0'],
    [{ domains: ['example.com/x'] }, 'domains.0'],
    [{ domains: ['exa mple.com'] }, 'domains.0'],
    [{ domains: ['a\0.example'] }, 'domains.0'],
    [{ role_claim: '' }, 'role_claim'],
    [{ role_claim: '\ud800' }, 'role_claim'],
    [{ role_map: { x: 'god' } }, 'role_map.x'],
    [{ role_map: { 'a\0': 'viewer' } }, 'role_map.a\0'],
    [{ default_role: 'root' }, 'default_role'],
    [{ is_requird: true }, 'is_requird'],
  ];
  for (const [more, field] of wrong) {
    const { details } = expectResponse(await put(more), 422).error;
    assert.ok(
      details.problems.some((problem: any) => problem.field.startsWith(field.split('\0')[0] ?? '')),
      `${field} ${JSON.stringify(details)}`,
    );
  }
  assert.deepEqual(expectResponse(await me.api('GET', '/organization/sso'), 200), before);
  expectResponse(await put({}), 200);
  expectResponse(await signInAt(server, peer, ann), 303);
  assert.equal(
    evil
      .at('/token')
      .filter(({ authorization }) => authorization?.includes(Buffer.from(peer.client_secret).toString('base64')))
      .length,
    0,
  );
});

test('a change needs a recent sign-in, and a cookie is not enough from another site', async () => {
  const me = await signIn(server, owner.email);
  server.advance(11 * 60_000);
  for (const [method, body] of [
    ['PUT', ssoFields(peer)],
    ['DELETE', undefined],
  ] as const) {
    const refused = await me.api(method, '/organization/sso', body ? { body } : {});
    assert.equal(expectResponse(refused, 403).error.code, 'REAUTHENTICATION_REQUIRED');
  }
  const foreign = { origin: 'https://attacker.example' };
  expectResponse(await me.api('PUT', '/organization/sso', { body: ssoFields(peer), headers: foreign }), 403);
});
