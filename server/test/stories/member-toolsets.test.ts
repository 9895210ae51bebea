// Which toolsets a member sees: by the rules of the project, or by what the assertion says, for as long as the session lives.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { modern } from '../mcp/rpc.ts';
import { expectResponse, makeKey, unique } from '../support/make/make.ts';
import { makeOwner } from '../support/make/make-accounts.ts';
import { assertionFor, exchange, type MemberTenant, makeMemberTenant } from '../support/make/make-members.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { makeToolset } from '../support/make/make-toolset.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { api } = server;

/** A project with the tools orders, refunds and reports, and a toolset for each. */
async function makeShop(): Promise<MemberTenant> {
  const tenant = await makeMemberTenant(server);
  for (const name of ['orders', 'refunds', 'reports']) {
    const { id } = await makeTool(server, tenant.keys.write, customer, { name, endpoint_path: `/${name}` });
    await makeToolset(server, tenant.id, { slug: name, tool_ids: [id] });
  }
  return tenant;
}

const setAccess = (tenant: MemberTenant, member_access: object, key = tenant.keys.admin) =>
  api('PATCH', `/projects/${tenant.id}/settings`, { key, body: { member_access } });

async function begin(tenant: MemberTenant, claims: object = {}, status = 200): Promise<any> {
  const member_assertion = assertionFor(server, tenant, { claims: { sub: unique('user'), ...claims } });
  return expectResponse(await exchange(server, tenant.integrationKey.key, { member_assertion }), status);
}

async function seen(token: string): Promise<string[]> {
  const { result } = expectResponse(await modern(server, token, 'tools/list'), 200);
  return result.tools.map(({ name }: { name: string }) => name);
}

const rules = [
  { claim: 'role', equals: 'support', toolsets: ['refunds'] },
  { claim: 'groups', equals: 'managers', toolsets: ['reports'] },
];

test('without rules a member sees every tool', async () => {
  const session = await begin(await makeShop(), { claims: { role: 'support' } });
  assert.equal(session.toolsets, null);
  assert.deepEqual(await seen(session.session_token), ['orders', 'refunds', 'reports']);
});

test('a member sees the default and the toolsets of every rule that matches the claims, and can call nothing else', async () => {
  const tenant = await makeShop();
  expectResponse(await setAccess(tenant, { default: ['orders'], rules }), 200);
  for (const [claims, expected] of [
    [undefined, ['orders']],
    [{ role: 'guest' }, ['orders']],
    [{ role: 'support' }, ['orders', 'refunds']],
    [{ role: 'support', groups: ['staff', 'managers'] }, ['orders', 'refunds', 'reports']],
  ] as const) {
    const session = await begin(tenant, claims && { claims });
    assert.deepEqual(session.toolsets, expected);
    assert.deepEqual(await seen(session.session_token), expected);
    for (const name of ['orders', 'refunds', 'reports'])
      expectResponse(await execute(server, session.session_token, name), expected.includes(name as never) ? 200 : 404);
  }
});

test('rules without a default show nothing to a member whom none matches', async () => {
  const tenant = await makeShop();
  expectResponse(await setAccess(tenant, { default: null, rules }), 200);
  const session = await begin(tenant);
  assert.deepEqual(session.toolsets, []);
  assert.deepEqual(await seen(session.session_token), []);
});

test('effective-tools shows what everybody sees for a member whose sessions are gone', async () => {
  const tenant = await makeShop();
  expectResponse(await setAccess(tenant, { default: ['orders'], rules }), 200);
  const { member } = await begin(tenant, { claims: { role: 'support' } });
  await server.app.pool.query('delete from member_sessions where member_id = $1', [member.id]);
  const path = `/projects/${tenant.id}/effective-tools?member_id=${member.id}`;
  const { data } = expectResponse(await api('GET', path, { key: tenant.keys.read }), 200);
  const refusals = Object.fromEntries(data.map(({ name, refused_by }: any) => [name, refused_by]));
  assert.deepEqual(refusals, { orders: null, refunds: 'member', reports: 'member' });
});

test('toolsets of an assertion replace default and rules, and an empty list is no tool', async () => {
  const tenant = await makeShop();
  expectResponse(await setAccess(tenant, { default: ['orders'], rules }), 200);
  const session = await begin(tenant, { toolsets: ['reports'], claims: { role: 'support' } });
  assert.deepEqual([session.toolsets, await seen(session.session_token)], [['reports'], ['reports']]);
  assert.deepEqual(await seen((await begin(tenant, { toolsets: [] })).session_token), []);
});

test('an unknown toolset in an assertion is refused with its reason, as one of another project', async () => {
  const [tenant, other] = [await makeShop(), await makeShop()];
  await makeToolset(server, other.id, { slug: 'theirs' });
  for (const slug of ['nothing', 'theirs']) {
    const { error } = await begin(tenant, { toolsets: ['orders', slug] }, 401);
    assert.deepEqual(
      [error.code, error.message],
      ['ASSERTION_UNKNOWN_TOOLSET', 'Invalid member assertion: UNKNOWN_TOOLSET'],
    );
  }
  const { error } = await begin(tenant, { toolsets: 'orders' }, 401);
  assert.equal(error.message, 'Invalid member assertion: MALFORMED');
});

test('what a session sees does not change with the rules while it lives, but with the tools of its toolsets', async () => {
  const tenant = await makeShop();
  expectResponse(await setAccess(tenant, { default: ['orders'], rules: [] }), 200);
  const { session_token } = await begin(tenant);
  expectResponse(await setAccess(tenant, { default: ['reports'], rules: [] }), 200);
  assert.deepEqual(await seen(session_token), ['orders']);
  assert.deepEqual(await seen((await begin(tenant)).session_token), ['reports']);
});

test('the layer of a member and that of the key both narrow', async () => {
  const tenant = await makeShop();
  expectResponse(await setAccess(tenant, { default: ['orders', 'refunds'], rules: [] }), 200);
  const { data } = expectResponse(await api('GET', `/projects/${tenant.id}/toolsets`, { key: tenant.keys.read }), 200);
  const ids = ['refunds', 'reports'].map((slug) => data.find((each: { slug: string }) => each.slug === slug).id);
  const path = `/projects/${tenant.id}/api-keys/${tenant.integrationKey.id}`;
  expectResponse(await api('PATCH', path, { key: ROOT_KEY, body: { toolset_ids: ids } }), 200);
  const session = await begin(tenant);
  assert.deepEqual(await seen(session.session_token), ['refunds']);
  const query = `/projects/${tenant.id}/effective-tools?member_id=${session.member.id}`;
  const explained = expectResponse(await api('GET', query, { key: tenant.keys.read }), 200).data;
  assert.deepEqual(Object.fromEntries(explained.map(({ name, refused_by }: any) => [name, refused_by])), {
    orders: 'key',
    refunds: null,
    reports: 'member',
  });
});

test('a toolset that rules name is in use; detaching it leaves empty lists, so that nobody sees more', async () => {
  const tenant = await makeShop();
  expectResponse(await setAccess(tenant, { default: ['orders'], rules: [{ ...rules[0], toolsets: ['orders'] }] }), 200);
  const { data } = expectResponse(await api('GET', `/projects/${tenant.id}/toolsets`, { key: tenant.keys.read }), 200);
  const { id } = data.find(({ slug }: { slug: string }) => slug === 'orders');
  const path = `/projects/${tenant.id}/toolsets/${id}`;
  const refused = expectResponse(await api('DELETE', path, { key: tenant.keys.write }), 409);
  assert.deepEqual(refused.error.details.project_ids, [tenant.id]);
  expectResponse(await api('DELETE', `${path}?detach=true`, { key: tenant.keys.write }), 204);
  const settings = expectResponse(await api('GET', `/projects/${tenant.id}/settings`, { key: tenant.keys.read }), 200);
  assert.deepEqual(settings.member_access, { default: [], rules: [{ ...rules[0], toolsets: [] }] });
  assert.deepEqual(await seen((await begin(tenant, { claims: { role: 'support' } })).session_token), []);
});

for (const [what, member_access, field] of [
  ['an unknown slug in the default', { default: ['nothing'], rules: [] }, 'member_access.default.0'],
  [
    'an unknown slug in a rule',
    { default: null, rules: [{ claim: 'a', equals: 'b', toolsets: ['orders', 'nothing'] }] },
    'member_access.rules.0.toolsets.1',
  ],
  ['NUL in a slug', { default: ['a\0'], rules: [] }, 'member_access.default.0'],
  ['a rule without a claim', { default: null, rules: [{ equals: 'b', toolsets: [] }] }, 'member_access.rules.0.claim'],
  [
    'an object to compare with',
    { default: null, rules: [{ claim: 'a', equals: {}, toolsets: [] }] },
    'member_access.rules.0.equals',
  ],
  [
    '101 rules',
    { default: null, rules: Array(101).fill({ claim: 'a', equals: 'b', toolsets: [] }) },
    'member_access.rules',
  ],
] as const)
  test(`${what} is 422 with the field, and changes nothing`, async () => {
    const tenant = await makeShop();
    assert.equal(expectResponse(await setAccess(tenant, member_access), 422).error.details.field, field);
    const settings = expectResponse(
      await api('GET', `/projects/${tenant.id}/settings`, { key: tenant.keys.read }),
      200,
    );
    assert.deepEqual(settings.member_access, { default: null, rules: [] });
  });

test('a narrowed key cannot change the rules for members', async () => {
  const tenant = await makeShop();
  const { key } = await makeKey(server, tenant.id, ['admin'], { toolset_ids: [] });
  const { error } = expectResponse(await setAccess(tenant, { default: null, rules: [] }, key), 403);
  assert.equal(error.details.reason, 'credential_is_narrowed');
});

test('a person who tries a tool for a test member sees what a member without claims sees', async () => {
  const owner = await makeOwner(server);
  const { id } = owner.project;
  const { key } = await makeKey(server, id);
  const [orders, refunds] = [await makeTool(server, key, customer), await makeTool(server, key, customer)];
  const { slug } = await makeToolset(server, id, { tool_ids: [orders.id] });
  const body = { member_access: { default: [slug], rules: [] } };
  expectResponse(await api('PATCH', `/projects/${id}/settings`, { key, body }), 200);
  const attempt = (tool_id: string, fields: object) =>
    owner.api('POST', `/custom-tools/${tool_id}/execute`, { project: id, body: { arguments: {}, ...fields } });
  expectResponse(await attempt(orders.id, { member_external_id: 'test_1' }), 200);
  expectResponse(await attempt(refunds.id, { member_external_id: 'test_1' }), 404);
  expectResponse(await attempt(refunds.id, {}), 200);
});
