// Mistakes of a first hour: each answer says which rule was broken and what to do.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { reasonRows } from '@toolgate/contract/errors.ts';
import { callTool, revisionSenders } from '../mcp/rpc.ts';
import { expectResponse, makeTenant, unique } from '../support/make/make.ts';
import { execute, makeTool, toolFields } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { id: project_id, keys } = await makeTenant(server, { plan: 'pro' });
const { api } = server;

test('{id} in a path is told to be written {{id}}', async () => {
  const body = toolFields(customer.url, { endpoint_path: '/orders/{id}' });
  const { error } = expectResponse(await api('POST', '/custom-tools', { key: keys.write, body }), 422);
  assert.equal(error.details.field, 'endpoint_path');
  assert.equal(error.details.reason, 'placeholder_in_single_braces');
  assert.match(error.details.remedy, /\{\{id\}\}/);
});

test('arguments beside the member arguments are told to go into it', async () => {
  const tool = await makeTool(server, keys.write, customer);
  const body = { city: 'Oslo', days: 3 };
  const response = await api('POST', `/custom-tools/${tool.id}/execute`, { key: keys.read, body });
  const { details } = expectResponse(response, 422, 'Validation error').error;
  assert.deepEqual([details.field, details.reason], ['city', 'arguments_not_wrapped']);
  assert.match(details.remedy, /\{"arguments": \{…\}\}/);
  assert.deepEqual(
    details.problems.map(({ field }: any) => field),
    ['city', 'days'],
  );
});

test('a private address names the setting that allows it: tools, token endpoints, webhooks', async () => {
  const token = { token_url: 'https://10.0.0.1/token', client_id: 'x' };
  const oauth = { auth_strategy: 'oauth2_client_credentials', encrypted_auth_secret: 'x', auth_config: token };
  const requests: [path: string, field: string, body: object][] = [
    ['/custom-tools', 'base_url', toolFields('https://127.0.0.1:9443')],
    ['/custom-tools', 'base_url', toolFields('https://api.internal')],
    ['/custom-tools', 'auth_config.token_url', toolFields(customer.url, oauth)],
    [`/projects/${project_id}/webhooks`, 'url', { url: 'https://192.168.0.1/hook', events: ['custom_tool.created'] }],
  ];
  for (const [path, field, body] of requests) {
    const { details } = expectResponse(await api('POST', path, { key: keys.admin, body }), 422).error;
    assert.deepEqual([details.field, details.reason], [field, 'address_not_public']);
    assert.match(details.remedy, /TOOLGATE_EGRESS_ALLOW/);
  }
  const http = await api('POST', `/projects/${project_id}/webhooks`, {
    key: keys.admin,
    body: { url: 'http://shop.example', events: ['custom_tool.created'] },
  });
  assert.equal(expectResponse(http, 422).error.details.reason, 'invalid_value');
});

test('a tool is found by name wherever execute finds it', async () => {
  const { id, name } = await makeTool(server, keys.write, customer);
  const at = `/custom-tools/${name}`;
  const ask = async (method: string, path: string, body?: object) =>
    expectResponse(await api(method, path, { key: keys.admin, body }), 200);
  assert.equal((await ask('GET', at)).id, id);
  assert.equal((await ask('PATCH', at, { title: 'By name' })).version, 2);
  assert.equal((await ask('POST', `${at}/disable`)).is_enabled, false);
  assert.equal((await ask('POST', `${at}/enable`)).is_enabled, true);
  assert.equal((await ask('GET', `${at}/versions`)).data.length, 2);
  assert.equal((await ask('GET', `${at}/versions/1`)).version, 1);
  expectResponse(await execute(server, keys.read, name), 200);

  const other = await makeTenant(server);
  for (const [method, path] of [
    ['GET', at],
    ['PATCH', at],
    ['POST', `${at}/enable`],
    ['GET', `${at}/versions`],
    ['GET', `${at}/versions/1`],
    ['DELETE', at],
  ] as const) {
    const body = method === 'PATCH' ? { title: 'x' } : undefined;
    expectResponse(await api(method, path, { key: other.keys.admin, body }), 404, 'Not found');
  }
  expectResponse(await api('DELETE', at, { key: keys.admin }), 204);
  expectResponse(await api('GET', `/custom-tools/${id}`, { key: keys.read }), 404);
});

test('an id is found before a name that looks like it', async () => {
  const first = await makeTool(server, keys.write, customer);
  const second = await makeTool(server, keys.write, customer, { name: first.id });
  assert.equal((await api('GET', `/custom-tools/${first.id}`, { key: keys.read })).body.id, first.id);
  expectResponse(await api('DELETE', `/custom-tools/${first.id}`, { key: keys.admin }), 204);
  assert.equal((await api('GET', `/custom-tools/${first.id}`, { key: keys.read })).body.id, second.id);
});

test('the root key is told about a project in the path that is no id, like every other key', async () => {
  for (const key of [ROOT_KEY, keys.admin]) {
    const { details } = expectResponse(await api('GET', '/projects/null/api-keys', { key }), 404).error;
    assert.equal(details.reason, 'not_a_project_id');
  }
  const unknown = await api('GET', '/projects/prj_0000000000000000000000', { key: ROOT_KEY });
  assert.equal(expectResponse(unknown, 404).error.details.reason, 'not_found');
});

const rpc = (params: object, headers: Record<string, string> = {}, method = 'tools/call') =>
  api('POST', '/mcp', {
    key: keys.read,
    headers: { accept: 'application/json, text/event-stream', ...headers },
    body: { jsonrpc: '2.0', id: 1, method, params },
  });

test('MCP: an unsupported revision names those that are supported', async () => {
  const response = await rpc({}, { 'mcp-protocol-version': '2023-01-01' }, 'tools/list');
  const { data } = expectResponse(response, 400).error;
  assert.equal(data.reason, 'unsupported_protocol_version');
  assert.match(data.remedy, /supported/);
  assert.ok(data.supported.includes('2025-11-25'));
});

test('MCP: an unknown tool and a bad cursor say what to do', async () => {
  const unknown = await rpc({ name: unique('nothing'), arguments: {} });
  assert.equal(expectResponse(unknown, 200).error.data.reason, 'unknown_tool');
  const cursor = await rpc({ cursor: '???' }, {}, 'tools/list');
  assert.equal(expectResponse(cursor, 200).error.data.reason, 'invalid_cursor');
});

test('all wrong arguments are named at once, the same over REST and in both eras of MCP', async () => {
  const input_schema = {
    type: 'object',
    required: ['city', 'days'],
    properties: { city: { type: 'string' }, days: { type: 'integer' }, unit: { enum: ['C', 'F'] }, id: {} },
    additionalProperties: false,
  };
  const tool = await makeTool(server, keys.write, customer, { input_schema });
  const given = { city: 7, unit: 'K', color: 'red', id: 2 ** 60 };
  const { error } = expectResponse(await execute(server, keys.read, tool.id, given), 422, 'Validation error');
  const { problems, reason } = error.details;
  assert.deepEqual(problems.map(({ field }: any) => field).sort(), ['city', 'color', 'days', 'id', 'unit']);
  assert.equal(reason, 'invalid_arguments');
  for (const send of Object.values(revisionSenders)) {
    const { result } = (await callTool(send, server, keys.read, tool.name, given)).body;
    const [, facts = ''] = result.content[0].text.split('\n');
    assert.deepEqual(JSON.parse(facts).problems, problems);
  }
  const reserved = { ...given, member_id: 'x' };
  const refused = expectResponse(await execute(server, keys.read, tool.id, reserved), 400).error;
  assert.equal(refused.message, 'Reserved variable cannot be provided as user input');
  assert.deepEqual(refused.details.problems.slice(1), problems);
  assert.deepEqual(customer.at(tool.endpoint_path), []);
});

test('MCP: a failed call tells the model its call id and no advice for operators, which REST and the trace have', async () => {
  const tool = await makeTool(server, keys.write, customer, { timeout_ms: 1_000 });
  customer.respond(tool.endpoint_path, { hang: true });
  const response = await rpc({ name: tool.name, arguments: {} });
  const { text } = expectResponse(response, 200).result.content[0];
  assert.match(text, /^Tool execution timed out\n/);
  assert.doesNotMatch(text, /timeout_ms|Make the API/);
  const { error } = expectResponse(
    await api('POST', `/custom-tools/${tool.id}/execute`, { key: keys.read, body: {} }),
    500,
  );
  assert.equal(error.details.remedy, reasonRows.tool_timed_out.remedy);
  assert.equal('for_model' in error.details, false);
  await server.app.batch_writer.flush();
  const [, call_id] = /\nCall id: (call_\w+)$/.exec(text) ?? [];
  const call = expectResponse(
    await api('GET', `/projects/${project_id}/tool-calls/${call_id}`, { key: keys.read }),
    200,
  );
  assert.equal(call.tool_id, tool.id);
  const trace = await api('GET', `/projects/${project_id}/requests/${call.request_id}`, { key: keys.read });
  const failed = expectResponse(trace, 200).steps.find(({ outcome }: { outcome: string }) => outcome === 'failed');
  assert.equal(failed.remedy, reasonRows.tool_timed_out.remedy);
});

test('MCP: a failed call tells the model the remedy, and a refused one has reason and remedy in data', async () => {
  const input_schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
  const tool = await makeTool(server, keys.write, customer, { input_schema });
  const { result } = expectResponse(await rpc({ name: tool.name, arguments: {} }), 200);
  assert.match(result.content[0].text, /Correct the arguments listed in problems and call the tool again\./);
  expectResponse(await api('POST', `/custom-tools/${tool.id}/disable`, { key: keys.write }), 200);
  const { error } = expectResponse(await rpc({ name: tool.name, arguments: {} }), 403);
  assert.equal(error.data.details.reason, 'tool_not_enabled');
  assert.match(error.data.details.remedy, /enable/);
});
