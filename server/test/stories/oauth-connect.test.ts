// A connect link ends in a connection: of the member it was made for, by a person who confirmed it in their own browser.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import type { Project } from '../../src/access/caller.ts';
import { createConnectLink } from '../../src/features/oauth/connections/connect-link.ts';
import { findProject } from '../../src/features/projects/projects/find.ts';
import { type Browser, openBrowser, type Visited } from '../support/browser.ts';
import { expectResponse, unique } from '../support/make/make.ts';
import {
  exchange,
  type MemberTenant,
  makeIntegration,
  makeIntegrationKey,
  makeMemberTenant,
  makeSession,
} from '../support/make/make-members.ts';
import { makeProvider, startOAuthServer } from '../support/make/make-oauth.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../support/peers/openid-provider.ts';

const clock = { now: Date.now };
const peer = await startOpenIdProvider({ now: () => clock.now() });
const second = await startOpenIdProvider({ now: () => clock.now(), client_id: 'second' });
const server = await startOAuthServer([peer, second]);
clock.now = () => server.app.now();
after(() => Promise.all([peer.close(), second.close()]));
beforeEach(() => {
  peer.reset();
  server.advance(61_000);
});
const { api } = server;

/** What the backend of the customer's page asks for. */
async function oneTimeAddress(tenant: MemberTenant, member_id: string, provider_id: string): Promise<string> {
  const path = `/projects/${tenant.id}/oauth-connections/authorize`;
  const body = { member_id, provider_id };
  return expectResponse(await api('POST', path, { key: tenant.integrationKey.key, body }), 201).url;
}

async function makeLink() {
  const tenant = await makeMemberTenant(server);
  const provider = await makeProvider(server, tenant.id, peer);
  const { member } = await makeSession(server, tenant, unique('<b>user</b>'));
  const link = await oneTimeAddress(tenant, member.id, provider.id);
  const path = `/projects/${tenant.id}/members/${member.id}/connections`;
  const connections = async () => expectResponse(await api('GET', path, { key: tenant.keys.admin }), 200).data;
  return { tenant, link, member, provider, connections };
}

async function confirm(browser: Browser, link: string): Promise<Visited> {
  return browser.submit(await browser.visit(link), {});
}

test('a member who came with an assertion connects an account by the link, after a page that names them', async () => {
  const { link, member, provider, connections } = await makeLink();
  const browser = openBrowser(server);
  const page = await browser.visit(link);
  assert.equal(page.status, 200);
  assert.ok(page.text.includes(member.external_id.replace('<b>', '&lt;b&gt;').replace('</b>', '&lt;/b&gt;')));
  assert.doesNotMatch(page.text, /<b>/);
  const sent = await browser.submit(page, {});
  assert.ok(sent.location?.startsWith(peer.url), sent.text);
  const done = await browser.visit((await peer.visit(sent.location ?? '')).href);
  assert.equal(done.status, 200);
  assert.match(done.text, /is connected/);
  const [connection, ...more] = await connections();
  assert.deepEqual([connection.provider_id, connection.status, more.length], [provider.id, 'active', 0]);
  // The address works once.
  assert.equal((await browser.visit(link)).status, 410);
  assert.equal((await browser.submit(page, {})).status, 410);
});

test('nobody is made to connect their account to the link of somebody else', async () => {
  const { link, provider, connections } = await makeLink();
  const [mine, other] = [openBrowser(server), openBrowser(server)];
  const page = await mine.visit(link);
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }])
    assert.equal((await mine.submit(page, {}, { headers })).status, 403);
  await other.visit(link);
  assert.equal((await other.submit(page, {})).status, 410);
  const callback = await peer.visit((await confirm(mine, link)).location ?? '');
  assert.equal((await other.visit(callback.href)).status, 410);
  assert.equal((await mine.visit(callback.href.replace(provider.id, `oap_${'0'.repeat(22)}`))).status, 410);
  assert.deepEqual(await connections(), []);
});

test('an address that is changed or older than 5 minutes is an error page, and a provider that is down loses nothing', async () => {
  const { link, connections } = await makeLink();
  const browser = openBrowser(server);
  for (const wrong of [
    `${link}x`,
    link.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    link.replace('mem_', 'mem_x'),
  ])
    assert.equal((await browser.visit(wrong)).status, 410);
  const page = await browser.visit(link);
  peer.switches.is_down = true;
  assert.equal((await browser.submit(page, {})).status, 502);
  peer.switches.is_down = false;
  const sent = await browser.submit(page, {});
  assert.equal((await browser.visit((await peer.visit(sent.location ?? '')).href)).status, 200);
  assert.equal((await connections()).length, 1);
  const next = await makeLink();
  server.advance(5 * 60_000);
  assert.equal((await browser.visit(next.link)).status, 410);
});

/** The link that a model passes on, for a member who signs in at `peer`. */
async function linkOf(external_id: string, to: OpenIdProvider = peer) {
  const tenant = await makeMemberTenant(server, { environment: 'development' });
  const first = await makeProvider(server, tenant.id, peer);
  const provider = to === peer ? first : await makeProvider(server, tenant.id, to, { name: 'Other' });
  const body = { member_external_id: external_id };
  const { member } = expectResponse(await exchange(server, tenant.integrationKey.key, body), 200);
  const project = (await findProject(server.app, tenant.id)) as Project;
  const caller = { project, member_id: member.id };
  const link = (await createConnectLink(server.app, caller, { ...provider, is_enabled: true })) as string;
  const path = `/projects/${tenant.id}/members/${member.id}/connections`;
  const connections = async () => expectResponse(await api('GET', path, { key: tenant.keys.admin }), 200).data;
  return { tenant, first, provider, link, connections, member };
}

test('a link alone connects nobody: who opens it signs in as that member', async () => {
  const { link, connections } = await linkOf('oidc:alice');
  peer.setUser({ sub: 'mallory', email: 'mallory@example.com' });
  const mallory = openBrowser(server);
  const refused = await mallory.visit((await peer.visit((await confirm(mallory, link)).location ?? '')).href);
  assert.equal(refused.status, 403);
  assert.deepEqual(await connections(), []);
  peer.setUser({ sub: 'alice', email: 'alice@example.com' });
  const alice = openBrowser(server);
  const done = await alice.visit((await peer.visit((await confirm(alice, link)).location ?? '')).href);
  assert.match(done.text, /is connected/);
  assert.equal((await connections()).length, 1);
});

test('who signs in at another provider does so first, and then connects', async () => {
  const { link, first, connections } = await linkOf('oidc:alice', second);
  const browser = openBrowser(server);
  const page = await browser.visit(link);
  assert.deepEqual(browser.providersOn(page), [first.id]);
  // Without that the form that connects does nothing.
  const skipped = await browser.submit({ ...page, text: page.text }, { confirmation: 'x' });
  assert.equal(skipped.status, 410);
  const sent = await browser.submit(page, { provider: first.id });
  const back = await browser.visit((await peer.visit(sent.location ?? '')).href);
  const connect = await browser.visit(back.location ?? '');
  const going = await browser.submit(connect, {});
  assert.ok(going.location?.startsWith(second.url), going.text);
  const done = await browser.visit((await second.visit(going.location ?? '')).href);
  assert.match(done.text, /is connected/);
  assert.equal((await connections()).length, 1);
});

test('a member whom the customer identifies is sent to the page of the customer', async () => {
  const { tenant, link, member, provider } = await linkOf('user_42');
  const browser = openBrowser(server);
  assert.equal((await browser.visit(link)).status, 410);
  const body = { connect_url: 'https://app.example.com/connect' };
  expectResponse(await api('PATCH', `/projects/${tenant.id}/settings`, { key: tenant.keys.admin, body }), 200);
  const sent = await browser.visit(link);
  const query = `member_id=${member.id}&provider_id=${provider.id}`;
  assert.deepEqual([sent.status, sent.location], [303, `https://app.example.com/connect?${query}`]);
});

test('only a key of the integration that the member came through gets an address', async () => {
  const { tenant, member, provider } = await makeLink();
  const path = `/projects/${tenant.id}/oauth-connections/authorize`;
  const body = { member_id: member.id, provider_id: provider.id };
  const otherKey = await makeIntegrationKey(server, tenant.id, (await makeIntegration(server, tenant.id)).id, [
    'admin',
  ]);
  const { session_token } = await makeSession(server, tenant);
  for (const key of [tenant.keys.admin, otherKey.key, session_token])
    expectResponse(await api('POST', path, { key, body }), 403);
  const key = tenant.integrationKey.key;
  for (const wrong of [{ ...body, member_id: 'mem_x' }, { ...body, provider_id: 'oap_x' }, {}, { ...body, more: 1 }])
    expectResponse(await api('POST', path, { key, body: wrong }), 422);
  const made = expectResponse(await api('POST', path, { key, body }), 201);
  assert.equal(Math.round((Date.parse(made.expires_at) - server.app.now()) / 60_000), 5);
});
