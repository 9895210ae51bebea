// Nobody is signed in to an account of somebody else by a link: a sign-in that did not begin on a page of this server needs a click,
// and so does one that ends the session of another account.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { expectResponse, unique } from '../support/make/make.ts';
import { makeOwner, makePerson, PASSWORD, type Person, signIn, withCookie } from '../support/make/make-accounts.ts';
import { startOAuthServer } from '../support/make/make-oauth.ts';
import {
  cookiesOf,
  finishSignIn,
  ownPage,
  personAt,
  setSso,
  signInAt,
  startSignIn,
  visitProvider,
} from '../support/make/make-sso.ts';
import { startOpenIdProvider, type TestUser } from '../support/peers/openid-provider.ts';
import type { ApiResponse } from '../support/requests/call-api.ts';

const clock = { now: Date.now };
const peer = await startOpenIdProvider({ now: () => clock.now() });
const server = await startOAuthServer([peer]);
clock.now = () => server.app.now();
const { database } = server.app;
let owner: Person = await makeOwner(server);
await setSso(owner, peer);

const browser = { accept: 'text/html' };
const fromForm = {
  ...browser,
  'content-type': 'application/x-www-form-urlencoded',
  'sec-fetch-site': 'same-origin',
  origin: server.url,
};
const foreign: Record<string, string>[] = [
  { ...fromForm, origin: 'https://attacker.example', 'sec-fetch-site': 'cross-site' },
  { ...fromForm, origin: 'null', 'sec-fetch-site': 'cross-site' },
  { ...fromForm, 'sec-fetch-site': 'same-site' },
  { ...browser, 'content-type': fromForm['content-type'], origin: 'https://attacker.example' },
  { ...browser, 'content-type': fromForm['content-type'] },
];

const user = (name: string) => ({
  sub: `sub-${name}`,
  email: `${name}@example.com`,
  email_verified: true,
  name: `The ${name}`,
  groups: ['staff'],
});

const sessionOf = (response: ApiResponse) => cookiesOf(response).get('toolgate_session');
const meOf = (response: ApiResponse) =>
  withCookie(server, `toolgate_session=${sessionOf(response)}`)('GET', '/account');
const isSignedIn = async (person: Person) => (await person.api('GET', '/account')).status === 200;
const requests = () => database.selectFrom('sso_requests').select(['id', 'purpose', 'identity']).execute();

beforeEach(async () => {
  peer.reset();
  server.advance(61 * 60_000); // failures before no longer count
  await database.deleteFrom('sso_requests').execute();
  owner = await signIn(server, owner.email);
});

const post = (path: string, fields: Record<string, string>, headers: Record<string, string>) =>
  server.api('POST', path, { body: `${new URLSearchParams(fields)}`, headers, redirect: 'manual' });

/** Comes back from the provider as this user, in a browser that has the session of `person`. */
async function comeBack(person: Person, who: Partial<TestUser>) {
  const { cookie, location } = await startSignIn(server, who.email ?? '', { cookie: person.cookie });
  const path = await visitProvider(peer, location, who);
  const cookies = `toolgate_sso=${cookie}; ${person.cookie}`;
  return { cookies, response: await finishSignIn(server, path, { ...browser, cookie: cookies }) };
}

/** The fields that the page would send. */
function fieldsOf({ text }: ApiResponse, decision: string): Record<string, string> {
  const hidden = text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]+)">/g);
  return { ...Object.fromEntries([...hidden].map(([, name, value]) => [name, value])), decision };
}

const decide = (cookie: string, page: ApiResponse, decision: string, headers: Record<string, string> = fromForm) =>
  post('/account/sso/switch', fieldsOf(page, decision), { ...headers, cookie });

test('a link that is not on a page of this server shows one button, and starts nothing', async () => {
  const outside: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' }, // a tile of an identity provider, or an attacker
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' }, // a link in an email program
    {},
  ];
  for (const headers of outside)
    for (const email of ['eve@example.com', 'eve@not-configured.example', 'eve@not-configured.example']) {
      const path = `/account/sso?email=${encodeURIComponent(email)}`;
      const page = await server.api('GET', path, { headers: { ...browser, ...headers }, redirect: 'manual' });
      assert.equal(page.status, 200);
      assert.deepEqual(page.text.match(/<button.*<\/button>/g), [
        '<button class="primary">Continue with single sign-on</button>',
      ]);
      assert.match(page.text, new RegExp(`<bdi>${email}</bdi>`));
      assert.deepEqual(page.headers.getSetCookie(), []);
      assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
    }
  assert.deepEqual(await requests(), []);
  assert.deepEqual(peer.at('/.well-known/openid-configuration'), []);
  // Eight addresses of an unknown domain, and the network is not slowed down: another site could have loaded them.
  expectResponse((await startSignIn(server, 'a@not-configured.example')).response, 404);
});

test('the button of that page signs in, and a page of another site cannot press it', async () => {
  const gina = user('gina');
  for (const headers of foreign) {
    const refused = await post('/account/sso', { email: gina.email }, headers);
    assert.equal(refused.status, 403, JSON.stringify(headers));
    assert.deepEqual(refused.headers.getSetCookie(), []);
  }
  assert.deepEqual(await requests(), []);
  const started = await post('/account/sso', { email: gina.email }, fromForm);
  expectResponse(started, 303);
  const path = await visitProvider(peer, started.headers.get('location'), gina);
  const response = await finishSignIn(server, path, {
    cookie: `toolgate_sso=${cookiesOf(started).get('toolgate_sso')}`,
  });
  expectResponse(response, 303);
  assert.equal(expectResponse(await meOf(response), 200).email, gina.email);
});

test('what is no email address, an unknown domain, a target to go on to, and a body that is no form are refused', async () => {
  const json = { ...fromForm, accept: '*/*' };
  const details = expectResponse(await post('/account/sso', { email: 'nobody' }, json), 422).error.details;
  assert.equal(details.field, 'email');
  expectResponse(await post('/account/sso', {}, json), 422);
  expectResponse(await post('/account/sso', { email: 'a@example.com', next: 'https://attacker.example' }, json), 422);
  const target = `/account/sso?email=a%40example.com&next=${encodeURIComponent('https://attacker.example')}`;
  expectResponse(await server.api('GET', target, { headers: ownPage }), 422);
  expectResponse(await post('/account/sso', { email: 'a@not-configured.example' }, json), 404);
  const body = { email: 'a@example.com' };
  expectResponse(await server.api('POST', '/account/sso', { body, headers: { origin: server.url } }), 415);
});

test('a session of another account stays until the person says that it ends, on a page that names both', async () => {
  const victim = await makePerson(server, owner, 'developer');
  const { response: page, cookies } = await comeBack(victim, user('mallory'));
  assert.equal(page.status, 200);
  assert.equal(sessionOf(page), undefined);
  assert.match(page.text, /Continue as <bdi>mallory@example.com<\/bdi>\?/);
  assert.match(page.text, new RegExp(`You are signed in as <strong><bdi>${victim.email}</bdi>`));
  assert.ok(await isSignedIn(victim));
  const { data } = expectResponse(await owner.api('GET', '/organization/accounts?limit=100'), 200);
  assert.ok(!data.some(({ email }: any) => email === 'mallory@example.com'), 'the account is created after the click');

  const response = await decide(cookies, page, 'continue');
  expectResponse(response, 303);
  assert.equal(response.headers.get('location'), '/');
  assert.equal(expectResponse(await meOf(response), 200).email, 'mallory@example.com');
  assert.ok(!(await isSignedIn(victim)));
  assert.deepEqual(await requests(), []);
});

test('the page works once, for 10 minutes, in one browser, and for no page of another site', async () => {
  const victim = await makePerson(server, owner, 'viewer');
  const { response: page, cookies } = await comeBack(victim, user('nora'));
  for (const headers of foreign) assert.equal((await decide(cookies, page, 'continue', headers)).status, 403);
  const other = await startSignIn(server, 'nora@example.com');
  for (const cookie of [victim.cookie, `toolgate_sso=${other.cookie}; ${victim.cookie}`])
    assert.equal((await decide(cookie, page, 'continue')).status, 400);
  assert.ok(await isSignedIn(victim));
  const both = await Promise.all([1, 2].map(() => decide(cookies, page, 'continue')));
  assert.deepEqual(both.map(({ status }) => status).sort(), [303, 400]);
  assert.equal((await decide(cookies, page, 'continue')).status, 400);

  const again = await signIn(server, victim.email);
  const late = await comeBack(again, user('nora'));
  server.advance(10 * 60_000 + 1000);
  assert.equal((await decide(late.cookies, late.response, 'continue')).status, 400);
  assert.ok(await isSignedIn(again));
});

test('who stays keeps the session, and the sign-in is over', async () => {
  const victim = await makePerson(server, owner, 'viewer');
  const { response: page, cookies } = await comeBack(victim, user('otto'));
  const stayed = await decide(cookies, page, 'stay');
  expectResponse(stayed, 303);
  assert.deepEqual([stayed.headers.get('location'), stayed.headers.getSetCookie()], ['/', []]);
  assert.ok(await isSignedIn(victim));
  assert.deepEqual(await requests(), []);
  assert.equal((await decide(cookies, page, 'continue')).status, 400);
  assert.ok(await isSignedIn(victim));
});

test('a session that the page did not name is asked about again', async () => {
  const first = await makePerson(server, owner, 'viewer');
  const second = await makePerson(server, owner, 'viewer');
  const { response: page, cookies } = await comeBack(first, user('petra'));
  const later = cookies.replace(first.cookie, second.cookie);
  const asked = await decide(later, page, 'continue');
  assert.equal(asked.status, 200);
  assert.match(asked.text, new RegExp(`You are signed in as <strong><bdi>${second.email}</bdi>`));
  assert.ok((await isSignedIn(first)) && (await isSignedIn(second)));
  expectResponse(await decide(later, asked, 'continue'), 303);
  assert.ok(await isSignedIn(first));
  assert.ok(!(await isSignedIn(second)));
});

test('the session of the same account, and one that has ended, are replaced without a question', async () => {
  const rita = await personAt(server, peer, user('rita'));
  const { response } = await comeBack(rita, user('rita'));
  expectResponse(response, 303);
  assert.equal(expectResponse(await meOf(response), 200).id, rita.account.id);
  assert.ok(!(await isSignedIn(rita)));

  const ended = await makePerson(server, owner, 'viewer');
  expectResponse(await ended.api('POST', '/account/sign-out'), 204);
  expectResponse((await comeBack(ended, user('rita'))).response, 303);
  expectResponse(await signInAt(server, peer, user('rita')), 303);
});

test('an account with a password is linked after the question about the session of another account', async () => {
  const signed_in = await makePerson(server, owner, 'viewer');
  const linked = await makePerson(server, owner, 'viewer');
  const person = { ...user('x'), sub: unique('sub'), email: linked.email };
  const { response: page, cookies } = await comeBack(signed_in, person);
  assert.match(page.text, new RegExp(`Continue as <bdi>${linked.email}</bdi>`));
  const link = () =>
    server.api('POST', '/account/sso/link', {
      headers: { cookie: cookies, origin: server.url },
      body: { password: PASSWORD },
    });
  expectResponse(await link(), 400);
  const next = await decide(cookies, page, 'continue');
  assert.equal(next.headers.get('location'), '/sign-in?sso=link');
  assert.ok(await isSignedIn(signed_in));
  assert.equal(expectResponse(await link(), 200).id, linked.account.id);

  // Their own session is no other account.
  const mine = await makePerson(server, owner, 'viewer');
  const { response } = await comeBack(mine, { ...user('y'), sub: unique('sub'), email: mine.email });
  assert.equal(response.headers.get('location'), '/sign-in?sso=link');
});

test('a person who is refused keeps the session, and one who waits starts again when the settings change', async () => {
  const victim = await makePerson(server, owner, 'viewer');
  const { response: refused } = await comeBack(victim, { ...user('sam'), groups: [] });
  assert.equal(refused.status, 403);
  assert.ok(await isSignedIn(victim));
  const { response: page, cookies } = await comeBack(victim, user('sam'));
  await setSso(owner, peer, { role_map: { staff: 'viewer' } });
  assert.equal((await decide(cookies, page, 'continue')).status, 400);
  assert.ok(await isSignedIn(victim));
});

test('what an identity provider adds to the link of its tile changes nothing', async () => {
  const added = 'iss=https%3A%2F%2Fattacker.example&login_hint=eve&target_link_uri=https%3A%2F%2Fattacker.example';
  const plain = await server.api('GET', '/account/sso?email=a%40example.com');
  const opened = await server.api('GET', `/account/sso?email=a%40example.com&${added}`);
  assert.deepEqual([opened.status, opened.text], [200, plain.text]);
});
