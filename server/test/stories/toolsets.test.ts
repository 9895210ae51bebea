// Toolsets as a resource: what is in one, how it changes with the tools of the project, and what is refused.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectResponse, makeKey, makeTenant, unique } from '../support/make/make.ts';
import { makeIntegration } from '../support/make/make-members.ts';
import { execute, makeTool, toolFields } from '../support/make/make-tools.ts';
import { makeToolset } from '../support/make/make-toolset.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { api } = server;
const tenant = await makeTenant(server);
const base = `/projects/${tenant.id}/toolsets`;
const make = (fields: object = {}) => makeToolset(server, tenant.id, fields);
const tool = (fields: object = {}) => makeTool(server, tenant.keys.write, customer, fields);
const read = async (id: string) => expectResponse(await api('GET', `${base}/${id}`, { key: tenant.keys.read }), 200);
const patchTool = async (id: string, body: object) =>
  expectResponse(await api('PATCH', `/custom-tools/${id}`, { key: tenant.keys.write, body }), 200);

/** The names of the tools that are in a toolset, as a key that is narrowed to it explains. */
async function toolsIn(toolset_id: string): Promise<string[]> {
  const key = await makeKey(server, tenant.id, ['read'], { toolset_ids: [toolset_id] });
  const path = `/projects/${tenant.id}/effective-tools?api_key_id=${key.id}&limit=100`;
  const { data } = expectResponse(await api('GET', path, { key: tenant.keys.read }), 200);
  return data
    .filter(({ toolset_ids }: { toolset_ids: string[] }) => toolset_ids.includes(toolset_id))
    .map(({ name }: { name: string }) => name)
    .sort();
}

/** What was done to it, newest first. */
async function auditActions(id: string): Promise<string[]> {
  const { data } = expectResponse(
    await api('GET', `/projects/${tenant.id}/audit-log`, { key: tenant.keys.admin }),
    200,
  );
  return data
    .filter(({ target_id }: { target_id: string }) => target_id === id)
    .map(({ action }: { action: string }) => action);
}

test('a toolset is created, read, listed, changed and deleted, with an event and an audit entry each', async () => {
  const { id: tool_id } = await tool();
  const slug = unique('support');
  const body = { slug, name: 'Support', description: 'What support may do', tool_ids: [tool_id] };
  const created = expectResponse(await api('POST', base, { key: tenant.keys.write, body }), 201);
  assert.deepEqual(
    { ...created, created_at: null, updated_at: null, created_by: null },
    {
      object: 'toolset',
      id: created.id,
      project_id: tenant.id,
      ...body,
      tags: [],
      only: null,
      grant: 'never',
      exposure: 'list',
      pinned_tool_ids: [],
      tool_count: 1,
      created_at: null,
      updated_at: null,
      created_by: null,
    },
  );
  assert.match(created.id, /^tst_[0-9A-Za-z]{22}$/);
  assert.deepEqual(await read(created.id), created);
  const listed = expectResponse(await api('GET', base, { key: tenant.keys.read }), 200);
  assert.deepEqual(listed.data[0], created);
  const change = { name: 'Staff', tool_ids: [] };
  const changed = expectResponse(
    await api('PATCH', `${base}/${created.id}`, { key: tenant.keys.write, body: change }),
    200,
  );
  assert.deepEqual([changed.name, changed.tool_ids, changed.tool_count, changed.slug], ['Staff', [], 0, slug]);
  expectResponse(await api('DELETE', `${base}/${created.id}`, { key: tenant.keys.write }), 204);
  expectResponse(await api('GET', `${base}/${created.id}`, { key: tenant.keys.read }), 404);
  const actions = ['toolset.deleted', 'toolset.updated', 'toolset.created'];
  assert.deepEqual(await auditActions(created.id), actions);
  const events = expectResponse(await api('GET', `/projects/${tenant.id}/events`, { key: tenant.keys.admin }), 200);
  assert.deepEqual(
    events.data
      .filter(({ data }: { data: { id: string } }) => data.id === created.id)
      .map(({ type }: { type: string }) => type),
    actions,
  );
});

test('a tag puts every tool that has it into the toolset, also tools that are tagged later', async () => {
  const tag = unique('orders');
  const first = await tool({ tags: [tag] });
  const { id } = await make({ tags: [tag] });
  assert.deepEqual(await toolsIn(id), [first.name]);
  const second = await tool({ tags: ['other', tag] });
  const third = await tool();
  assert.deepEqual(await toolsIn(id), [first.name, second.name].sort());
  await patchTool(third.id, { tags: [tag] });
  await patchTool(first.id, { tags: [] });
  assert.deepEqual(await toolsIn(id), [second.name, third.name].sort());
  assert.equal((await read(id)).tool_count, 2);
});

test('a tag that is added while a toolset of that tag is created is not missed', async () => {
  for (let round = 0; round < 10; round += 1) {
    const tag = unique('race');
    const { id, name } = await tool();
    const [, made] = await Promise.all([patchTool(id, { tags: [tag] }), make({ tags: [tag] })]);
    assert.deepEqual(await toolsIn(made.id), [name], `round ${round}`);
  }
});

test('only read-only tools are in a toolset that says so, for as long as they are', async () => {
  const tag = unique('reports');
  const reading = await tool({ tags: [tag], annotations: { readOnlyHint: true } });
  const writing = await tool({ tags: [tag] });
  const { id } = await make({ tags: [tag], only: 'read_only' });
  assert.deepEqual(await toolsIn(id), [reading.name]);
  await patchTool(writing.id, { annotations: { readOnlyHint: true } });
  await patchTool(reading.id, { annotations: { readOnlyHint: false } });
  assert.deepEqual(await toolsIn(id), [writing.name]);
});

test('when a tool joined a toolset, and since when it can change something there, is kept', async () => {
  const { id: tool_id } = await tool({ annotations: { readOnlyHint: true } });
  const { id } = await make({ tool_ids: [tool_id] });
  const row = () =>
    server.app.database
      .selectFrom('toolset_tools')
      .select(['joined_at', 'writable_since'])
      .where('toolset_id', '=', id)
      .executeTakeFirstOrThrow();
  const joined = await row();
  assert.equal(joined.writable_since, null);
  await patchTool(tool_id, { annotations: null });
  const writable = await row();
  assert.equal(writable.joined_at, joined.joined_at);
  assert.ok(Date.parse(writable.writable_since as string) >= Date.parse(joined.joined_at));
  await patchTool(tool_id, { description: 'changed' });
  expectResponse(await api('PATCH', `${base}/${id}`, { key: ROOT_KEY, body: { name: 'Renamed' } }), 200);
  assert.deepEqual(await row(), writable);
});

test('a deleted tool leaves its toolsets, and is pinned nowhere', async () => {
  const [kept, deleted] = [await tool(), await tool()];
  const { id } = await make({ tool_ids: [deleted.id, kept.id] });
  const pinned = await make({ pinned_tool_ids: [kept.id, deleted.id] });
  expectResponse(await api('DELETE', `/custom-tools/${deleted.id}`, { key: tenant.keys.admin }), 204);
  const { tool_ids, tool_count } = await read(id);
  assert.deepEqual([tool_ids, tool_count], [[kept.id], 1]);
  assert.deepEqual((await read(pinned.id)).pinned_tool_ids, [kept.id]);
});

test('two people who change a toolset lose nothing: other fields stay, and who expects an older one is told', async () => {
  const made = await make();
  const change = (body: object) => api('PATCH', `${base}/${made.id}`, { key: tenant.keys.write, body });
  const both = await Promise.all([change({ name: 'Theirs' }), change({ description: 'Mine' })]);
  for (const response of both) expectResponse(response, 200);
  const now = await read(made.id);
  assert.deepEqual([now.name, now.description], ['Theirs', 'Mine']);
  const { id: tool_id } = await tool();
  const expected = { tool_ids: [tool_id], expected_updated_at: now.updated_at };
  const responses = await Promise.all([change(expected), change({ ...expected, tool_ids: [] })]);
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 409]);
  const [refused] = responses.filter(({ status }) => status === 409);
  assert.equal(refused?.body.error.code, 'TOOLSET_CHANGED');
  const [saved] = responses.filter(({ status }) => status === 200);
  assert.deepEqual(await read(made.id), saved?.body);
  const wrong = await change({ name: 'x', expected_updated_at: 'yesterday' });
  assert.equal(expectResponse(wrong, 422).error.details.field, 'expected_updated_at');
});

test('grant, exposure and pinned tools are changed one by one; pinning a tool does not put it into the toolset', async () => {
  const [inside, outside] = [await tool(), await tool()];
  const made = await make({ tool_ids: [inside.id], grant: 'baseline', exposure: 'search' });
  assert.deepEqual([made.grant, made.exposure, made.pinned_tool_ids], ['baseline', 'search', []]);
  const change = async (body: object) =>
    expectResponse(await api('PATCH', `${base}/${made.id}`, { key: tenant.keys.write, body }), 200);
  const pinned_tool_ids = [outside.id, inside.id];
  const pinned = await change({ pinned_tool_ids });
  assert.deepEqual([pinned.pinned_tool_ids, pinned.tool_count], [pinned_tool_ids, 1]);
  assert.deepEqual(await toolsIn(made.id), [inside.name]);
  const changed = await change({ grant: 'on_request' });
  assert.deepEqual(
    [changed.grant, changed.exposure, changed.pinned_tool_ids],
    ['on_request', 'search', pinned_tool_ids],
  );
  assert.equal((await change({ exposure: 'list' })).exposure, 'list');
});

test('tags are no part of the definition: a change of them is an update and no new version', async () => {
  const { id, version, definition_hash } = await tool();
  const changed = await patchTool(id, { tags: ['one', 'two'] });
  assert.deepEqual(
    [changed.tags, changed.version, changed.definition_hash],
    [['one', 'two'], version, definition_hash],
  );
  assert.equal((await auditActions(id))[0], 'custom_tool.updated');
  const { data: found } = expectResponse(await api('GET', '/custom-tools?tag=two', { key: tenant.keys.read }), 200);
  assert.deepEqual(
    found.map((each: { id: string }) => each.id),
    [id],
  );
});

test('an import gives new tools the tags of the document, made to fit, and leaves those of others', async () => {
  const name = unique('listOrders');
  const operation = (tags: string[]) => ({
    openapi: '3.0.3',
    servers: [{ url: customer.url }],
    paths: { '/orders': { get: { operationId: name, tags } } },
  });
  const body = { document: operation(['Order & Returns', 'Ünïcode', '!!!', 'x'.repeat(60)]) };
  expectResponse(await api('POST', '/custom-tools/import', { key: tenant.keys.write, body }), 201);
  const tags = async () =>
    expectResponse(await api('GET', `/custom-tools/${name}`, { key: tenant.keys.read }), 200).tags;
  assert.deepEqual(await tags(), ['order-returns', 'unicode', 'x'.repeat(40)]);
  const again = { document: operation(['changed']), on_conflict: 'update' };
  expectResponse(await api('POST', '/custom-tools/import', { key: tenant.keys.write, body: again }), 201);
  assert.deepEqual(await tags(), ['order-returns', 'unicode', 'x'.repeat(40)]);
});

test('a copy of a tool has its definition, tags and secret, its own name, version 1, and is disabled', async () => {
  const original = await tool({ auth_strategy: 'bearer_token', encrypted_auth_secret: 'secret-7', tags: ['one'] });
  const name = unique('copy');
  const path = `/custom-tools/${original.id}/duplicate`;
  const copy = expectResponse(await api('POST', path, { key: tenant.keys.write, body: { name } }), 201);
  assert.deepEqual([copy.name, copy.version, copy.is_enabled, copy.has_auth_secret], [name, 1, false, true]);
  assert.deepEqual([copy.base_url, copy.tags], [original.base_url, ['one']]);
  expectResponse(await api('POST', `/custom-tools/${copy.id}/enable`, { key: tenant.keys.write }), 200);
  expectResponse(await execute(server, tenant.keys.read, name), 200);
  assert.equal(customer.at(original.endpoint_path).at(-1)?.headers.authorization, 'Bearer secret-7');
  expectResponse(await api('POST', path, { key: tenant.keys.write, body: { name } }), 409);
  expectResponse(await api('POST', path, { key: tenant.keys.read, body: { name: unique('copy') } }), 403);
});

test('a toolset that is assigned cannot be deleted; with detach it is taken out, and an empty list stays empty', async () => {
  const [one, other] = [await make(), await make()];
  const narrow = await makeKey(server, tenant.id, ['read'], { toolset_ids: [one.id] });
  const both = await makeIntegration(server, tenant.id, { toolset_ids: [one.id, other.id] });
  const refused = expectResponse(await api('DELETE', `${base}/${one.id}`, { key: tenant.keys.write }), 409);
  assert.equal(refused.error.code, 'TOOLSET_IN_USE');
  assert.deepEqual(refused.error.details.api_key_ids, [narrow.id]);
  assert.deepEqual(refused.error.details.integration_ids, [both.id]);
  expectResponse(await api('DELETE', `${base}/${one.id}?detach=true`, { key: tenant.keys.write }), 204);
  const toolsetsAt = async (path: string) =>
    expectResponse(await api('GET', `/projects/${tenant.id}/${path}`, { key: tenant.keys.admin }), 200).toolset_ids;
  assert.deepEqual(await toolsetsAt(`api-keys/${narrow.id}`), []);
  assert.deepEqual(await toolsetsAt(`integrations/${both.id}`), [other.id]);
});

const invalid: [string, object, string][] = [
  ['a slug with capitals', { slug: 'Support' }, 'slug'],
  ['a slug of 41 characters', { slug: 'a'.repeat(41) }, 'slug'],
  ['501 tools', { tool_ids: Array.from({ length: 501 }, (_, at) => `tool_${at}`) }, 'tool_ids'],
  ['an unknown tool', { tool_ids: ['tool_7kPm3zWdHs9vXc1QnT6yRb'] }, 'tool_ids.0'],
  ['NUL in the id of a tool', { tool_ids: ['tool_\0'] }, 'tool_ids.0'],
  ['a tool twice', { tool_ids: ['tool_a', 'tool_a'] }, 'tool_ids'],
  ['21 pinned tools', { pinned_tool_ids: Array.from({ length: 21 }, (_, at) => `tool_${at}`) }, 'pinned_tool_ids'],
  ['an unknown pinned tool', { pinned_tool_ids: ['tool_7kPm3zWdHs9vXc1QnT6yRb'] }, 'pinned_tool_ids.0'],
  ['NUL in the id of a pinned tool', { pinned_tool_ids: ['tool_\0'] }, 'pinned_tool_ids.0'],
  ['a pinned tool twice', { pinned_tool_ids: ['tool_a', 'tool_a'] }, 'pinned_tool_ids'],
  ['an unknown grant', { grant: 'always' }, 'grant'],
  ['an unknown exposure', { exposure: 'hidden' }, 'exposure'],
  ['21 tags', { tags: Array.from({ length: 21 }, (_, at) => `t${at}`) }, 'tags'],
  ['a tag with a space', { tags: ['a b'] }, 'tags.0'],
  ['an unknown filter', { only: 'writable' }, 'only'],
  ['a description of 513 characters', { description: 'x'.repeat(513) }, 'description'],
  ['a field that does not exist', { tools: [] }, 'tools'],
];
for (const [what, fields, field] of invalid)
  test(`${what} is 422 with the field ${field}, and nothing is created`, async () => {
    const before = expectResponse(await api('GET', `${base}?limit=100`, { key: tenant.keys.read }), 200).data.length;
    const body = { slug: unique('slug'), name: 'x', ...fields };
    const refused = expectResponse(await api('POST', base, { key: tenant.keys.write, body }), 422);
    assert.equal(refused.error.details.field, field);
    const after = expectResponse(await api('GET', `${base}?limit=100`, { key: tenant.keys.read }), 200).data.length;
    assert.equal(after, before);
  });

test('a slug is taken once in a project, also by two requests at once, and never changes', async () => {
  const slug = unique('slug');
  const create = () => api('POST', base, { key: tenant.keys.write, body: { slug, name: 'x' } });
  const statuses = (await Promise.all([create(), create()])).map(({ status }) => status).sort();
  assert.deepEqual(statuses, [201, 409]);
  assert.equal(expectResponse(await create(), 409).error.code, 'SLUG_TAKEN');
  const other = await make();
  const change = await api('PATCH', `${base}/${other.id}`, { key: tenant.keys.write, body: { slug: unique('slug') } });
  assert.equal(expectResponse(change, 422).error.details.field, 'slug');
});

test('a tool or toolset of another project is unknown', async () => {
  const stranger = await makeTenant(server);
  const foreign = await makeTool(server, stranger.keys.write, customer);
  const body = { slug: unique('slug'), name: 'x', tool_ids: [foreign.id] };
  assert.equal(
    expectResponse(await api('POST', base, { key: tenant.keys.write, body }), 422).error.details.field,
    'tool_ids.0',
  );
  const { id } = await make();
  expectResponse(await api('GET', `/projects/${stranger.id}/toolsets/${id}`, { key: stranger.keys.admin }), 404);
  const key = { name: 'x', permissions: ['read'], toolset_ids: [id] };
  const refused = await api('POST', `/projects/${stranger.id}/api-keys`, { key: stranger.keys.admin, body: key });
  assert.equal(expectResponse(refused, 422).error.details.field, 'toolset_ids.0');
});

test('a project has at most 100 toolsets', async () => {
  const full = await makeTenant(server);
  for (let made = 0; made < 100; made += 1) await makeToolset(server, full.id);
  const body = { slug: unique('slug'), name: 'one too many' };
  const refused = await api('POST', `/projects/${full.id}/toolsets`, { key: full.keys.write, body });
  assert.equal(expectResponse(refused, 409).error.code, 'LIMIT_REACHED');
});

test('ten tags on a tool are stored, eleven are 422', async () => {
  const tags = Array.from({ length: 11 }, (_, at) => `tag${at}`);
  const send = (given: string[]) =>
    api('POST', '/custom-tools', { key: tenant.keys.write, body: toolFields(customer.url, { tags: given }) });
  expectResponse(await send(tags.slice(0, 10)), 201);
  assert.equal(expectResponse(await send(tags), 422).error.details.field, 'tags');
});
