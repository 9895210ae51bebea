// A person asks to be forgotten: after the deletion of a member nothing in the database says who it was.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { permissions } from '@toolgate/contract/permissions.ts';
import { ApiError } from '../../src/errors/errors.ts';
import { rebuildRollups } from '../../src/features/activity/analytics/rebuild-rollups.ts';
import { verifyAudit } from '../../src/features/activity/audit/verify.ts';
import { deleteMember } from '../../src/features/members/members/delete.ts';
import { deleteGrantsOfMember } from '../../src/features/oauth/grants/delete-member.ts';
import { findProject } from '../../src/features/projects/projects/find.ts';
import { callTool, modern } from '../mcp/rpc.ts';
import { openBrowser, signIn } from '../support/browser.ts';
import { findInDatabase } from '../support/database/find-in-database.ts';
import { recordMany } from '../support/database/record-many.ts';
import { untilLockWait } from '../support/database/until-lock-wait.ts';
import { expectResponse } from '../support/make/make.ts';
import { makeOwner } from '../support/make/make-accounts.ts';
import { makeHook } from '../support/make/make-hook.ts';
import { makeLogStream } from '../support/make/make-log-stream.ts';
import { exchange, makeIntegration, makeIntegrationKey, registerSigner } from '../support/make/make-members.ts';
import { authorizeUrl, CALLBACK, makeOAuthTenant, startOAuthServer } from '../support/make/make-oauth.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { makeWebhook } from '../support/make/make-webhook.ts';
import { makeSigner, signAssertion } from '../support/make/sign-assertion.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startOpenIdProvider } from '../support/peers/openid-provider.ts';
import { ROOT_KEY } from '../support/servers/start-server.ts';

const clock = { now: Date.now };
const peer = await startOpenIdProvider({ now: () => clock.now() });
const customer = await startCustomer();
const server = await startOAuthServer([peer, customer]);
clock.now = () => server.app.now();
after(() => Promise.all([peer.close(), customer.close()]));
const { api, app } = server;
const owner = await makeOwner(server);

const person = { sub: 'sub-4711-jane', email: 'jane.roe@example.com', email_verified: true, name: 'Jane Roe-Smith' };

/** A project in which everything is recorded that can be: payloads, hooks, webhooks that echo, log streams. */
async function makeShop() {
  const shop = await makeOAuthTenant(server, peer, { provider: { permissions: [...permissions] } });
  const settings = { record_payloads: true };
  expectResponse(await api('PATCH', `/projects/${shop.id}/settings`, { key: ROOT_KEY, body: settings }), 200);
  const integration = await makeIntegration(server, shop.id);
  const integrationKey = await makeIntegrationKey(server, shop.id, integration.id, ['admin']);
  const signer = await registerSigner(server, shop.id);
  const webhook = await makeWebhook(server, customer, shop.id);
  customer.respond(webhook.path, ({ body }) => ({ body: String(body) }));
  await makeHook(server, customer, shop.id, {}, ({ body }) => ({
    body: { decision: 'allow', reason: `it is ${JSON.stringify(JSON.parse(String(body)).member)}` },
  }));
  const stream = await makeLogStream(server, customer, shop.id, { flush_seconds: 5 });
  return { ...shop, integrationKey, signer, webhook, stream };
}

type Shop = Awaited<ReturnType<typeof makeShop>>;

async function signInByBrowser({ client: { client_id, client_secret } }: Pick<Shop, 'client'>): Promise<string> {
  peer.setUser(person);
  const scope = ['mcp', ...permissions].join(' ');
  const url = authorizeUrl({ client_id, redirect_uri: CALLBACK, scope });
  const { location } = await signIn(openBrowser(server), peer, url);
  const code = new URL(location ?? 'missing:').searchParams.get('code');
  return expectResponse(await api('POST', '/oauth/token', { body: { code, client_id, client_secret } }), 200)
    .access_token;
}

async function assertMember({ id, signer, integrationKey }: Shop, sub: string, claims?: object): Promise<any> {
  const member_assertion = signAssertion(signer, id, app.now(), { claims: { sub, ...(claims && { claims }) } });
  return expectResponse(await exchange(server, integrationKey.key, { member_assertion }), 200);
}

/** Whatever a member with all permissions can create. */
async function createThings({ id }: Shop, key: string): Promise<void> {
  const create = async (path: string, body: object, headers = {}) =>
    expectResponse(await api('POST', path, { key, body, headers }), 201);
  await create(`/projects/${id}/api-keys`, { name: 'k', permissions: ['read'] }, { 'idempotency-key': 'key-1' });
  await create(`/projects/${id}/toolsets`, { slug: 'mine', name: 'Mine' });
  await create(`/projects/${id}/integrations`, { name: 'i' });
  await create(`/projects/${id}/webhooks`, { url: 'https://hooks.example.com/x', events: ['custom_tool.*'] });
  await create(`/projects/${id}/limits`, { name: 'l', match: null, per: 'project', limit: 1000, window_seconds: 60 });
  await create('/projects', { name: 'sibling' });
  await create(`/projects/${id}/hooks`, { url: 'https://policy.example.com/', points: ['after'], is_enabled: false });
  const stream = { kind: 'https', source: 'audit_log', endpoint: 'https://logs.example.com/' };
  await create(`/projects/${id}/log-streams`, { ...stream, is_enabled: false });
  await create(`/projects/${id}/oauth-clients`, { name: 'c', redirect_uris: [CALLBACK] });
  await create(`/projects/${id}/oauth-providers`, { provider: 'github', client_id: 'x', client_secret: 'y' });
  await create(`/projects/${id}/mcp-servers`, { slug: 'crm', name: 'CRM', url: 'https://mcp.example.com/' });
  await create(`/projects/${id}/directory-submissions`, { for: 'claude' });
  const { kid, algorithm, pem: public_key } = makeSigner();
  await create('/assertion-keys', { kid, algorithm, public_key });
  const tool = { name: 'made_by_a_person', base_url: 'https://api.example.com', endpoint_path: '/' };
  const { id: tool_id } = await create('/custom-tools', tool);
  expectResponse(await api('PATCH', `/custom-tools/${tool_id}`, { key, body: { description: 'changed' } }), 200);
}

/** Calls in every way, until a limit of the member is reached, and asks a person. */
async function callTools(shop: Shop, tokens: { signed_in: string; asserted: string }, member: { id: string }) {
  const { id, keys, integrationKey } = shop;
  const tool = await makeTool(server, keys.write, customer);
  const said = { who: person.name, email: person.email };
  customer.respond(tool.endpoint_path, { body: { name: person.name, address: person.email } });
  const limit = { name: 'l', match: { tool_ids: [tool.id] }, per: 'member', limit: 100, window_seconds: 3600 };
  const overrides = [{ subject_id: member.id, limit: 3 }];
  const body = { ...limit, overrides };
  const made = expectResponse(await api('POST', `/projects/${id}/limits`, { key: keys.write, body }), 201);
  expectResponse(await execute(server, tokens.asserted, tool.id, said, { 'idempotency-key': 'order-1' }), 200);
  expectResponse(await execute(server, tokens.signed_in, tool.id, said), 200);
  expectResponse(await callTool(modern, server, tokens.asserted, tool.name, said), 200);
  expectResponse(await execute(server, tokens.asserted, tool.id, said), 429);

  const confirm = { by: 'user', remember_seconds: 3600, fallback: 'link' };
  const asking = await makeTool(server, keys.write, customer, { confirm });
  const asked = expectResponse(await execute(server, tokens.asserted, asking.id, said), 409).error.details.approval;
  const other = await makeIntegrationKey(server, id, integrationKey.integration_id as string);
  const decision = { key: other.key, body: { reason: `${person.name} may` } };
  expectResponse(await api('POST', `/projects/${id}/approvals/${asked.id}/approve`, decision), 200);
  const approval = { 'x-toolgate-approval': asked.id };
  expectResponse(await execute(server, tokens.asserted, asking.id, said, approval), 200);
  const forever = await makeTool(server, keys.write, customer, { confirm: { ...confirm, by: 'approver' } });
  expectResponse(await execute(server, tokens.asserted, forever.id, said), 409);
  return { tool, limit_id: made.id };
}

async function tryIt({ id }: Shop, tool_id: string, member_external_id: string): Promise<void> {
  const options = { headers: { 'x-project-id': id }, body: { arguments: {}, member_external_id } };
  expectResponse(await owner.api('POST', `/custom-tools/${tool_id}/execute`, options), 200);
}

const wordsOf = ({ id, external_id }: { id: string; external_id: string }) => [
  id,
  external_id,
  person.sub,
  person.email,
  person.name,
];

/** Tables that name a person before the deletion. Sealed payloads and arguments name nobody whom a reader could see. */
const PLACES = [
  'api_keys',
  'approvals',
  'assertion_keys',
  'audit_entries',
  'call_rollups',
  'custom_tool_versions',
  'custom_tools',
  'delivery_attempts',
  'directory_submissions',
  'events',
  'hooks',
  'idempotency_keys',
  'integrations',
  'limit_log',
  'limit_refusals',
  'log_streams',
  'mcp_servers',
  'member_sessions',
  'members',
  'oauth_approvals',
  'oauth_clients',
  'oauth_connections',
  'oauth_grants',
  'oauth_providers',
  'request_traces',
  'tool_calls',
  'tool_limits',
  'toolsets',
  'webhooks',
];

test('after the deletion of a member no table names the person, except for older audit entries', async () => {
  const shop = await makeShop();
  const signed_in = await signInByBrowser(shop);
  const [member] = expectResponse(await api('GET', '/members', { key: signed_in }), 200).data;
  const { name, email } = person;
  const asserted = await assertMember(shop, member.external_id, { name, email });
  assert.equal(asserted.member.id, member.id);
  const stays = await assertMember(shop, 'user-stays');
  await createThings(shop, signed_in);
  const { tool, limit_id } = await callTools(shop, { signed_in, asserted: asserted.session_token }, member);
  expectResponse(await execute(server, stays.session_token, tool.id), 200);
  expectResponse(await api('GET', '/projects', { key: asserted.session_token }), 403);
  await tryIt(shop, (await makeTool(server, shop.keys.write, customer)).id, member.external_id);
  await server.runJobs();

  const words = wordsOf(member);
  const before = await findInDatabase(app, words);
  assert.deepEqual([...before.keys()].sort(), PLACES);
  const path = `/projects/${shop.id}`;
  const callsOf = async () =>
    expectResponse(await api('GET', `${path}/tool-calls?limit=100`, { key: shop.keys.read }), 200).data as any[];
  const calls = await callsOf();

  expectResponse(await api('DELETE', `/members/${member.id}`, { key: shop.keys.admin }), 204);
  const left = await findInDatabase(app, words);
  assert.deepEqual([...left.keys()], ['audit_entries']);
  assert.deepEqual(left.get('audit_entries'), before.get('audit_entries'), 'no new entry names the person');

  for (const { id } of calls.filter(({ member_id }) => member_id === member.id)) {
    const call = expectResponse(await api('GET', `${path}/tool-calls/${id}`, { key: shop.keys.admin }), 200);
    assert.deepEqual([call.arguments, call.result], [undefined, undefined], 'what was said is deleted');
  }

  const { rows: stored } = await app.pool.query(`select from idempotency_keys where key in ('key-1', 'order-1')`);
  assert.equal(stored.length, 0, 'sealed responses are deleted, too');

  // Nothing else is lost, and nobody else.
  const nameless = calls.map((call) =>
    call.member_id === member.id ? { ...call, member_id: null, session_id: null } : call,
  );
  const withoutReasons = ({ policy, ...call }: any) => ({ ...call, policy: policy?.length });
  assert.deepEqual((await callsOf()).map(withoutReasons), nameless.map(withoutReasons));
  assert.equal(nameless.filter(({ member_id }) => member_id === stays.member.id).length, 1);
  const groups = expectResponse(await api('GET', `${path}/analytics?group_by=member`, { key: shop.keys.admin }), 200);
  assert.deepEqual(new Set(groups.data.map(({ group_name }: any) => group_name)), new Set(['user-stays', null]));
  let corrected = 0;
  await rebuildRollups({ database: app.database, call_log_days: 30 }, (day) => {
    corrected += day.corrected;
  });
  assert.equal(corrected, 0, 'the rollups fit the calls');
  const limit = expectResponse(await api('GET', `${path}/limits/${limit_id}`, { key: shop.keys.read }), 200);
  assert.deepEqual(limit.overrides, []);
  await server.runJobs();
  for (const chain of await verifyAudit(app.database, app)) assert.equal(chain.broken, null);

  const log = expectResponse(
    await api('GET', `${path}/audit-log?action=member.deleted`, { key: shop.keys.admin }),
    200,
  );
  assert.equal(log.data.length, 1);
  const { target_id, before: counts } = log.data[0];
  assert.deepEqual(
    [target_id, counts],
    ['deleted_member', { sessions: 2, connections: 1, grants: 1, approvals: 1, tasks: 0 }],
  );
});

/** A member with all permissions, and nothing else. */
async function makeAdmin() {
  const shop = await makeOAuthTenant(server, peer, { provider: { permissions: [...permissions] } });
  const key = await signInByBrowser(shop);
  const [member] = expectResponse(await api('GET', '/members', { key }), 200).data;
  return { shop, key, member };
}

test('the provider ends the tokens of a connected account', async () => {
  const { shop, member } = await makeAdmin();
  const revocations = () => peer.requests.filter(({ path }) => path === '/revoke').length;
  const before = revocations();
  expectResponse(await api('DELETE', `/members/${member.id}`, { key: shop.keys.admin }), 204);
  assert.equal(revocations(), before + 1);
});

test('a member with the permission deletes themselves, and the audit log does not say who did it', async () => {
  const { shop, key, member } = await makeAdmin();
  expectResponse(await api('DELETE', `/members/${member.id}`, { key }), 204);
  expectResponse(await api('GET', '/members', { key }), 401);
  const log = `/projects/${shop.id}/audit-log?action=member.deleted`;
  const { data } = expectResponse(await api('GET', log, { key: shop.keys.admin }), 200);
  assert.deepEqual(data[0].actor, { kind: 'member', id: 'deleted_member' });
});

test('what a member is about to create when they are deleted is not created', async () => {
  const { shop, key, member } = await makeAdmin();
  const locking = await app.background.pool.connect();
  await locking.query('begin; set local idle_in_transaction_session_timeout = 0');
  await locking.query('lock table custom_tool_versions in share row exclusive mode');
  const body = { name: 'late', base_url: 'https://api.example.com', endpoint_path: '/' };
  const creating = api('POST', '/custom-tools', { key, body });
  await untilLockWait(app, 1);
  // As the deletion does it, which itself would wait for this table.
  await locking.query('delete from members where id = $1', [member.id]);
  await locking.query('commit');
  locking.release();
  expectResponse(await creating, 401);
  assert.deepEqual(expectResponse(await api('GET', '/custom-tools', { key: shop.keys.read }), 200).data, []);
});

const endings = { grants: deleteGrantsOfMember, others: [] };

test('a deletion that takes too long for a request says so, and is finished by the same request again', async () => {
  const { shop, member } = await makeAdmin();
  const since = app.now() - 60_000;
  await recordMany(app, shop.id, { count: 2_500, since }, { member_id: `'${member.id}'` });
  const caller = { kind: 'root', project: await findProject(app, shop.id) } as const;
  const error = await deleteMember(app, caller, member.id, endings, 0).catch((error: unknown) => error as ApiError);
  assert.ok(error instanceof ApiError);
  assert.deepEqual(
    [error.status, error.code, error.headers],
    [503, 'MEMBER_DELETION_UNFINISHED', { 'retry-after': '2' }],
  );
  expectResponse(await api('GET', `/members/${member.id}`, { key: shop.keys.admin }), 404);
  assert.ok((await findInDatabase(app, [member.id])).has('tool_calls'), 'something is left');
  expectResponse(await api('DELETE', `/members/${member.id}`, { key: shop.keys.admin }), 204);
  assert.deepEqual([...(await findInDatabase(app, [member.id])).keys()], ['audit_entries']);
  expectResponse(await api('DELETE', `/members/${member.id}`, { key: shop.keys.admin }), 404);
});

test('a deletion that nobody waits for is finished by a job', async () => {
  const { shop, member } = await makeAdmin();
  const since = app.now() - 60_000;
  await recordMany(app, shop.id, { count: 2_500, since }, { member_id: `'${member.id}'` });
  const caller = { kind: 'root', project: await findProject(app, shop.id) } as const;
  await assert.rejects(deleteMember(app, caller, member.id, endings, 0), { status: 503 });
  await server.runJobs();
  assert.ok((await findInDatabase(app, [member.id])).has('tool_calls'), 'whoever deletes it has its time');
  server.advance(31_000);
  await server.runJobs();
  assert.deepEqual([...(await findInDatabase(app, [member.id])).keys()], ['audit_entries']);
  expectResponse(await api('DELETE', `/members/${member.id}`, { key: shop.keys.admin }), 404);
});

test('every column that can name a member is known to the deletion', async () => {
  const { rows } = await app.pool.query<{ place: string }>(`
    select c.relname || '.' || a.attname as place
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = current_schema()::regnamespace
      and a.attnum > 0 and not a.attisdropped
      and a.attname ~ '^(member_id|external_id|subject|subject_id|session_id|group_id|actor_id|decided_by|claims)$'
    order by 1`);
  // The compiler knows every created_by: database/forget-creator.ts. The test above has traces in the others.
  assert.deepEqual(
    rows.map(({ place }) => place),
    [
      'approvals.decided_by',
      'approvals.member_id',
      'approvals.session_id',
      'approvals.subject_id',
      'audit_entries.actor_id', // older entries stay
      'call_rollups.group_id',
      'file_usage.subject', // a row without bytes is deleted
      'files.member_id',
      'jobs.subject', // never a member
      'limit_log.subject_id',
      'limit_refusals.subject_id',
      'member_deletions.member_id', // until the deletion is finished
      'member_sessions.claims',
      'member_sessions.member_id',
      'members.external_id',
      'oauth_approvals.member_id',
      'oauth_connections.member_id',
      'oauth_grants.claims',
      'oauth_grants.member_id',
      'request_traces.member_id',
      'request_traces.session_id',
      'tasks.member_id',
      'tasks.session_id',
      'tasks.subject_id',
      'tool_calls.member_id',
      'tool_calls.session_id',
      'upload_tickets.member_id',
    ],
  );
});
