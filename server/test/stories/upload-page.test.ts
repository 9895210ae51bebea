// The page where a person uploads the file that a call needs, as a plain form.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { MAX_FILE_BYTES } from '@toolgate/contract/files/rules.ts';
import type { ToolCaller } from '../../src/access/caller.ts';
import { findUploaded, openUploadTicket } from '../../src/features/files/uploads/ticket.ts';
import { loadSessionCaller } from '../../src/features/members/member-sessions/resume.ts';
import { openBrowser } from '../support/browser.ts';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { makeMemberSessions } from '../support/make/make-members.ts';
import { makeProvider, startOAuthServer } from '../support/make/make-oauth.ts';
import { startOpenIdProvider } from '../support/peers/openid-provider.ts';

const clock = { now: Date.now };
const peer = await startOpenIdProvider({ now: () => clock.now() });
const server = await startOAuthServer([peer]);
clock.now = () => server.app.now();
after(() => peer.close());
beforeEach(() => peer.reset());
const { app, api } = server;
const tenant = await makeTenant(server, { name: 'Shop <desk>' });
const provider = await makeProvider(server, tenant.id, peer);
const { session } = await makeMemberSessions(server, tenant.id);

let count = 0;

async function ask(external_id = 'oidc:alice', { needs_sign_in = false } = {}) {
  count += 1;
  const key = await session(external_id);
  const caller = (await loadSessionCaller(app, key)) as unknown as ToolCaller;
  const call = {
    tool: { id: 'tool_1', name: 'send_report', definition_hash: 'a' },
    argument: 'report',
    arguments: { count },
  };
  const { url, file_id } = await openUploadTicket(app, caller, call);
  await app.database.updateTable('upload_tickets').set({ needs_sign_in }).where('file_id', '=', file_id).execute();
  return { path: new URL(url).pathname, file_id, key, find: () => findUploaded(app, caller, call) };
}

type Sent = {
  name?: string;
  body?: string | Uint8Array<ArrayBuffer>;
  confirmation?: string;
  headers?: Record<string, string>;
};

function send(
  browser: ReturnType<typeof openBrowser>,
  path: string,
  { name = 'a.pdf', body = '%PDF', confirmation = '', headers = {} }: Sent = {},
) {
  const form = new FormData();
  form.set('confirmation', confirmation);
  form.set('file', new File([body], name, { type: 'application/pdf' }));
  return browser.visit(path, { method: 'POST', body: form, headers });
}

const confirmationOn = (text: string) => /name="confirmation" value="([\w-]+)"/.exec(text)?.[1] ?? '';

test('the page names project, tool, argument and member, and the file becomes one of that member, once', async () => {
  const { path, file_id, key, find } = await ask();
  const browser = openBrowser(server);
  for (let visits = 0; visits < 3; visits += 1) {
    const page = await browser.visit(path);
    assert.equal(page.status, 200);
    for (const named of ['Shop &lt;desk&gt;', 'send_report', 'report', 'oidc:alice', '25 MB'])
      assert.ok(page.text.includes(named), named);
    assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
    assert.equal(page.headers.get('cache-control'), 'no-store');
  }
  const done = await send(browser, path, { name: '../Q1 <b>.pdf' });
  assert.equal(done.status, 200, done.text);
  assert.ok(done.text.includes('Q1 &lt;b&gt;.pdf'));
  const file = expectResponse(await api('GET', `/projects/${tenant.id}/files/${file_id}`, { key }), 200);
  assert.deepEqual([file.name, file.content_type, file.size], ['Q1 <b>.pdf', 'application/pdf', 4]);
  assert.equal((await find())?.id, file_id);
  const again = await send(browser, path, { body: 'other' });
  assert.match(again.text, /The file was uploaded/);
  assert.equal(expectResponse(await api('GET', `/projects/${tenant.id}/files/${file_id}`, { key }), 200).size, 4);
  assert.match((await browser.visit(path)).text, /The file was uploaded/);
});

test('a link that is forged or has expired is 404, also for an upload', async () => {
  const { path } = await ask();
  const browser = openBrowser(server);
  const forged = `${path.slice(0, -1)}${path.endsWith('A') ? 'E' : 'A'}`;
  for (const wrong of [forged, '/upload/x', `/upload/fil_${'0'.repeat(22)}.${'A'.repeat(43)}`]) {
    assert.equal((await browser.visit(wrong)).status, 404);
    assert.equal((await send(browser, wrong)).status, 404);
  }
  server.advance(15 * 60_000);
  assert.equal((await browser.visit(path)).status, 404);
  assert.equal((await send(browser, path)).status, 404);
});

test('a file that is too large, and none, are refused on the form, which still works then', async () => {
  const { path, find } = await ask();
  const browser = openBrowser(server);
  const large = await send(browser, path, { body: new Uint8Array(MAX_FILE_BYTES + 1) });
  assert.equal(large.status, 413);
  assert.match(large.text, /role="alert">This file is too large: at most 25 MB/);
  const none = '--ab\r\nContent-Disposition: form-data; name="file"; filename=""\r\n\r\n\r\n--ab--\r\n';
  const headers = { 'content-type': 'multipart/form-data; boundary=ab' };
  const empty = await browser.visit(path, { method: 'POST', body: none, headers });
  assert.equal(empty.status, 422);
  assert.match(empty.text, /Choose a file first/);
  assert.equal((await browser.visit(path, { method: 'POST', body: none.slice(0, 50), headers })).status, 400);
  assert.equal((await send(browser, path)).status, 200);
  assert.equal((await find())?.size, 4);
});

test('no other site can upload', async () => {
  const { path, find } = await ask();
  const browser = openBrowser(server);
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }])
    assert.equal((await send(browser, path, { headers })).status, 403);
  assert.equal(await find(), undefined);
});

test('a member who signs in by OAuth does that first: the link alone shows nothing and takes nothing', async () => {
  const { path, find } = await ask('oidc:alice', { needs_sign_in: true });
  const browser = openBrowser(server);
  const first = await browser.visit(path);
  assert.doesNotMatch(first.text, /send_report|oidc:alice/);
  assert.equal((await send(browser, path)).status, 400);
  const sent = await browser.submit(first, { provider: provider.id });
  assert.equal(sent.status, 303, sent.text);
  const back = await browser.visit((await peer.visit(sent.location ?? '')).href);
  const page = await browser.visit(back.location ?? '');
  assert.match(page.text, /send_report/);
  // Signed in, but not by this form.
  assert.equal((await send(browser, path)).status, 400);
  const confirmation = confirmationOn(page.text);
  const stranger = openBrowser(server);
  await stranger.visit(path);
  assert.equal((await send(stranger, path, { confirmation })).status, 400);
  assert.equal(await find(), undefined);
  assert.equal((await send(browser, path, { confirmation })).status, 200);
  assert.ok(await find());
});

test('somebody else who signs in is refused', async () => {
  const { path } = await ask('oidc:alice', { needs_sign_in: true });
  const browser = openBrowser(server);
  peer.setUser({ sub: 'mallory', email: 'mallory@example.com' });
  const sent = await browser.submit(await browser.visit(path), { provider: provider.id });
  const back = await browser.visit((await peer.visit(sent.location ?? '')).href);
  assert.equal(back.status, 403);
});
