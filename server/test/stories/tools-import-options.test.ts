// What an import can be asked for: which operations, what all tools get, what happens to names in use, a dry run, a form.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectResponse, makeTenant, unique } from '../support/make/make.ts';
import { startServer } from '../support/servers/start-server.ts';

const server = await startServer();

const shop = {
  openapi: '3.1.0',
  servers: [{ url: 'https://shop.example.com' }],
  paths: {
    '/orders': {
      get: { operationId: 'listOrders', tags: ['orders'] },
      post: { operationId: 'createOrder', tags: ['orders', 'changes'] },
    },
    '/orders/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: { operationId: 'getOrder', tags: ['orders'] },
      delete: { operationId: 'deleteOrder', tags: ['changes'] },
    },
    '/health': { get: { operationId: 'getHealth' }, head: {} },
  },
};
const summarized = (summary: string) => ({
  ...shop,
  paths: { '/orders': { get: { ...shop.paths['/orders'].get, summary } }, '/new': { get: { operationId: 'getNew' } } },
});

const importInto = (key: string, options: object, document: unknown = shop, headers = {}) =>
  server.api('POST', '/custom-tools/import', { key, body: { document, ...options }, headers });
const namesOf = (tools: { name: string }[]) => tools.map(({ name }) => name);
const listed = async (key: string) =>
  expectResponse(await server.api('GET', '/custom-tools?limit=100', { key }), 200).data as any[];

test('include and exclude select operations by tag, path, method and operationId', async () => {
  const selected = async (options: object) => {
    const { keys } = await makeTenant(server);
    const { created, skipped, not_selected } = expectResponse(await importInto(keys.write, options), 201);
    assert.equal(created.length + skipped.length + not_selected, 6);
    return namesOf(created);
  };
  assert.deepEqual(await selected({ include: [{ tag: 'orders' }] }), ['listOrders', 'createOrder', 'getOrder']);
  assert.deepEqual(await selected({ include: [{ tag: 'orders', method: 'GET' }, { path: '/health' }] }), [
    'listOrders',
    'getOrder',
    'getHealth',
  ]);
  assert.deepEqual(await selected({ include: [{ path: '/orders*' }], exclude: [{ tag: 'changes' }] }), [
    'listOrders',
    'getOrder',
  ]);
  assert.deepEqual(await selected({ exclude: [{ operation_id: '*Order*' }, { method: 'head' }] }), ['getHealth']);
});

test('tool_names imports exactly the tools that a dry run showed, with the same names', async () => {
  const { keys } = await makeTenant(server);
  const shown = expectResponse(await importInto(keys.write, { dry_run: true }), 200);
  const tool_names = [namesOf(shown.created)[1], namesOf(shown.created)[3]];
  const { created, not_selected } = expectResponse(await importInto(keys.write, { tool_names }), 201);
  assert.deepEqual(namesOf(created), tool_names);
  assert.equal(not_selected, 4);
  const form = new FormData();
  form.set('document', JSON.stringify(shop));
  form.set('tool_names', JSON.stringify(['getHealth']));
  const response = await fetch(`${server.url}/api/v1/custom-tools/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.write}` },
    body: form,
  });
  assert.deepEqual(namesOf(((await response.json()) as any).created), ['getHealth']);
});

test('each tool of the answer has the tags of its operation, each once, bounded', async () => {
  const { keys } = await makeTenant(server);
  const many = Array.from({ length: 30 }, (_, at) => `tag ${at}`);
  const document = {
    ...shop,
    paths: {
      ...shop.paths,
      '/many': { get: { operationId: 'getMany', tags: ['a', 'a', 7, 'x'.repeat(999), ...many] } },
    },
  };
  const dry = expectResponse(await importInto(keys.write, { dry_run: true }, document), 200);
  const tagsOf = (tools: any[]) => Object.fromEntries(tools.map(({ name, tags }) => [name, tags]));
  const expected = {
    listOrders: ['orders'],
    createOrder: ['orders', 'changes'],
    getOrder: ['orders'],
    deleteOrder: ['changes'],
    getHealth: [],
    getMany: ['a', 'x'.repeat(100), ...many.slice(0, 8)],
  };
  assert.deepEqual(tagsOf(dry.created), expected);
  assert.deepEqual(tagsOf(expectResponse(await importInto(keys.write, {}, document), 201).created), expected);
  const again = expectResponse(
    await importInto(keys.write, { on_conflict: 'update', require_member: true }, document),
    201,
  );
  assert.deepEqual(tagsOf(again.updated), expected);
});

test('context_in is that of all tools; a second import without it leaves each as it is', async () => {
  const { keys } = await makeTenant(server);
  const contexts = async () => [...new Set((await listed(keys.read)).map(({ context_in }) => context_in))];
  expectResponse(await importInto(keys.write, { context_in: 'headers' }), 201);
  assert.deepEqual(await contexts(), ['headers']);
  const same = expectResponse(await importInto(keys.write, { on_conflict: 'update' }), 201);
  assert.deepEqual([same.updated, same.unchanged.length], [[], 5]);
  const { updated } = expectResponse(
    await importInto(keys.write, { on_conflict: 'update', context_in: 'arguments' }),
    201,
  );
  assert.deepEqual(updated[0].changed_fields, ['context_in']);
  assert.deepEqual(await contexts(), ['arguments']);
  const refused = await importInto(keys.write, { context_in: 'body' });
  assert.deepEqual([refused.status, refused.body.error.details.field], [422, 'context_in']);
});

test('what is asked for all tools is in all of them, and the secret is kept and not shown', async () => {
  const { keys } = await makeTenant(server);
  const options = {
    base_url: 'https://staging.example.com',
    auth_strategy: 'api_key_header',
    auth_config: { header_name: 'X-Shop-Key' },
    encrypted_auth_secret: 'sesame-of-the-shop',
    is_enabled: true,
    require_member: true,
  };
  const response = await importInto(keys.write, options);
  expectResponse(response, 201);
  const tools = await listed(keys.read);
  assert.equal(tools.length, 5);
  const { encrypted_auth_secret, ...shown } = options;
  for (const tool of tools) {
    assert.equal(tool.has_auth_secret, true);
    for (const [field, value] of Object.entries(shown)) assert.deepEqual(tool[field], value, field);
  }
  assert.ok(!response.text.includes(encrypted_auth_secret));
  assert.ok(!JSON.stringify(tools).includes(encrypted_auth_secret));
});

const wrongOptions: [options: object, status: number, field: string][] = [
  [{ base_url: 'http://shop.example.com' }, 400, 'base_url'],
  [{ base_url: 'https://shop.example.com/v1' }, 400, 'base_url'],
  [{ auth_strategy: 'hmac_signature' }, 400, 'encrypted_auth_secret'],
  [{ auth_strategy: 'basic', encrypted_auth_secret: 'no-colon' }, 422, 'encrypted_auth_secret'],
  [{ auth_config: { header_name: 'X-A' } }, 422, 'auth_config.header_name'],
  [{ include: [] }, 422, 'include'],
  [{ include: [{}] }, 422, 'include.0'],
  [{ exclude: [{ color: 'red' }] }, 422, 'exclude.0.color'],
  [{ on_conflict: 'rename' }, 422, 'on_conflict'],
  [{ dry_run: 'yes' }, 422, 'dry_run'],
  [{ color: 'red' }, 422, 'color'],
];
test('an option that no tool could have is refused once, with its name, and makes nothing', async () => {
  const { keys } = await makeTenant(server);
  for (const [options, status, field] of wrongOptions)
    assert.equal(expectResponse(await importInto(keys.write, options), status).error.details.field, field);
  expectResponse(await importInto(keys.read, {}), 403);
  assert.deepEqual(await listed(keys.read), []);
});

test('an import whose names are in use is refused, lists all of them and makes nothing', async () => {
  const { keys } = await makeTenant(server);
  expectResponse(await importInto(keys.write, { include: [{ tag: 'orders', method: 'get' }] }), 201);
  const { error } = expectResponse(await importInto(keys.write, {}), 409, 'Name already exists for this project');
  assert.deepEqual(error.details.conflicts, ['listOrders', 'getOrder']);
  assert.match(error.details.remedy, /on_conflict/);
  assert.equal((await listed(keys.read)).length, 2);
});

test('on_conflict skip leaves the tools of these names as they are and makes the others', async () => {
  const { keys } = await makeTenant(server);
  expectResponse(await importInto(keys.write, {}), 201);
  const before = (await listed(keys.read)).find(({ name }) => name === 'listOrders');
  const response = await importInto(keys.write, { on_conflict: 'skip' }, summarized('Other'));
  const { created, updated, skipped } = expectResponse(response, 201);
  assert.deepEqual([namesOf(created), updated], [['getNew'], []]);
  assert.match(skipped[0].reason, /already has a tool named listOrders/);
  const after = (await listed(keys.read)).find(({ name }) => name === 'listOrders');
  assert.deepEqual(after, before);
});

test('on_conflict update changes what the document says and keeps the rest; what is the same gets no version', async () => {
  const { id: project_id, keys } = await makeTenant(server);
  const secret = { auth_strategy: 'bearer_token', encrypted_auth_secret: 'sesame' };
  expectResponse(await importInto(keys.write, { ...secret, is_enabled: true }, summarized('One')), 201);
  const [tool] = (await listed(keys.read)).filter(({ name }) => name === 'listOrders');
  const body = { timeout_ms: 5_000, headers: { 'X-A': 'b' } };
  expectResponse(await server.api('PATCH', `/custom-tools/${tool.id}`, { key: keys.write, body }), 200);

  const again = await importInto(keys.write, { on_conflict: 'update' }, summarized('Two'));
  const { created, updated, unchanged, skipped } = expectResponse(again, 201);
  assert.deepEqual([created, namesOf(updated), namesOf(unchanged), skipped], [[], ['listOrders'], ['getNew'], []]);
  assert.deepEqual(updated[0].changed_fields, ['title', 'description']);
  assert.equal(unchanged[0].version, 1);
  const changed = (await listed(keys.read)).find(({ name }) => name === 'listOrders');
  assert.deepEqual(
    [changed.title, changed.id, changed.version, changed.timeout_ms, changed.headers, changed.auth_strategy],
    ['Two', tool.id, 3, 5_000, { 'X-A': 'b' }, 'bearer_token'],
  );
  assert.deepEqual([changed.is_enabled, changed.has_auth_secret], [true, true]);

  const same = await importInto(keys.write, { ...secret, on_conflict: 'update' }, summarized('Two'));
  assert.deepEqual([same.body.updated, same.body.unchanged.length], [[], 2], 'also with the same secret');
  const moved = { on_conflict: 'update', base_url: 'https://elsewhere.example.com' };
  const refused = expectResponse(await importInto(keys.write, moved, summarized('Two')), 201);
  assert.match(refused.skipped[0].reason, /encrypted_auth_secret: must be sent again when base_url changes/);

  await server.runJobs();
  const events = expectResponse(
    await server.api('GET', `/projects/${project_id}/events`, { key: keys.read }),
    200,
  ).data;
  const ofTool = events.filter(({ data }: any) => data.id === tool.id).map(({ type }: any) => type);
  assert.deepEqual(ofTool, ['custom_tool.updated', 'custom_tool.updated', 'custom_tool.created']);
});

test('a dry run answers what the import would, and changes nothing', async () => {
  const { id: project_id, keys } = await makeTenant(server);
  expectResponse(await importInto(keys.write, {}, summarized('One')), 201);
  const before = await listed(keys.read);
  const options = { on_conflict: 'update', is_enabled: true };
  const dry = expectResponse(await importInto(keys.write, { ...options, dry_run: true }), 200);
  assert.deepEqual(await listed(keys.read), before);
  const events = await server.api('GET', `/projects/${project_id}/events`, { key: keys.read });
  assert.equal(events.body.data.filter(({ type }: any) => type.startsWith('custom_tool')).length, 2);
  const conflict = await importInto(keys.write, { dry_run: true });
  assert.deepEqual(expectResponse(conflict, 409).error.details.conflicts, ['listOrders']);

  const real = expectResponse(await importInto(keys.write, options), 201);
  assert.equal(dry.dry_run, true);
  assert.ok(dry.created.every(({ id }: any) => id === null));
  const withoutIds = ({ created, ...rest }: any) => ({
    ...rest,
    created: created.map((tool: any) => ({ ...tool, id: null })),
  });
  assert.deepEqual({ ...withoutIds(real), dry_run: true }, dry);
});

test('the text of a document may be JSON or YAML', async () => {
  const made = async (document: string) => {
    const { keys } = await makeTenant(server);
    return namesOf(expectResponse(await importInto(keys.write, {}, document), 201).created);
  };
  const yaml = `# a comment
openapi: 3.1.0
servers:
  - url: https://shop.example.com
paths:
  /orders:
    get: &list
      operationId: listOrders
      responses:
        200: {description: ok}
  /old-orders: {get: *list}
`;
  assert.deepEqual(await made(yaml), ['listOrders', 'listOrders_2']);
  assert.deepEqual((await made(JSON.stringify(shop))).length, 5);
});

test('a text that is no document is 422', async () => {
  const { keys } = await makeTenant(server);
  for (const text of ['', '{', '{"a":1,"a":2}', 'a: [', 'a: 1\na: 2', '- a', '!!js/function x', 'x'.repeat(1_000)]) {
    const { error } = expectResponse(await importInto(keys.write, {}, text), 422);
    assert.match(error.details.field, /^document/, text.slice(0, 20));
  }
  expectResponse(await importInto(keys.write, {}, `${'['.repeat(5_000)}`), 422);
});

function form(fields: Record<string, string | Blob>) {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return data;
}

async function sendForm(key: string, data: FormData, headers = {}) {
  const response = await fetch(`${server.url}/api/v1/custom-tools/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...headers },
    body: data,
  });
  return { status: response.status, headers: response.headers, text: '', body: (await response.json()) as any };
}

test('a form takes the document as a file and the options as text', async () => {
  const { keys } = await makeTenant(server);
  const file = new Blob([JSON.stringify(shop)], { type: 'application/json' });
  const fields = { document: file, include: '[{"tag":"changes"}]', is_enabled: 'true', on_conflict: 'skip' };
  const { created } = expectResponse(await sendForm(keys.write, form(fields)), 201);
  assert.deepEqual(
    created.map(({ name, is_enabled }: any) => [name, is_enabled]),
    [
      ['createOrder', true],
      ['deleteOrder', true],
    ],
  );
});

test('a form that is wrong is refused with the field named', async () => {
  const { keys } = await makeTenant(server);
  const document = JSON.stringify(shop);
  const field = async (data: FormData) => expectResponse(await sendForm(keys.write, data), 422).error.details.field;
  const twice = form({ document });
  twice.append('document', document);
  assert.equal(await field(twice), 'document');
  assert.equal(await field(form({})), 'document');
  assert.equal(await field(form({ document, include: '[{' })), 'include');
  assert.equal(await field(form({ document, dry_run: 'maybe' })), 'dry_run');
  const broken = await server.api('POST', '/custom-tools/import', {
    key: keys.write,
    body: 'no form',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  });
  expectResponse(broken, 400, 'Malformed request');
  const plain = { key: keys.write, body: 'x', headers: { 'content-type': 'text/plain' } };
  expectResponse(await server.api('POST', '/custom-tools/import', plain), 415);
});

test('a retry with the same Idempotency-Key gets the first answer, also where a form has another boundary', async () => {
  const { keys } = await makeTenant(server);
  const headers = { 'idempotency-key': unique('import') };
  const send = (more = {}) => sendForm(keys.write, form({ document: JSON.stringify(shop), ...more }), headers);
  const first = await send();
  const second = await send();
  assert.equal(second.headers.get('idempotent-replayed'), 'true');
  assert.deepEqual(expectResponse(second, 201), expectResponse(first, 201));
  expectResponse(await send({ is_enabled: 'true' }), 422, 'Idempotency key was used with another request');
});
