// A connect link ends in a connection: of the member it was made for, by a person who confirmed it in their own browser.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import type { Project } from '../../src/access/caller.ts';
import { createConnectLink } from '../../src/features/oauth/connections/connect-link.ts';
import { findProject } from '../../src/features/projects/projects/find.ts';
import { type Browser, openBrowser, type Visited } from '../browser.ts';
import { expectAnswer, unique } from '../make.ts';
import { makeMemberTenant, makeSession } from '../make-members.ts';
import { makeProvider, startOAuthServer } from '../make-oauth.ts';
import { startOpenIdProvider } from '../openid-provider.ts';

const clock = { now: Date.now };
const peer = await startOpenIdProvider({ now: () => clock.now() });
const server = await startOAuthServer([peer]);
clock.now = () => server.app.now();
after(() => peer.close());
beforeEach(() => {
  peer.reset();
  server.advance(61_000);
});
const { api } = server;

async function makeLink() {
  const tenant = await makeMemberTenant(server);
  const provider = await makeProvider(server, tenant.id, peer);
  const { member } = await makeSession(server, tenant, unique('<b>user</b>'));
  const project = (await findProject(server.app, tenant.id)) as Project;
  const link = await createConnectLink(
    server.app,
    { project, member_id: member.id },
    { ...provider, is_enabled: true },
  );
  const path = `/projects/${tenant.id}/members/${member.id}/connections`;
  const connections = async () => expectAnswer(await api('GET', path, { key: tenant.keys.admin }), 200).data;
  return { link: link as string, member, provider, connections };
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
  // The link works once.
  const again = await confirm(browser, link);
  assert.equal((await browser.visit((await peer.visit(again.location ?? '')).href)).status, 410);
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

test('a link that is changed or older than 15 minutes is an error page, and a provider that is down loses nothing', async () => {
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
  server.advance(15 * 60_000);
  assert.equal((await browser.visit(link)).status, 410);
});
