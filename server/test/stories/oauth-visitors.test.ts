// Requests without a credential: whatever anyone can open uses no database permit of a tenant, holds no lock of one, and does not cost
// more when a tenant has more tools.

import assert from 'node:assert/strict';
import { after, beforeEach, type TestContext, test } from 'node:test';
import pg from 'pg';
import { openBrowser } from '../support/browser.ts';
import { untilLockWait } from '../support/database/until-lock-wait.ts';
import { expectResponse, makeKey, unique } from '../support/make/make.ts';
import { makeMemberTenant, makeSession } from '../support/make/make-members.ts';
import { makeOAuthTenant, makeProvider, postForm, startOAuthServer } from '../support/make/make-oauth.ts';
import { authorizeShop, makeOAuthShop, outcomeOf, redeem, tokensOf } from '../support/make/make-oauth-toolsets.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { makeToolset } from '../support/make/make-toolset.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startOpenIdProvider } from '../support/peers/openid-provider.ts';

const clock = { now: Date.now };
const peer = await startOpenIdProvider({ now: () => clock.now() });
const customer = await startCustomer();
const server = await startOAuthServer([peer, customer]);
clock.now = () => server.app.now();
after(() => Promise.all([peer.close(), customer.close()]));
const { api, app } = server;

beforeEach(() => {
  peer.reset();
  peer.setUser({ sub: unique('alice') });
  server.advance(60_000);
});

/** A transaction that holds a lock until `release`, or until the test ends. */
async function hold(context: TestContext, statement: string, values: unknown[] = []) {
  const client = new pg.Client(app.config.database_url ?? '');
  await client.connect();
  context.after(() => client.end());
  await client.query('begin');
  await client.query(statement, values);
  return { client, release: () => client.query('commit') };
}

const many = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

test('a flood of consent pages leaves the API of the tenant at 200', async (context) => {
  const shop = await makeOAuthShop(server, peer, customer);
  const { release } = await hold(context, 'lock table oauth_requests in access exclusive mode');
  const pages = many(300, () => openBrowser(server).visit(authorizeShop(shop, 'mcp tools:refunds')));
  await untilLockWait(app.background, 4);
  // Keys that no process has seen yet are looked up, too.
  for (const _ of many(3, String)) {
    const { key } = await makeKey(server, shop.id, ['read', 'write']);
    expectResponse(await api('GET', '/custom-tools', { key }), 200);
    const body = { description: unique('changed') };
    expectResponse(await api('PATCH', `/custom-tools/${shop.tools.orders.id}`, { key, body }), 200);
  }
  await release();
  const statuses = (await Promise.all(pages)).map(({ status }) => status);
  // Whoever has waited for too long is refused.
  assert.ok(
    statuses.every((status) => status === 200 || status === 503),
    `${new Set(statuses)}`,
  );
});

test('people sign in while requests of the tenant use all of its permits', async (context) => {
  const shop = await makeOAuthShop(server, peer, customer);
  const path = `/projects/${shop.id}/log-streams`;
  const { release } = await hold(context, 'lock table log_streams in access exclusive mode');
  const busy = many(20, () => api('GET', path, { key: shop.keys.admin }));
  await untilLockWait(app.background, 4);
  const browser = openBrowser(server);
  const page = await browser.visit(authorizeShop(shop, 'mcp tools:refunds'));
  const all = await browser.submit(page, { preset: 'read_only' });
  const sent = await browser.submit(all, { provider: shop.provider.id });
  const { pathname, search } = await peer.visit(sent.location ?? assert.fail(sent.text));
  const done = await browser.visit(pathname + search);
  assert.ok(new URL(done.location ?? assert.fail(done.text)).searchParams.get('code'));
  for (const path of [`/api/v1/projects/${shop.id}/jwks.json`, `/.well-known/oauth-protected-resource/mcp/${shop.id}`])
    expectResponse(await api('GET', path), 200);
  expectResponse(await api('GET', '/audit-keys'), 200);
  await release();
  for (const response of await Promise.all(busy)) expectResponse(response, 200);
  await redeem(server, shop, done.location ?? '');
});

test('a page does not wait for a change in progress, and approves nothing of it', async (context) => {
  const shop = await makeOAuthShop(server, peer, customer);
  const { id } = await shop.tool('refund_all');
  const at = new Date(app.now()).toISOString();
  const { client, release } = await hold(context, 'select from projects where id = $1 for no key update', [shop.id]);
  await client.query(
    'insert into toolset_tools (toolset_id, tool_id, project_id, joined_at, writable_since) values ($1, $2, $3, $4, $4)',
    [shop.toolsets.refunds.id, id, shop.id, at],
  );
  server.advance(1000);
  const browser = openBrowser(server);
  const page = await browser.visit(authorizeShop(shop, 'mcp tools:refunds'));
  assert.equal(page.status, 200);
  await release();
  app.cache.invalidate(shop.id);
  const sent = await browser.submit(page, { provider: shop.provider.id });
  const { pathname, search } = await peer.visit(sent.location ?? assert.fail(sent.text));
  const { access_token } = await redeem(server, shop, (await browser.visit(pathname + search)).location ?? '');
  assert.equal(await outcomeOf(server, access_token, 'refund'), 'ok');
  assert.equal(await outcomeOf(server, access_token, 'refund_all'), 'mcp tools:refunds tool:refund_all');
});

test('a page asks for 20 toolsets, those that are named first; the others can be requested again', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const { id } = await makeTool(server, tenant.keys.write, customer, { name: 'one' });
  const slugs = many(25, (at) => `set-${String(at).padStart(2, '0')}`);
  for (const slug of slugs) await makeToolset(server, tenant.id, { slug, grant: 'baseline', tool_ids: [id] });
  const browser = openBrowser(server);
  const boxes = async (scope: string) => {
    const page = await browser.visit(authorizeShop(tenant, scope));
    return { page, names: browser.boxesOn(page).map(({ name }) => name) };
  };
  const first = await boxes('mcp tools:set-24');
  assert.equal(first.names.length, 20);
  assert.ok(first.names.includes('tools:set-24'));
  assert.match(first.page.text, /It requested 5 more toolsets/);
  const granted = await tokensOf(server, peer, tenant, 'mcp tools:set-24', { browser });
  assert.deepEqual(granted.scope.split(' ').slice(1).sort(), first.names);
  const second = await boxes('mcp');
  assert.deepEqual([...first.names, ...second.names].sort(), slugs.map((slug) => `tools:${slug}`).sort());
  assert.doesNotMatch(second.page.text, /more toolset/);
  const all = await tokensOf(server, peer, tenant, 'mcp', { browser });
  assert.equal(all.scope.split(' ').length, 26);
});

/** Copies with the tag `bulk`; one in four can change something. */
async function copyTool(id: string, count: number): Promise<void> {
  const { rows } = await app.pool.query(
    `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
    where table_schema = current_schema() and table_name = 'custom_tools' and is_generated = 'NEVER'`,
  );
  await app.pool.query(
    `insert into custom_tools (${rows[0].columns}) select ${rows[0].columns} from (
      select (jsonb_populate_record(t, jsonb_build_object('id', 'tool_' || lpad(n::text, 22, '0'), 'name', 'tool_' || n,
        'tags', '{bulk}', 'annotations', jsonb_build_object('readOnlyHint', n % 4 > 0)))).*
      from custom_tools t, generate_series(1, $2::integer) n where t.id = $1
    ) as copies`,
    [id, count],
  );
}

test('a page of large toolsets says how many tools there are, and shows some of them', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const { id } = await makeTool(server, tenant.keys.write, customer, { name: 'pattern' });
  await copyTool(id, 400);
  for (const slug of many(8, (at) => `bulk-${at}`))
    await makeToolset(server, tenant.id, { slug, grant: 'baseline', tags: ['bulk'] });
  const { text } = await openBrowser(server).visit(authorizeShop(tenant, 'mcp'));
  assert.equal(text.match(/400 tools, 100 of them can change something/g)?.length, 8);
  assert.equal(text.match(/and 338 more/g)?.length, 8);
  assert.equal(text.match(/can change or delete data/g)?.length, 8 * 62);
});

test('an assertion that is not verified does not count against the plan of the project that it names', async () => {
  const tenant = await makeOAuthTenant(server, peer, { provider: { accepts_id_jag: true } });
  const { client_id, client_secret } = tenant.client;
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const head = encode({ alg: 'ES256', kid: 'test', typ: 'oauth-id-jag+jwt' });
  const resource = `${app.config.public_url}/api/v1/mcp/${tenant.id}`;
  const assertion = `${head}.${encode({ iss: peer.url, sub: 'alice', client_id, resource })}.${'A'.repeat(86)}`;
  const usage = async () =>
    expectResponse(await api('GET', `/projects/${tenant.id}/usage`, { key: tenant.keys.read }), 200).used;
  const before = await usage();
  const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  for (const _ of many(5, String))
    expectResponse(await postForm(server, '/oauth/token', { grant_type, client_id, client_secret, assertion }), 400);
  assert.equal(await usage(), before + 1);
});

test('a member opens links and decides about a call while requests of the tenant use all of its permits', async (context) => {
  const tenant = await makeMemberTenant(server);
  const provider = await makeProvider(server, tenant.id, peer);
  const called = await makeTool(server, tenant.keys.write, customer, { confirm: { by: 'user' }, require_member: true });
  const { member, session_token } = await makeSession(server, tenant, 'oidc:alice');
  const { approval } = expectResponse(await execute(server, session_token, called.id), 409).error.details;
  const body = { member_id: member.id, provider_id: provider.id };
  const path = `/projects/${tenant.id}/oauth-connections/authorize`;
  const { url } = expectResponse(await api('POST', path, { key: tenant.integrationKey.key, body }), 201);
  const { release } = await hold(context, 'lock table log_streams in access exclusive mode');
  const busy = many(20, () => api('GET', `/projects/${tenant.id}/log-streams`, { key: tenant.keys.admin }));
  await untilLockWait(app.background, 4);

  peer.setUser({ sub: 'alice' });
  const browser = openBrowser(server);
  const sent = await browser.submit(await browser.visit(url), {});
  const connected = await browser.visit((await peer.visit(sent.location ?? assert.fail(sent.text))).href);
  assert.match(connected.text, /is connected/);
  const asked = await browser.visit(`/approve/${approval.id}`);
  const identifying = await browser.submit(asked, { provider: provider.id });
  const back = await browser.visit((await peer.visit(identifying.location ?? assert.fail(identifying.text))).href);
  const decided = await browser.submit(await browser.visit(back.location ?? ''), { decision: 'approve' });
  assert.match(decided.text, /You allowed this call/);
  await release();
  for (const response of await Promise.all(busy)) expectResponse(response, 200);
});
