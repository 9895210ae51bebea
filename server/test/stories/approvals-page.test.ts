// The page of a call that waits for a member: it shows and decides nothing before that member has signed in.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, beforeEach, test } from 'node:test';
import { modern } from '../mcp/rpc.ts';
import { type Browser, openBrowser, type Visited } from '../support/browser.ts';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { exchange, makeIntegration, makeIntegrationKey } from '../support/make/make-members.ts';
import { makeProvider, startOAuthServer } from '../support/make/make-oauth.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startOpenIdProvider } from '../support/peers/openid-provider.ts';

const clock = { now: Date.now };
const peer = await startOpenIdProvider({ now: () => clock.now() });
const customer = await startCustomer();
const server = await startOAuthServer([peer, customer]);
clock.now = () => server.app.now();
after(() => Promise.all([peer.close(), customer.close()]));
beforeEach(() => {
  peer.reset();
  server.advance(61_000);
});
const { api } = server;
const tenant = await makeTenant(server, { plan: 'enterprise', name: 'Shop <desk>' });
const provider = await makeProvider(server, tenant.id, peer);
const integration = await makeIntegration(server, tenant.id);
const { key: backend } = await makeIntegrationKey(server, tenant.id, integration.id);
const tool = await makeTool(server, tenant.keys.write, customer, { confirm: { by: 'user' }, require_member: true });
const approvals = `/projects/${tenant.id}/approvals`;
const settings = (body: object) => api('PATCH', `/projects/${tenant.id}/settings`, { key: tenant.keys.admin, body });

const GIVEN = { note: '<b>x</b>\n\u202eamount: 1', amount: 12 };
let count = 0;

async function ask(external_id = 'oidc:alice', called = tool) {
  count += 1;
  const body = { member_external_id: external_id };
  const { session_token } = expectResponse(await exchange(server, backend, body), 200);
  const given = { ...GIVEN, count };
  const { approval } = expectResponse(await execute(server, session_token, called.id, given), 409).error.details;
  return { ...approval, session_token, given, path: `/approve/${approval.id}` };
}
const statusOf = async (id: string) =>
  expectResponse(await api('GET', `${approvals}/${id}`, { key: tenant.keys.admin }), 200).status;

/** Signs in at the provider from the page of the link, and returns what the browser is then shown. */
async function signIn(browser: Browser, path: string): Promise<Visited> {
  const sent = await browser.submit(await browser.visit(path), { provider: provider.id });
  assert.equal(sent.status, 303, sent.text);
  const back = await browser.visit((await peer.visit(sent.location ?? '')).href);
  return back.status === 303 ? browser.visit(back.location ?? '') : back;
}

test('a member signs in, reads every argument as it is, and allows the call, which then passes once', async () => {
  const { id, path, session_token, given, url } = await ask();
  assert.equal(url, `${server.app.config.public_url}${path}`);
  const browser = openBrowser(server);
  const first = await browser.visit(path);
  assert.equal(first.status, 200);
  assert.doesNotMatch(first.text, /amount|tool-/);
  const page = await signIn(browser, path);
  assert.match(page.text, /note: &quot;&lt;b&gt;x&lt;\/b&gt;\\n\\u202eamount: 1&quot;/);
  assert.match(page.text, /amount: 12/);
  for (const { headers } of [first, page]) {
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
    assert.equal(headers.get('x-frame-options'), 'DENY');
    assert.equal(headers.get('cache-control'), 'no-store');
  }
  const done = await browser.submit(page, { decision: 'approve' });
  assert.match(done.text, /You allowed this call/);
  const approval = expectResponse(await api('GET', `${approvals}/${id}`, { key: tenant.keys.admin }), 200);
  assert.deepEqual(
    [approval.status, approval.decided_via, approval.decided_by],
    ['approved', 'page', approval.member_id],
  );
  const headers = { 'x-toolgate-approval': id };
  expectResponse(await execute(server, session_token, tool.id, given, headers), 200);
  assert.match((await browser.visit(path)).text, /was allowed and made/);
});

test('a member declines on the page', async () => {
  const { id, path } = await ask();
  const browser = openBrowser(server);
  const done = await browser.submit(await signIn(browser, path), { decision: 'decline' });
  assert.match(done.text, /was declined/);
  assert.equal(await statusOf(id), 'declined');
});

test('holding the link is not enough: not for somebody else, in another browser, or from another site', async () => {
  const { id, path } = await ask();
  const [theirs, stranger] = [openBrowser(server), openBrowser(server)];
  peer.setUser({ sub: 'mallory', email: 'mallory@example.com' });
  const other = await signIn(stranger, path);
  assert.equal(other.status, 403);
  assert.match(other.text, /someone else/);
  peer.setUser({ sub: 'alice', email: 'alice@example.com' });
  const page = await signIn(theirs, path);
  assert.match(page.text, /amount: 12/);
  // The page of one browser, sent by another.
  assert.equal((await stranger.submit(page, { decision: 'approve' })).status, 400);
  // Without the sign-in, with what the page has in it.
  const fresh = openBrowser(server);
  await fresh.visit(path);
  assert.equal((await fresh.submit(page, { decision: 'approve' })).status, 400);
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }])
    assert.equal((await theirs.submit(page, { decision: 'approve' }, { headers })).status, 403);
  // A sign-in that began in another browser.
  const sent = await theirs.submit(await openBrowser(server).visit(path), { provider: provider.id });
  assert.equal((await stranger.visit((await peer.visit(sent.location ?? '')).href)).status, 400);
  // Who proved to be one member decides for no other.
  const bob = await ask('oidc:bob');
  assert.doesNotMatch((await theirs.visit(bob.path)).text, /amount/);
  assert.equal(await statusOf(id), 'pending');
  // Half an hour later the sign-in has to be repeated.
  server.advance(31 * 60_000);
  assert.doesNotMatch((await theirs.visit(path)).text, /amount/);
});

test('other links are pages, too: unknown ones, approvers, members of assertions, and a page of the customer', async () => {
  const browser = openBrowser(server);
  for (const id of [`apr_${'0'.repeat(22)}`, 'x', "'"])
    assert.equal((await browser.visit(`/approve/${id}`)).status, 404, id);
  assert.equal((await browser.visit('/approve/%00')).status, 400);
  const approver = await makeTool(server, tenant.keys.write, customer, { confirm: { by: 'approver' } });
  const waiting = await ask('oidc:alice', approver);
  const page = await browser.visit(waiting.path);
  assert.match(page.text, /waits for an approver/);
  assert.doesNotMatch(page.text, /amount/);
  const asserted = await ask('user_42');
  assert.match((await browser.visit(asserted.path)).text, /Open the app that you use/);
  expectResponse(await settings({ approval_url: 'https://app.example.com/approve?call={id}' }), 200);
  const own = await ask();
  assert.equal(own.url, `https://app.example.com/approve?call=${own.id}`);
  const redirected = await browser.visit(own.path);
  assert.deepEqual([redirected.status, redirected.location], [303, own.url]);
  expectResponse(await settings({ approval_url: null }), 200);
});

/** Who has a browser knows its secret, and with it every confirmation. */
const confirmationOf = ({ cookies }: Browser, { id }: { id: string }) =>
  hash('sha256', `approve ${cookies.get('toolgate_browser')} ${id}`, 'base64url');

test('neither the confirmation without the sign-in decides, nor the sign-in without the confirmation', async () => {
  const approval = await ask();
  const post = (browser: Browser, fields: Record<string, string>) =>
    browser.visit(approval.path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ decision: 'approve', ...fields }).toString(),
    });
  const [stranger, theirs] = [openBrowser(server), openBrowser(server)];
  await stranger.visit(approval.path);
  assert.equal((await post(stranger, { confirmation: confirmationOf(stranger, approval) })).status, 400);
  await signIn(theirs, approval.path);
  for (const fields of [{}, { confirmation: '' }, { confirmation: confirmationOf(stranger, approval) }])
    assert.equal((await post(theirs, fields)).status, 400);
  assert.equal(await statusOf(approval.id), 'pending');
  assert.equal((await post(theirs, { confirmation: confirmationOf(theirs, approval) })).status, 200);
  assert.equal(await statusOf(approval.id), 'approved');
});

test('a member who signed in decides nothing that an approver has to decide, and reads the name of the app as it is', async () => {
  const approver = await makeTool(server, tenant.keys.write, customer, { confirm: { by: 'approver' } });
  const [own, waiting] = [await ask(), await ask('oidc:alice', approver)];
  const browser = openBrowser(server);
  const page = await signIn(browser, own.path);
  assert.ok(page.text.includes(confirmationOf(browser, own)));
  const confirmation = confirmationOf(browser, waiting);
  const text = page.text.replace(confirmationOf(browser, own), confirmation).replaceAll(own.id, waiting.id);
  await browser.submit({ ...page, text }, { decision: 'approve' });
  assert.equal(await statusOf(waiting.id), 'pending');

  const _meta = { 'io.modelcontextprotocol/clientInfo': { name: 'app\u202e\u200b', version: '1' } };
  const params = { name: tool.name, arguments: { count }, _meta };
  const { result } = expectResponse(await modern(server, own.session_token, 'tools/call', params), 200);
  const { approval_id } = result._meta['toolgate/error'];
  assert.match((await browser.visit(`/approve/${approval_id}`)).text, /app\\u202e\\u200b/);
});
