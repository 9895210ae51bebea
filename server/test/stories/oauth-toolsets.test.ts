// What a person granted to an OAuth client: `mcp` is every baseline toolset, others are asked for when a tool of them is needed, and a
// grant never grows by itself.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { callTool, modern } from '../mcp/rpc.ts';
import { openBrowser } from '../support/browser.ts';
import { expectResponse, unique } from '../support/make/make.ts';
import { makeOAuthTenant, startOAuthServer } from '../support/make/make-oauth.ts';
import {
  changeToolset,
  grantsOf,
  listedTools,
  makeOAuthShop,
  type OAuthShop,
  outcomeOf,
  tokensOf,
} from '../support/make/make-oauth-toolsets.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { makeToolset } from '../support/make/make-toolset.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { makeJobApi, pollingOf } from '../support/peers/job-api.ts';
import { startOpenIdProvider } from '../support/peers/openid-provider.ts';
import { ROOT_KEY } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const clock = { now: Date.now };
const peer = await startOpenIdProvider({ now: () => clock.now() });
const customer = await startCustomer();
const server = await startOAuthServer([peer, customer]);
const replica = await startOAuthServer([peer, customer], { DATABASE_URL: server.app.config.database_url ?? '' });
clock.now = () => server.app.now();
after(() => Promise.all([peer.close(), customer.close()]));
const { api } = server;
const { public_url } = server.app.config;

const makeShop = (options: object = {}) => makeOAuthShop(server, peer, customer, options);
const tokens = (shop: Pick<OAuthShop, 'client'>, scope: string, options = {}) =>
  tokensOf(server, peer, shop, scope, options);
const outcome = (key: string, name: string) => outcomeOf(server, key, name);
const patchTool = async (shop: OAuthShop, id: string, body: object) =>
  expectResponse(await api('PATCH', `/custom-tools/${id}`, { key: shop.keys.write, body }), 200);

beforeEach(() => {
  peer.reset();
  peer.setUser({ sub: unique('alice') });
  server.advance(60_000);
  replica.advance(60_000);
});

test('mcp is every baseline toolset; tools on request are listed and ask for their scope; all others are unknown', async () => {
  const shop = await makeShop();
  const { access_token, scope } = await tokens(shop, 'mcp');
  assert.equal(scope, 'mcp tools:reading');
  assert.deepEqual(await listedTools(server, access_token), ['notes', 'orders', 'refund']);
  assert.equal(await outcome(access_token, 'orders'), 'ok');
  assert.equal(await outcome(access_token, 'notes'), 'ok');
  assert.equal(await outcome(access_token, 'refund'), 'mcp tools:refunds');
  assert.equal(await outcome(access_token, 'purge'), 'unknown');
  assert.equal(await outcome(access_token, 'loose'), 'unknown');
});

test('a client sees only the tasks of tools that the person granted to it', async () => {
  const shop = await makeShop();
  const job = makeJobApi(customer);
  const fields = { tags: ['money'], endpoint_path: job.start, polling: pollingOf(job) };
  const { id: tool_id } = await shop.tool('pay_out', fields);
  const granted = (await tokens(shop, 'mcp tools:refunds')).access_token;
  const narrow = (await tokens(shop, 'mcp')).access_token;
  const { task } = expectResponse(await execute(server, granted, tool_id), 202);
  const path = `/projects/${shop.id}/tasks`;
  for (const [key, ids] of [
    [granted, [task.id]],
    [narrow, []],
  ] as const) {
    const { data } = expectResponse(await api('GET', path, { key }), 200);
    assert.deepEqual(
      data.map(({ id }: { id: string }) => id),
      ids,
    );
    expectResponse(await api('GET', `${path}/${task.id}`, { key }), ids.length > 0 ? 200 : 404);
  }
});

test('the refusal is about the address that the client uses, and its call is neither sent nor logged', async () => {
  const shop = await makeShop();
  const { access_token } = await tokens(shop, 'mcp');
  const before = customer.requests.length;
  const path = `/api/v1/mcp/${shop.id}`;
  const refused = await callTool(modern, server, access_token, 'refund', {}, { path });
  assert.deepEqual([refused.status, refused.body.error.data.code], [403, 'TOOL_NOT_GRANTED']);
  const metadata = `resource_metadata="${public_url}/.well-known/oauth-protected-resource${path}"`;
  const challenge = `Bearer error="insufficient_scope", scope="mcp tools:refunds", ${metadata}`;
  assert.equal(refused.headers.get('www-authenticate'), challenge);
  assert.equal((await execute(server, access_token, 'refund')).headers.get('www-authenticate'), challenge);
  assert.equal(customer.requests.length, before);
  await server.app.batch_writer.flush();
  const calls = await api('GET', `/projects/${shop.id}/tool-calls`, { key: shop.keys.admin });
  assert.deepEqual(expectResponse(calls, 200).data, []);
  const request_id = refused.headers.get('x-request-id');
  const trace = await api('GET', `/projects/${shop.id}/requests/${request_id}`, { key: shop.keys.admin });
  const failed = expectResponse(trace, 200).steps.find((each: any) => each.outcome === 'failed');
  assert.equal(failed.step, 'toolset');
});

test('a project without toolsets that are scopes gives every tool with mcp', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  await makeTool(server, tenant.keys.write, customer, { name: 'free' });
  await makeToolset(server, tenant.id, {});
  const { access_token, scope } = await tokens(tenant, 'mcp tools:anything');
  assert.equal(scope, 'mcp');
  assert.equal(await outcome(access_token, 'free'), 'ok');
  assert.equal((await grantsOf(server, tenant, tenant.id))[0].toolsets, null);
});

test('a project with toolsets on request alone gives nothing with mcp', async () => {
  const shop = await makeShop();
  await changeToolset(server, shop, shop.toolsets.reading.id, { grant: 'on_request' });
  const { access_token, scope } = await tokens(shop, 'mcp');
  assert.equal(scope, 'mcp');
  assert.equal(await outcome(access_token, 'orders'), 'mcp tools:reading');
  assert.equal(await outcome(access_token, 'loose'), 'unknown');
});

test('tools: scopes give exactly their toolsets, with mcp; scopes that are unknown or never granted are ignored', async () => {
  const shop = await makeShop();
  const refunds = await tokens(shop, 'tools:refunds tools:nothing tools:internal tool:purge tools:');
  assert.equal(refunds.scope, 'mcp tools:refunds');
  assert.equal(await outcome(refunds.access_token, 'refund'), 'ok');
  assert.equal(await outcome(refunds.access_token, 'orders'), 'mcp tools:reading');
  assert.equal(await outcome(refunds.access_token, 'purge'), 'unknown');
  const url = (scope: string) => `/api/v1/oauth/authorize?client_id=${shop.client.client_id}&scope=${scope}`;
  for (const scope of ['tools:internal', 'tools:nothing', 'tool:refund']) {
    const { location } = await openBrowser(server).visit(url(scope));
    assert.equal(new URL(location ?? '').searchParams.get('error'), 'invalid_scope', scope);
  }
});

test('a person unticks a toolset: it is not granted, and can be asked for again, which keeps the rest', async () => {
  const shop = await makeShop();
  const browser = openBrowser(server);
  const first = await tokens(shop, 'mcp tools:refunds', { browser, untick: ['tools:reading'] });
  assert.equal(first.scope, 'mcp tools:refunds');
  assert.equal(await outcome(first.access_token, 'orders'), 'mcp tools:reading');
  assert.equal(await outcome(first.access_token, 'refund'), 'ok');
  const second = await tokens(shop, 'mcp tools:reading', { browser });
  assert.equal(second.scope, 'mcp tools:reading tools:refunds');
  for (const name of ['orders', 'refund']) assert.equal(await outcome(second.access_token, name), 'ok');
  const [newest] = await grantsOf(server, shop, shop.id);
  const ids = newest.toolsets.map(({ toolset_id }: { toolset_id: string }) => toolset_id).sort();
  assert.deepEqual(ids, [shop.toolsets.reading.id, shop.toolsets.refunds.id].sort());
});

test('a grant never grows by itself: a tool that joins and can change something is asked for by its name', async () => {
  const shop = await makeShop();
  const browser = openBrowser(server);
  const { access_token } = await tokens(shop, 'mcp tools:refunds', { browser });
  server.advance(1000);
  await shop.tool('refund_all', { tags: ['money'] });
  await shop.tool('refund_list', { tags: ['money'], annotations: { readOnlyHint: true } });
  assert.equal(await outcome(access_token, 'refund_list'), 'ok');
  assert.equal(await outcome(access_token, 'refund_all'), 'mcp tools:refunds tool:refund_all');
  assert.equal(await outcome(access_token, 'refund'), 'ok');
  const again = await tokens(shop, 'mcp tools:refunds tool:refund_all', { browser });
  assert.equal(again.scope, 'mcp tools:reading tools:refunds');
  assert.equal(await outcome(again.access_token, 'refund_all'), 'ok');
  assert.equal(await outcome(access_token, 'refund_all'), 'mcp tools:refunds tool:refund_all');
});

test('a tool that was read-only at the approval and no longer is needs another approval', async () => {
  const shop = await makeShop();
  const { access_token } = await tokens(shop, 'mcp');
  server.advance(1000);
  await patchTool(shop, shop.tools.orders.id, { annotations: null });
  assert.equal(await outcome(access_token, 'orders'), 'mcp tools:reading tool:orders');
  await patchTool(shop, shop.tools.orders.id, { annotations: { readOnlyHint: true } });
  assert.equal(await outcome(access_token, 'orders'), 'ok');
});

test('a baseline toolset that is new is asked for; one that cannot be granted any more is gone, as is a deleted one', async () => {
  const shop = await makeShop();
  const { access_token, refresh_token } = await tokens(shop, 'mcp tools:refunds');
  await makeToolset(server, shop.id, { slug: 'more', grant: 'baseline', tool_ids: [shop.tools.loose.id] });
  assert.equal(await outcome(access_token, 'loose'), 'mcp tools:more');
  await changeToolset(server, shop, shop.toolsets.refunds.id, { grant: 'never' });
  assert.equal(await outcome(access_token, 'refund'), 'unknown');
  const path = `/projects/${shop.id}/toolsets/${shop.toolsets.reading.id}`;
  expectResponse(await api('DELETE', path, { key: ROOT_KEY }), 204);
  assert.equal(await outcome(access_token, 'orders'), 'unknown');
  await makeToolset(server, shop.id, { slug: 'reading', grant: 'baseline', tool_ids: [shop.tools.orders.id] });
  assert.equal(await outcome(access_token, 'orders'), 'mcp tools:reading');
  const { client_id, client_secret } = shop.client;
  const body = { refresh_token, client_id, client_secret };
  assert.equal(expectResponse(await api('POST', '/oauth/token', { body }), 200).scope, 'mcp');
});

test('a grant of toolsets never becomes one of every tool, also when no toolset is a scope any more', async () => {
  const shop = await makeShop();
  const browser = openBrowser(server);
  const { access_token } = await tokens(shop, 'mcp', { browser });
  for (const { id } of Object.values(shop.toolsets)) await changeToolset(server, shop, id, { grant: 'never' });
  assert.equal(await outcome(access_token, 'loose'), 'mcp tool:loose');
  const page = await browser.visit(`/api/v1/oauth/authorize?client_id=${shop.client.client_id}&scope=mcp+tool:loose`);
  assert.equal(page.status, 200);
  assert.match(page.text, /Call tools on your behalf/);
  assert.equal(await outcome((await tokens(shop, 'mcp tool:loose', { browser })).access_token, 'loose'), 'ok');
});

test('a grant of every tool has the baseline toolsets when there are some, and their writing tools after an approval', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const annotations = { readOnlyHint: true };
  const reading = await makeTool(server, tenant.keys.write, customer, { name: 'reading', annotations });
  const writing = await makeTool(server, tenant.keys.write, customer, { name: 'writing' });
  await makeTool(server, tenant.keys.write, customer, { name: 'other' });
  const { access_token } = await tokens(tenant, 'mcp');
  server.advance(1000);
  const tool_ids = [reading.id, writing.id];
  await makeToolset(server, tenant.id, { slug: 'base', grant: 'baseline', tool_ids });
  assert.equal(await outcome(access_token, 'reading'), 'ok');
  assert.equal(await outcome(access_token, 'writing'), 'mcp tools:base tool:writing');
  assert.equal(await outcome(access_token, 'other'), 'unknown');
});

test('a refresh may ask for fewer toolsets, never for more, and the next one has all again', async () => {
  const shop = await makeShop();
  const { client_id, client_secret } = shop.client;
  let { refresh_token } = await tokens(shop, 'mcp tools:refunds', { untick: [] });
  const refresh = async (scope?: string) => {
    const response = await api('POST', '/oauth/token', { body: { refresh_token, client_id, client_secret, scope } });
    if (response.status === 200) refresh_token = response.body.refresh_token;
    return response;
  };
  const refunds = expectResponse(await refresh('tools:refunds'), 200);
  assert.equal(refunds.scope, 'mcp tools:refunds');
  assert.equal(await outcome(refunds.access_token, 'refund'), 'ok');
  assert.equal(await outcome(refunds.access_token, 'orders'), 'mcp tools:reading');
  const base = expectResponse(await refresh('mcp'), 200);
  assert.equal(base.scope, 'mcp tools:reading');
  assert.equal(await outcome(base.access_token, 'refund'), 'mcp tools:refunds');
  for (const scope of ['mcp tools:internal', 'tools:unknown', 'tools:', 'mcp read'])
    assert.equal(expectResponse(await refresh(scope), 400).error, 'invalid_scope', scope);
  assert.equal(
    expectResponse(await refresh('mcp tools:refunds tool:refund'), 200).scope,
    'mcp tools:reading tools:refunds',
  );
  const all = expectResponse(await refresh(), 200);
  assert.equal(all.scope, 'mcp tools:reading tools:refunds');
  const body = { token: all.access_token, client_id, client_secret };
  assert.equal(expectResponse(await api('POST', '/oauth/introspect', { body }), 200).scope, all.scope);
  const kept = { token: all.refresh_token, client_id, client_secret };
  assert.equal(expectResponse(await api('POST', '/oauth/introspect', { body: kept }), 200).scope, all.scope);
});

test('effective-tools explains what a grant, its session and the next sign-in by the client are refused', async () => {
  const shop = await makeShop();
  const { access_token } = await tokens(shop, 'tools:refunds');
  assert.equal(await outcome(access_token, 'refund'), 'ok');
  const [{ id: grant_id, member_id }] = await grantsOf(server, shop, shop.id);
  const explain = async (query: string): Promise<Record<string, string | null>> => {
    const path = `/projects/${shop.id}/effective-tools?${query}`;
    const { data } = expectResponse(await api('GET', path, { key: shop.keys.read }), 200);
    return Object.fromEntries(data.map((each: any) => [each.name, each.refused_by]));
  };
  const refused = { orders: 'grant', notes: 'grant', refund: null, purge: 'grant', loose: 'grant' };
  assert.deepEqual(await explain(`oauth_grant_id=${grant_id}`), refused);
  assert.deepEqual(await explain(`member_id=${member_id}`), refused);
  assert.deepEqual(await explain(`oauth_client_id=${shop.client.id}`), {
    ...refused,
    orders: null,
    notes: null,
    refund: 'grant',
  });
});

test('the address of a toolset narrows a grant and grants nothing', async () => {
  const shop = await makeShop();
  const { access_token } = await tokens(shop, 'mcp');
  assert.deepEqual(await listedTools(server, access_token, `/api/v1/mcp/${shop.id}/toolsets/refunds`), ['refund']);
  assert.deepEqual(await listedTools(server, access_token, `/api/v1/mcp/${shop.id}/toolsets/internal`), []);
  const path = `/api/v1/mcp/${shop.id}/toolsets/refunds`;
  assert.equal((await callTool(modern, server, access_token, 'refund', {}, { path })).status, 403);
  assert.equal((await callTool(modern, server, access_token, 'orders', {}, { path })).body.error.code, -32602);
});

test('a tool that is found by a search is called by the same rules', async () => {
  const shop = await makeShop();
  await changeToolset(server, shop, shop.toolsets.refunds.id, { exposure: 'search' });
  const { access_token } = await tokens(shop, 'mcp');
  assert.deepEqual((await listedTools(server, access_token)).sort(), ['call_tool', 'notes', 'orders', 'search_tools']);
  const found = await callTool(modern, server, access_token, 'search_tools', { query: 'refund' });
  assert.match(found.text, /refund/);
  assert.doesNotMatch(found.text, /purge/);
  const call = (name: string) => callTool(modern, server, access_token, 'call_tool', { name, arguments: {} });
  const refused = await call('refund');
  assert.equal(refused.status, 403, refused.text);
  assert.match(refused.headers.get('www-authenticate') ?? '', /scope="mcp tools:refunds"/);
  assert.equal((await call('notes')).status, 200);
  assert.notEqual((await call('purge')).status, 403);
});

test('another replica follows a toolset that is taken back within a second', async () => {
  const shop = await makeShop();
  const { access_token } = await tokens(shop, 'mcp tools:refunds');
  assert.equal(await outcomeOf(replica, access_token, 'refund'), 'ok');
  await changeToolset(server, shop, shop.toolsets.refunds.id, { grant: 'never' });
  await waitUntil(
    async () => (await outcomeOf(replica, access_token, 'refund')) === 'unknown',
    5_000,
    'the replica refuses the tool',
  );
});

test('a session of a grant hands out nothing: no key with its toolsets, and no change of toolsets', async () => {
  const shop = await makeShop({ provider: { permissions: ['admin'] } });
  const { access_token: key, scope } = await tokens(shop, 'mcp admin');
  assert.equal(scope, 'mcp tools:reading admin');
  const make = (toolset_ids: string[] | null) =>
    api('POST', `/projects/${shop.id}/api-keys`, { key, body: { name: 'x', permissions: ['read'], toolset_ids } });
  expectResponse(await make(null), 403);
  expectResponse(await make([shop.toolsets.reading.id]), 403);
  expectResponse(await make([]), 201);
  const body = { slug: unique('slug'), name: 'x' };
  expectResponse(await api('POST', `/projects/${shop.id}/toolsets`, { key, body }), 403);
});

test('where the address names the project, metadata and the challenge have mcp and the baseline scopes', async () => {
  const shop = await makeShop();
  for (const path of [`/api/v1/mcp/${shop.id}`, `/mcp/${shop.id}`, `/api/v1/mcp/${shop.id}/toolsets/refunds`]) {
    const metadata_path = `/.well-known/oauth-protected-resource${path}`;
    const { scopes_supported } = expectResponse(await api('GET', metadata_path), 200);
    assert.deepEqual(scopes_supported, ['mcp', 'tools:reading']);
    const refused = await api('POST', path, { body: { jsonrpc: '2.0', id: 1, method: 'ping' } });
    assert.equal(
      refused.headers.get('www-authenticate'),
      `Bearer resource_metadata="${public_url}${metadata_path}", scope="mcp tools:reading"`,
    );
  }
  const { scopes_supported } = expectResponse(
    await api('GET', '/.well-known/oauth-protected-resource/api/v1/mcp'),
    200,
  );
  assert.deepEqual(scopes_supported, ['mcp']);
  const unknown = '/.well-known/oauth-protected-resource/api/v1/mcp/prj_0000000000000000000000';
  assert.deepEqual(expectResponse(await api('GET', unknown), 200).scopes_supported, ['mcp']);
});
