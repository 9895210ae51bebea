// Who sees which tools: every layer narrows, what is hidden cannot be called, and nobody hands out more than they see.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { callTool, revisionSenders } from '../mcp/rpc.ts';
import { expectResponse, type MadeKey, makeKey, makeTenant, unique } from '../support/make/make.ts';
import { makeIntegration, makeMemberTenant, makeSession } from '../support/make/make-members.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { makeToolset } from '../support/make/make-toolset.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const customer = await startCustomer();
after(() => customer.close());
const settings = { TOOLGATE_EGRESS_ALLOW: customer.address };
const server = await startServer(settings);
const replica = await startServer({ ...settings, DATABASE_URL: server.app.config.database_url ?? '' });
const { api } = server;
const tenant = await makeMemberTenant(server);
const [orders, refunds, reports] = [
  await makeTool(server, tenant.keys.write, customer, { name: 'orders' }),
  await makeTool(server, tenant.keys.write, customer, { name: 'refunds' }),
  await makeTool(server, tenant.keys.write, customer, { name: 'reports' }),
];
const support = await makeToolset(server, tenant.id, { slug: 'support', tool_ids: [orders.id, refunds.id] });
const reading = await makeToolset(server, tenant.id, { slug: 'reading', tool_ids: [orders.id, reports.id] });
const keys = `/projects/${tenant.id}/api-keys`;
const narrowKey = (toolset_ids: string[] | null, fields: object = {}) =>
  makeKey(server, tenant.id, ['admin'], { toolset_ids, ...fields });

async function listed(key: string, path = '/api/v1/mcp', at = server): Promise<string[]> {
  const lists = [];
  for (const send of Object.values(revisionSenders)) {
    const response = expectResponse(await send(at, key, 'tools/list', {}, { path }), 200);
    lists.push(response.result.tools.map(({ name }: { name: string }) => name));
  }
  assert.deepEqual(lists[0], lists[1]);
  return lists[0] as string[];
}

for (const { title, toolset_ids, expected } of [
  { title: 'without toolsets sees every tool', toolset_ids: null, expected: ['orders', 'refunds', 'reports'] },
  { title: 'with an empty list sees none', toolset_ids: [], expected: [] },
  { title: 'with one toolset sees its tools', toolset_ids: [support.id], expected: ['orders', 'refunds'] },
  {
    title: 'with two sees the tools of both',
    toolset_ids: [support.id, reading.id],
    expected: ['orders', 'refunds', 'reports'],
  },
])
  test(`a key ${title}, over MCP and REST, and can call exactly those`, async () => {
    const { key } = await narrowKey(toolset_ids);
    assert.deepEqual(await listed(key), expected);
    for (const { id, name } of [orders, refunds, reports]) {
      const status = expected.includes(name) ? 200 : 404;
      for (const id_or_name of [id, name]) expectResponse(await execute(server, key, id_or_name), status);
      for (const send of Object.values(revisionSenders)) {
        const response = expectResponse(await callTool(send, server, key, name), 200);
        assert.equal('result' in response, status === 200, JSON.stringify(response));
      }
    }
  });

test('a tool that a key does not see is answered as one that does not exist, and its call is not logged', async () => {
  const { id: api_key_id, key } = await narrowKey([support.id]);
  const responses = async (name: string) => {
    const rest = await execute(server, key, name);
    const { request_id: _, ...error } = rest.body.error;
    const replies = [];
    for (const send of Object.values(revisionSenders)) replies.push((await callTool(send, server, key, name)).text);
    const names = [...rest.headers.keys()].filter((each) => each !== 'x-request-id');
    return { status: rest.status, names, text: JSON.stringify([error, replies]).replaceAll(name, 'NAME') };
  };
  const before = customer.requests.length;
  assert.deepEqual(await responses('reports'), await responses('nothing'));
  assert.equal(customer.requests.length, before);
  await server.app.batch_writer.flush();
  const calls = expectResponse(
    await api('GET', `/projects/${tenant.id}/tool-calls?api_key_id=${api_key_id}`, { key: tenant.keys.admin }),
    200,
  );
  assert.deepEqual(calls.data, []);
});

test('the trace of such a call says that a toolset hides the tool, for REST and MCP', async () => {
  const { key } = await narrowKey([support.id]);
  for (const response of [
    await execute(server, key, 'reports'),
    ...(await Promise.all(Object.values(revisionSenders).map((send) => callTool(send, server, key, 'reports')))),
  ]) {
    await server.app.batch_writer.flush();
    const path = `/projects/${tenant.id}/requests/${response.headers.get('x-request-id')}`;
    const { steps } = expectResponse(await api('GET', path, { key: tenant.keys.admin }), 200);
    const failed = steps.find(({ outcome }: { outcome: string }) => outcome === 'failed');
    assert.deepEqual([failed.step, failed.reason], ['toolset', 'tool_not_in_toolset']);
  }
});

test('the toolsets of an integration narrow its keys and the sessions that they create', async () => {
  const integration = await makeIntegration(server, tenant.id, { toolset_ids: [support.id] });
  const path = `/projects/${tenant.id}/integrations/${integration.id}/api-keys`;
  const make = async (toolset_ids: string[] | null): Promise<MadeKey> => {
    const body = { name: unique('key'), permissions: ['read'], toolset_ids };
    return expectResponse(await api('POST', path, { key: ROOT_KEY, body }), 201);
  };
  const [wide, narrow] = [await make(null), await make([reading.id])];
  assert.deepEqual(await listed(wide.key), ['orders', 'refunds']);
  assert.deepEqual(await listed(narrow.key), ['orders']);
  const session = await makeSession(server, { ...tenant, integrationKey: narrow }, unique('user'));
  assert.deepEqual(await listed(session.session_token), ['orders']);
  expectResponse(await execute(server, session.session_token, 'refunds'), 404);
});

test('the address of a toolset narrows a credential, and never shows more than the credential sees', async () => {
  const [wide, narrow] = [await narrowKey(null), await narrowKey([support.id])];
  for (const path of ['/api/v1/mcp/toolsets/reading', `/mcp/${tenant.id}/toolsets/reading`]) {
    assert.deepEqual(await listed(wide.key, path), ['orders', 'reports']);
    assert.deepEqual(await listed(narrow.key, path), ['orders']);
    for (const send of Object.values(revisionSenders)) {
      assert.ok('result' in expectResponse(await callTool(send, server, wide.key, 'reports', {}, { path }), 200));
      for (const key of [wide.key, narrow.key])
        assert.ok('error' in expectResponse(await callTool(send, server, key, 'refunds', {}, { path }), 200));
    }
  }
});

test('an unknown toolset in the address is 404, as that of another project', async () => {
  const stranger = await makeTenant(server);
  await makeToolset(server, stranger.id, { slug: 'theirs' });
  for (const slug of ['nothing', 'theirs', 'Not-A-Slug', '..'])
    for (const send of Object.values(revisionSenders)) {
      const path = `/api/v1/mcp/toolsets/${slug}`;
      expectResponse(await send(server, tenant.keys.read, 'tools/list', {}, { path }), 404);
    }
});

test('the address of a toolset has its own metadata, which its challenge names', async () => {
  for (const path of ['/api/v1/mcp/toolsets/support', `/api/v1/mcp/${tenant.id}/toolsets/support`]) {
    const refused = await api('POST', path, { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
    expectResponse(refused, 401);
    const [, url = ''] = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? [];
    assert.ok(url.endsWith(`/.well-known/oauth-protected-resource${path}`), url);
    const metadata = await api('GET', new URL(url).pathname);
    assert.equal(metadata.body.resource, `${server.app.config.public_url}${path}`);
  }
});

test('a change of a toolset, of its tools or of an assignment is followed by every replica', async () => {
  const toolset = await makeToolset(server, tenant.id, { tool_ids: [orders.id] });
  const made = await narrowKey([toolset.id]);
  assert.deepEqual(await listed(made.key, undefined, replica), ['orders']);
  const becomes = (expected: string[]) =>
    waitUntil(
      async () => (await listed(made.key, undefined, replica)).join() === expected.join(),
      5_000,
      `the replica lists ${expected}`,
    );
  const patch = async (path: string, body: object) =>
    expectResponse(await api('PATCH', path, { key: ROOT_KEY, body }), 200);
  await patch(`/projects/${tenant.id}/toolsets/${toolset.id}`, { tool_ids: [refunds.id] });
  await becomes(['refunds']);
  expectResponse(await execute(replica, made.key, 'orders'), 404);
  const tag = unique('tag');
  await patch(`/projects/${tenant.id}/toolsets/${toolset.id}`, { tool_ids: [], tags: [tag] });
  await becomes([]);
  const tagged = await makeTool(server, tenant.keys.write, customer, { tags: [tag] });
  await becomes([tagged.name]);
  await patch(`${keys}/${made.id}`, { toolset_ids: [] });
  await becomes([]);
  expectResponse(await execute(replica, made.key, tagged.name), 404);
  expectResponse(await api('DELETE', `/custom-tools/${tagged.id}`, { key: tenant.keys.admin }), 204);
});

test('a narrowed key cannot create, rotate or change what would see more than it sees', async () => {
  const narrow = await narrowKey([support.id]);
  const other = await narrowKey(null);
  const integration = await makeIntegration(server, tenant.id);
  const create = (toolset_ids: string[] | null | undefined, path = keys) =>
    api('POST', path, { key: narrow.key, body: { name: unique('key'), permissions: ['read'], toolset_ids } });
  const beyond = (response: Awaited<ReturnType<typeof create>>) => {
    const { error } = expectResponse(response, 403);
    assert.equal(error.details.reason, 'toolsets_beyond_credential');
  };
  for (const toolset_ids of [undefined, null, [reading.id], [support.id, reading.id]]) {
    beyond(await create(toolset_ids));
    beyond(await create(toolset_ids, `/projects/${tenant.id}/integrations/${integration.id}/api-keys`));
    const body = { name: unique('integration'), toolset_ids };
    beyond(await api('POST', `/projects/${tenant.id}/integrations`, { key: narrow.key, body }));
  }
  // Switching off is allowed; on again, the key would see more.
  const off = await narrowKey(null);
  const turn = (is_active: boolean) => api('PATCH', `${keys}/${off.id}`, { key: narrow.key, body: { is_active } });
  expectResponse(await turn(false), 200);
  beyond(await turn(true));
  const body = { name: 'app', redirect_uris: ['https://app.example.com/callback'] };
  const clients = `/projects/${tenant.id}/oauth-clients`;
  beyond(await api('POST', clients, { key: narrow.key, body }));
  const client = expectResponse(await api('POST', clients, { key: ROOT_KEY, body }), 201);
  beyond(await api('POST', `${clients}/${client.id}/rotate-secret`, { key: narrow.key, body: {} }));
  const moved = { redirect_uris: ['https://other.example.com/callback'] };
  beyond(await api('PATCH', `${clients}/${client.id}`, { key: narrow.key, body: moved }));
  const providers = `/projects/${tenant.id}/oauth-providers`;
  const google = { provider: 'google', name: 'Google', client_id: 'a', client_secret: 'b' };
  const provider = expectResponse(await api('POST', providers, { key: ROOT_KEY, body: google }), 201);
  const taken = { client_id: 'mine', client_secret: 'mine' };
  beyond(await api('PATCH', `${providers}/${provider.id}`, { key: narrow.key, body: taken }));
  beyond(await api('POST', `${keys}/${other.id}/rotate`, { key: narrow.key, body: {} }));
  const child = expectResponse(await create([support.id]), 201);
  expectResponse(await create([]), 201);
  for (const toolset_ids of [null, [reading.id]])
    beyond(await api('PATCH', `${keys}/${child.id}`, { key: narrow.key, body: { toolset_ids } }));
  const successor = expectResponse(await api('POST', `${keys}/${child.id}/rotate`, { key: narrow.key, body: {} }), 201);
  assert.deepEqual(successor.toolset_ids, [support.id]);
  assert.deepEqual(await listed(successor.key), ['orders', 'refunds']);
});

test('a narrowed key changes no toolset, no tags and nothing else that puts a tool into a toolset', async () => {
  const { key } = await narrowKey([support.id]);
  const tagged = await makeTool(server, tenant.keys.write, customer, { tags: ['tagged'] });
  const named = await makeTool(server, tenant.keys.write, customer, {});
  const made = { only: 'read_only', tags: ['tagged'], tool_ids: [named.id] };
  const safe = await makeToolset(server, tenant.id, { slug: unique('slug'), ...made });
  const read_only = { annotations: { readOnlyHint: true } };
  const refused = [
    api('POST', `/projects/${tenant.id}/toolsets`, { key, body: { slug: unique('slug'), name: 'x' } }),
    api('PATCH', `/projects/${tenant.id}/toolsets/${support.id}`, { key, body: { tool_ids: [reports.id] } }),
    api('DELETE', `/projects/${tenant.id}/toolsets/${support.id}?detach=true`, { key }),
    api('PATCH', `/custom-tools/${orders.id}`, { key, body: { tags: ['x'] } }),
    // A hint that puts a tool into a toolset with only read-only tools.
    api('PATCH', `/custom-tools/${named.id}`, { key, body: read_only }),
    api('PATCH', `/custom-tools/${tagged.id}`, { key, body: read_only }),
    api('POST', `/custom-tools/${tagged.id}/duplicate`, { key, body: { name: unique('copy') } }),
    api('POST', '/custom-tools', {
      key,
      body: { name: unique('tool'), base_url: customer.url, endpoint_path: '/x', tags: ['x'] },
    }),
  ];
  for (const response of await Promise.all(refused)) {
    const { error } = expectResponse(response, 403);
    assert.equal(error.details.reason, 'credential_is_narrowed');
  }
  expectResponse(await api('PATCH', `/custom-tools/${orders.id}`, { key, body: { description: 'Finds orders' } }), 200);
  for (const path of [
    `/projects/${tenant.id}/toolsets/${safe.id}`,
    `/custom-tools/${tagged.id}`,
    `/custom-tools/${named.id}`,
  ])
    expectResponse(await api('DELETE', path, { key: tenant.keys.admin }), 204);
});

test('managing tools is not narrowed', async () => {
  const { key } = await narrowKey([]);
  const { data } = expectResponse(await api('GET', '/custom-tools?limit=100', { key }), 200);
  assert.ok(data.length >= 3);
  expectResponse(await api('GET', `/custom-tools/${reports.id}`, { key }), 200);
  // The method and the hint decide whether a tool is read-only. No toolset of read-only tools names this one.
  const other = await makeTool(server, tenant.keys.write, customer, {});
  for (const body of [{ method: 'GET' }, { method: 'POST' }, { annotations: { readOnlyHint: true } }])
    expectResponse(await api('PATCH', `/custom-tools/${other.id}`, { key, body }), 200);
  expectResponse(await api('DELETE', `/custom-tools/${other.id}`, { key: tenant.keys.admin }), 204);
});

test('effective-tools names for each tool what hides it', async () => {
  const hidden = await makeTool(server, tenant.keys.write, customer, { is_enabled: false });
  const member = await makeTool(server, tenant.keys.write, customer, { require_member: true });
  const made = await narrowKey([support.id]);
  const explain = async (query: string): Promise<Record<string, any>> => {
    const path = `/projects/${tenant.id}/effective-tools?limit=100&${query}`;
    const { data } = expectResponse(await api('GET', path, { key: tenant.keys.read }), 200);
    return Object.fromEntries(data.map((entry: { name: string }) => [entry.name, entry]));
  };
  const byKey = await explain(`api_key_id=${made.id}`);
  assert.deepEqual(byKey.orders, {
    tool_id: orders.id,
    name: 'orders',
    is_allowed: true,
    refused_by: null,
    toolset_ids: [support.id, reading.id].sort(),
  });
  assert.deepEqual(
    ['reports', hidden.name, member.name].map((name) => byKey[name].refused_by),
    ['key', 'disabled', 'requires_member'],
  );
  const integration = await makeIntegration(server, tenant.id, { toolset_ids: [reading.id] });
  const path = `/projects/${tenant.id}/integrations/${integration.id}/api-keys`;
  const body = { name: 'x', permissions: ['read'] };
  const integrationKey: MadeKey = expectResponse(await api('POST', path, { key: ROOT_KEY, body }), 201);
  const session = await makeSession(server, { ...tenant, integrationKey }, unique('user'));
  const ofMember = await explain(`member_id=${session.member.id}`);
  assert.deepEqual([ofMember.refunds.refused_by, ofMember[member.name].refused_by], ['integration', 'integration']);
  assert.equal(ofMember.reports.is_allowed, true);
  for (const tool of [hidden, member])
    expectResponse(await api('DELETE', `/custom-tools/${tool.id}`, { key: tenant.keys.admin }), 204);
});

for (const [what, query, status] of [
  ['no caller', '', 422],
  ['two callers', 'api_key_id=key_a&member_id=mem_a', 422],
  ['an unknown key', 'api_key_id=key_9dKx2vQmTa7cBz0RfY4wLp', 404],
  ['an unknown session', 'session_id=ses_x', 404],
  ['an unknown grant', 'oauth_grant_id=oag_x', 404],
  ['an unknown client', 'oauth_client_id=oac_x', 404],
  ['an id with NUL', 'member_id=mem_%00', 400],
] as const)
  test(`effective-tools with ${what} is ${status}`, async () => {
    const path = `/projects/${tenant.id}/effective-tools?${query}`;
    expectResponse(await api('GET', path, { key: tenant.keys.read }), status);
  });
