// The test of single sign-on goes the whole way, reports each step, and saves nothing.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { expectResponse } from '../support/make/make.ts';
import { makeOwner, makePerson, signIn } from '../support/make/make-accounts.ts';
import { startOAuthServer } from '../support/make/make-oauth.ts';
import { cookiesOf, finishSignIn, ssoFields, visitProvider } from '../support/make/make-sso.ts';
import { startOpenIdProvider } from '../support/peers/openid-provider.ts';

const clock = { now: Date.now };
const peer = await startOpenIdProvider({ now: () => clock.now() });
const server = await startOAuthServer([peer]);
clock.now = () => server.app.now();
let owner: any = await makeOwner(server);

const FIRST = ['break_glass', 'domains', 'discovery', 'keys'];
const LAST = ['sign_in', 'token', 'id_token', 'email', 'role', 'account'];
const person = { sub: 'ann', email: 'ann@example.com', email_verified: true, groups: ['leads'] };

const outcomes = ({ steps }: any) => Object.fromEntries(steps.map(({ step, outcome }: any) => [step, outcome]));
const all = (names: string[], outcome: string) => Object.fromEntries(names.map((name) => [name, outcome]));

async function begin(fields: object = {}) {
  const response = await owner.api('POST', '/organization/sso/test', { body: ssoFields(peer, fields) });
  return { report: expectResponse(response, 200), cookie: `toolgate_sso=${cookiesOf(response).get('toolgate_sso')}` };
}

async function run(fields: object, user: object, headers: object = {}) {
  const { report, cookie } = await begin(fields);
  const path = await visitProvider(peer, report.authorize_url, user);
  const response = await finishSignIn(server, path, { cookie, ...headers });
  assert.equal(cookiesOf(response).get('toolgate_session'), undefined);
  return { response, report: expectResponse(await owner.api('GET', `/organization/sso/test/${report.id}`), 200) };
}

const count = async () =>
  (
    await server.app.database
      .selectFrom('accounts')
      .select(({ fn }) => fn.countAll().as('n'))
      .executeTakeFirstOrThrow()
  ).n;

beforeEach(async () => {
  peer.reset();
  server.advance(61 * 60_000);
  owner = await signIn(server, owner.email);
});

test('every step passes for settings that work, and nothing is saved: no settings, account or session', async () => {
  const before = await count();
  const { report } = await begin();
  assert.equal(report.status, 'waiting');
  assert.deepEqual(outcomes(report), { ...all(FIRST, 'passed'), ...all(LAST, 'waiting') });
  const done = await run({}, person);
  assert.equal(expectResponse(done.response, 200).status, 'passed');
  assert.equal(done.report.status, 'passed');
  assert.deepEqual(outcomes(done.report), all([...FIRST, ...LAST], 'passed'));
  const found = Object.fromEntries(done.report.steps.map(({ step, found }: any) => [step, found]));
  assert.deepEqual(
    [found.id_token, found.email, found.role, found.account],
    ['sub ann', 'ann@example.com', 'admin', 'An account for ann@example.com would be created'],
  );
  expectResponse(await owner.api('GET', '/organization/sso'), 404);
  assert.equal(await count(), before);
  const page = (await run({}, person, { accept: 'text/html' })).response;
  assert.match(page.text, /Single sign-on works/);
  const rows = JSON.stringify(await server.app.database.selectFrom('sso_requests').selectAll().execute());
  assert.ok(!rows.includes(peer.client_secret));
});

test('the step that fails is named with a reason and a remedy, and those after it are not reached', async () => {
  const down = (await begin({ issuer: 'https://127.0.0.1:1', client_secret: 'x' }).catch(() => null)) as any;
  assert.equal(down, null); // an address that is not public is refused at once
  peer.switches.is_down = true;
  const { report } = await begin();
  assert.deepEqual(
    [report.status, report.authorize_url, outcomes(report)],
    [
      'failed',
      null,
      {
        ...all([...FIRST, ...LAST], 'not_reached'),
        ...all(['break_glass', 'domains'], 'passed'),
        discovery: 'failed',
      },
    ],
  );
  peer.reset();
  const cases: [object, object, () => void, string][] = [
    [{ client_secret: 'wrong' }, person, () => {}, 'token'],
    [{}, person, () => Object.assign(peer.switches, { has_bad_signature: true }), 'id_token'],
    [{}, person, () => Object.assign(peer.switches, { authorize_error: 'access_denied' }), 'sign_in'],
    [{}, { ...person, email_verified: false }, () => {}, 'email'],
    [{ domains: ['other.example'] }, person, () => {}, 'email'],
    [{}, { ...person, groups: [] }, () => {}, 'role'],
    [{}, { ...person, email: owner.email }, () => {}, 'account'],
  ];
  for (const [fields, user, misbehave, failed] of cases) {
    misbehave();
    const { report } = await run(fields, user);
    peer.reset();
    const step = report.steps.find(({ outcome }: any) => outcome === 'failed');
    assert.equal(step?.step, failed);
    assert.ok(step.reason && step.remedy);
    const names = report.steps.map(({ step }: any) => step);
    const after = report.steps.slice(names.indexOf(failed) + 1);
    assert.ok(after.every(({ outcome }: any) => outcome === 'not_reached'));
  }
  const { report: required } = await begin({ is_required: true });
  assert.equal(outcomes(required).break_glass, 'failed');
});

test('without a body the saved settings are tested, with their secret; only owners test', async () => {
  const test = (who: any, body?: object) => who.api('POST', '/organization/sso/test', body ? { body } : {});
  expectResponse(await test(owner), 404);
  const admin = await makePerson(server, owner, 'admin');
  expectResponse(await test(admin, ssoFields(peer)), 403);
  expectResponse(await owner.api('PUT', '/organization/sso', { body: ssoFields(peer) }), 200);
  const { client_secret: _, ...fields } = ssoFields(peer, { default_role: 'viewer' });
  for (const body of [undefined, {}, { default_role: 'viewer' }, fields]) {
    const response = await test(owner, body);
    const { id, authorize_url } = expectResponse(response, 200);
    const cookie = `toolgate_sso=${cookiesOf(response).get('toolgate_sso')}`;
    expectResponse(await finishSignIn(server, await visitProvider(peer, authorize_url, person), { cookie }), 200);
    const report = expectResponse(await owner.api('GET', `/organization/sso/test/${id}`), 200);
    assert.equal(report.status, 'passed');
    expectResponse(await admin.api('GET', `/organization/sso/test/${id}`), 403);
    server.advance(11 * 60_000);
    expectResponse(await owner.api('GET', `/organization/sso/test/${id}`), 404);
  }
});
