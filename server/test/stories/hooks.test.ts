// Hooks as a resource: who manages them, what is refused, which tools they match, and how their secret is rotated.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { verifyToolRequest } from '../../../sdk/src/index.ts';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { makeHook } from '../support/make/make-hook.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { makeToolset } from '../support/make/make-toolset.ts';
import { type ReceivedRequest, startCustomer } from '../support/peers/fake-customer.ts';
import { startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { api } = server;

type Tenant = Awaited<ReturnType<typeof makeTenant>>;
const hooksOf = ({ id }: Pick<Tenant, 'id'>) => `/projects/${id}/hooks`;
const hook = (tenant: Tenant, fields: object = {}) => makeHook(server, customer, tenant.id, fields);
const verify = ({ method, path, query, headers, body }: ReceivedRequest, secret: string | string[]) =>
  verifyToolRequest({ secret, method, url: `${customer.url}${path}${query && `?${query}`}`, headers, body });

test('a hook is created, read, listed, changed and deleted by admins alone, and each change is in the audit log', async () => {
  const tenant = await makeTenant(server);
  const { admin: key, read, write, webhook } = tenant.keys;
  const body = { url: `${customer.url}/policy?a=b`, points: ['before', 'after'] };
  for (const other of [read, write, webhook]) {
    expectResponse(await api('POST', hooksOf(tenant), { key: other, body }), 403);
    expectResponse(await api('GET', hooksOf(tenant), { key: other }), 403);
  }
  const { secret, ...created } = expectResponse(await api('POST', hooksOf(tenant), { key, body }), 201);
  assert.match(secret, /^hksec_[\w+/]{43}=$/);
  assert.match(created.id, /^hook_[0-9A-Za-z]{22}$/);
  assert.deepEqual(created, {
    object: 'hook',
    id: created.id,
    project_id: tenant.id,
    ...body,
    match: null,
    timeout_ms: 1000,
    on_failure: 'refuse',
    may_change: false,
    certificate_id: null,
    is_enabled: true,
    previous_secret_ends_at: null,
    created_at: created.created_at,
    created_by: created.created_by,
    updated_at: created.updated_at,
  });
  const path = `${hooksOf(tenant)}/${created.id}`;
  assert.deepEqual(expectResponse(await api('GET', path, { key }), 200), created);
  assert.deepEqual(expectResponse(await api('GET', hooksOf(tenant), { key }), 200).data, [created]);
  const change = { timeout_ms: 250, on_failure: 'allow', may_change: true, match: { tags: ['orders'] } };
  expectResponse(await api('PATCH', path, { key: write, body: change }), 403);
  const changed = expectResponse(await api('PATCH', path, { key, body: change }), 200);
  assert.deepEqual(changed, { ...created, ...change, updated_at: changed.updated_at });
  assert.deepEqual(expectResponse(await api('PATCH', path, { key, body: {} }), 200), changed);
  expectResponse(await api('DELETE', path, { key: write }), 403);
  expectResponse(await api('DELETE', path, { key }), 204);
  expectResponse(await api('GET', path, { key }), 404);
  const { data } = expectResponse(await api('GET', `/projects/${tenant.id}/audit-log`, { key }), 200);
  const entries = data.filter((entry: any) => entry.target_id === created.id);
  assert.deepEqual(
    entries.map((entry: any) => entry.action),
    ['hook.deleted', 'hook.updated', 'hook.created'],
  );
  assert.ok(!JSON.stringify(entries).includes('hksec_'));
});

test('input that is wrong is refused with its field, and creates nothing', async () => {
  const tenant = await makeTenant(server);
  const { admin: key } = tenant.keys;
  const good = { url: `${customer.url}/policy`, points: ['before'] };
  for (const [wrong, field] of [
    [{ url: 'http://policy.example.com/' }, 'url'],
    [{ url: 'https://10.0.0.1/' }, 'url'],
    [{ url: 'https://user:word@policy.example.com/' }, 'url'],
    [{ url: 'https://policy.example.com/\0' }, 'url'],
    [{ url: 'https://policy.example.com/\ud800' }, 'url'],
    [{ url: undefined }, 'url'],
    [{ points: [] }, 'points'],
    [{ points: ['during'] }, 'points.0'],
    [{ points: ['before', 'before'] }, 'points'],
    [{ points: undefined }, 'points'],
    [{ timeout_ms: 99 }, 'timeout_ms'],
    [{ timeout_ms: 3001 }, 'timeout_ms'],
    [{ on_failure: 'ask' }, 'on_failure'],
    [{ may_change: 'yes' }, 'may_change'],
    [{ match: {} }, 'match'],
    [{ match: { tool_ids: ['tool_0000000000000000000000'] } }, 'match.tool_ids.0'],
    [{ match: { toolset: 'no\0ne' } }, 'match.toolset'],
    [{ match: { toolset: 'none' } }, 'match.toolset'],
    [{ secret: 'hksec_mine' }, 'secret'],
  ] as const) {
    const response = await api('POST', hooksOf(tenant), { key, body: { ...good, ...wrong } });
    assert.equal(expectResponse(response, 422).error.details.field, field, JSON.stringify(wrong));
  }
  assert.deepEqual(expectResponse(await api('GET', hooksOf(tenant), { key }), 200).data, []);
});

test('a project has five hooks; the next is refused, also of ten at the same time', async () => {
  const tenant = await makeTenant(server);
  const body = { url: `${customer.url}/policy`, points: ['before'] };
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => api('POST', hooksOf(tenant), { key: tenant.keys.admin, body })),
  );
  assert.equal(responses.filter(({ status }) => status === 201).length, 5);
  for (const { status, body } of responses)
    if (status !== 201) assert.deepEqual([status, body.error.code], [409, 'LIMIT_REACHED']);
});

test('a request to a hook is signed like a tool call, and after a rotation by both secrets until the overlap ends', async () => {
  const tenant = await makeTenant(server);
  const { admin: key } = tenant.keys;
  const tool = await makeTool(server, tenant.keys.write, customer);
  const made = await hook(tenant, {});
  const ask = async () => {
    expectResponse(await execute(server, tenant.keys.read, tool.id), 200);
    return customer.at(made.path).at(-1) as ReceivedRequest;
  };
  const first = await ask();
  const { projectId, requestId } = await verify(first, made.secret);
  assert.equal(projectId, tenant.id);
  assert.equal(requestId, JSON.parse(first.body.toString()).call_id);
  await assert.rejects(verify({ ...first, body: Buffer.from(`${first.body} `) }, made.secret));

  const rotate = `${hooksOf(tenant)}/${made.id}/rotate-secret`;
  const { secret, ...rotated } = expectResponse(await api('POST', rotate, { key }), 201);
  assert.ok(rotated.previous_secret_ends_at !== null && secret !== made.secret);
  const second = await ask();
  for (const each of [secret, made.secret]) await verify(second, each);

  const again = expectResponse(await api('POST', rotate, { key, body: { overlap_seconds: 0 } }), 201);
  assert.equal(again.previous_secret_ends_at, null);
  const third = await ask();
  await verify(third, again.secret);
  for (const each of [secret, made.secret]) await assert.rejects(verify(third, each));
  expectResponse(await api('POST', rotate, { key: tenant.keys.webhook }), 403);
});

test('a hook is asked about the tools that it matches, and about no others', async () => {
  const tenant = await makeTenant(server);
  const { admin: key, write } = tenant.keys;
  const tool = (fields: object = {}) => makeTool(server, write, customer, fields);
  const [named, tagged, grouped, other] = [await tool(), await tool({ tags: ['pay'] }), await tool(), await tool()];
  const { slug, id: toolset_id } = await makeToolset(server, tenant.id, { tool_ids: [grouped.id] });
  const made = await hook(tenant, { match: { tool_ids: [named.id] } });
  const path = `${hooksOf(tenant)}/${made.id}`;
  const asked = async () => {
    const before = customer.at(made.path).length;
    for (const { id } of [named, tagged, grouped, other])
      expectResponse(await execute(server, tenant.keys.read, id), 200);
    const bodies = customer.at(made.path).slice(before);
    return bodies.map(({ body }) => JSON.parse(body.toString()).tool.id);
  };
  const match = async (value: unknown) =>
    assert.deepEqual(expectResponse(await api('PATCH', path, { key, body: { match: value } }), 200).match, value);
  assert.deepEqual(await asked(), [named.id]);
  await match({ tags: ['pay', 'none'] });
  assert.deepEqual(await asked(), [tagged.id]);
  await match({ toolset: slug });
  assert.deepEqual(await asked(), [grouped.id]);
  await match(null);
  assert.deepEqual(await asked(), [named.id, tagged.id, grouped.id, other.id]);
  expectResponse(await api('PATCH', path, { key, body: { is_enabled: false } }), 200);
  assert.deepEqual(await asked(), []);

  // A toolset or tools that are deleted leave a hook that matches nothing, never one that matches everything.
  expectResponse(await api('PATCH', path, { key, body: { is_enabled: true, match: { toolset: slug } } }), 200);
  const toolset = `/projects/${tenant.id}/toolsets/${toolset_id}`;
  const { details } = expectResponse(await api('DELETE', toolset, { key: write }), 409).error;
  assert.deepEqual(details.hook_ids, [made.id]);
  expectResponse(await api('DELETE', `${toolset}?detach=true`, { key: write }), 403);
  expectResponse(await api('DELETE', `${toolset}?detach=true`, { key }), 204);
  assert.deepEqual(expectResponse(await api('GET', path, { key }), 200).match, { tool_ids: [] });
  await match({ tool_ids: [named.id] });
  expectResponse(await api('DELETE', `/custom-tools/${named.id}`, { key }), 204);
  assert.deepEqual(expectResponse(await api('GET', path, { key }), 200).match, { tool_ids: [] });
  expectResponse(await execute(server, tenant.keys.read, other.id), 200);
});
