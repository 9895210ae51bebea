// Calls that wait for a person, over MCP: forms and pages of both revisions, and what a client cannot forge.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { canonicalHash } from '../../src/engines/json-text/canonical-json.ts';
import { callTool, legacy, modern } from '../mcp/rpc.ts';
import { expectResponse, makeTenant, unique } from '../support/make/make.ts';
import { exchange, makeIntegration, makeIntegrationKey } from '../support/make/make-members.ts';
import { type MadeTool, makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const two = await startServer({
  TOOLGATE_EGRESS_ALLOW: customer.address,
  DATABASE_URL: server.app.config.database_url ?? '',
});
const { api } = server;
const tenant = await makeTenant(server, { plan: 'enterprise' });
const { keys } = tenant;
const approvals = `/projects/${tenant.id}/approvals`;
const integration = await makeIntegration(server, tenant.id);
const backend = await makeIntegrationKey(server, tenant.id, integration.id);
const newMember = async () =>
  expectResponse(await exchange(server, backend.key, { member_external_id: unique('member') }), 200);
const { session_token: member, member: person } = await newMember();

const FORM = { elicitation: { form: {} } };
const URL_ONLY = { elicitation: { url: {} } };
const BOTH = { elicitation: { form: {}, url: {} } };
const tool = (confirm: object, fields: object = {}) =>
  makeTool(server, keys.write, customer, { confirm, title: 'Refund', ...fields });
const requestsOf = ({ endpoint_path }: MadeTool) =>
  customer.requests.filter(({ path }) => path.startsWith(endpoint_path)).length;
const decide = (response: 'approve' | 'decline', id: string, key: string) =>
  api('POST', `${approvals}/${id}/${response}`, { key });

type Call = {
  key?: string;
  given?: object;
  capabilities?: object;
  response?: object;
  state?: string;
  on?: typeof server;
};
function call(called: MadeTool, { key = member, given = {}, capabilities = FORM, ...more }: Call = {}) {
  const { response, state, on = server } = more;
  return modern(on, key, 'tools/call', {
    name: called.name,
    arguments: given,
    ...(response && { inputResponses: { confirm: response } }),
    ...(state && { requestState: state }),
    _meta: { 'io.modelcontextprotocol/clientCapabilities': capabilities },
  });
}
const resultOf = async (response: ReturnType<typeof call>) => expectResponse(await response, 200).result;
const errorOf = (result: any) => result._meta['toolgate/error'];
const accept = (yes = true) => ({ action: 'accept', content: { confirm: yes } });

async function asked(called: MadeTool, options: Call = {}) {
  const result = await resultOf(call(called, options));
  assert.equal(result.resultType, 'input_required', JSON.stringify(result));
  const { method, params } = result.inputRequests.confirm;
  assert.equal(method, 'elicitation/create');
  return { params, state: result.requestState as string };
}

test('a form says what is called with which arguments, and a yes makes the call once, on any replica', async () => {
  const called = await tool({ by: 'user' });
  const given = { order_id: '1017\n\u202e', amount: 12.5 };
  const { params, state } = await asked(called, { given });
  assert.equal(params.mode, 'form');
  const host = new URL(customer.url).host;
  assert.equal(params.message, `Confirm: Refund\nPOST ${host}\norder_id: "1017\\n\\u202e"\namount: 12.5`);
  assert.deepEqual(
    Object.values(params.requestedSchema.properties).map((each: any) => each.type),
    ['boolean'],
  );
  assert.equal(requestsOf(called), 0);
  const responses = await Promise.all(
    Array.from({ length: 6 }, (_, i) =>
      resultOf(call(called, { given, response: accept(), state, on: i % 2 === 0 ? server : two })),
    ),
  );
  // The others are asked again: their answer was used.
  assert.equal(responses.filter(({ resultType }) => resultType === 'complete').length, 1);
  assert.equal(responses.filter(({ resultType }) => resultType === 'input_required').length, 5);
  assert.equal(requestsOf(called), 1);
  const [approval] = expectResponse(
    await api('GET', `${approvals}?tool_id=${called.id}`, { key: keys.admin }),
    200,
  ).data;
  const { status, decided_via, decided_by, arguments_hash, session_id } = approval;
  assert.deepEqual([status, decided_via, decided_by], ['used', 'form', person.id]);
  assert.equal(arguments_hash, canonicalHash(given));
  assert.match(session_id, /^ses_/);
  const { data } = expectResponse(
    await api('GET', `/projects/${tenant.id}/events?limit=100`, { key: keys.admin }),
    200,
  );
  const types = data.filter((event: any) => event.data?.id === approval.id).map((event: any) => event.type);
  assert.deepEqual(types, ['approval.approved']);
});

test('a no and a dismissed form are told to the model, and use up the question', async () => {
  const called = await tool({ by: 'user' });
  for (const [response, code] of [
    [{ action: 'decline' }, 'CALL_DECLINED'],
    [accept(false), 'CALL_DECLINED'],
    [{ action: 'cancel' }, 'CALL_CANCELLED'],
  ] as const) {
    const { state } = await asked(called);
    const result = await resultOf(call(called, { response, state }));
    assert.equal(result.isError, true);
    assert.equal(errorOf(result).code, code);
    await asked(called, { response: accept(), state });
  }
  assert.equal(requestsOf(called), 0);
});

test('another call, caller or definition, or a question that has expired, is asked again; a forged one is -32602', async () => {
  const [called, other] = [await tool({ by: 'user' }), await tool({ by: 'user' })];
  const { state } = await asked(called, { given: { n: 1 } });
  const response = accept();
  await asked(called, { given: { n: 2 }, response, state });
  await asked(other, { given: { n: 1 }, response, state });
  await asked(called, { given: { n: 1 }, key: (await newMember()).session_token, response, state });
  for (const bad of [{ action: 'accept' }, { action: 'accept', content: {} }, { action: 'yes' }, 7])
    await asked(called, { given: { n: 1 }, response: bad as object, state });
  const middle = Math.floor(state.length / 2);
  const flipped = `${state.slice(0, middle)}${state[middle] === 'A' ? 'B' : 'A'}${state.slice(middle + 1)}`;
  for (const forged of [`${state}-TAMPERED`, flipped, state.slice(0, -1), 'x', '=', `${state}\n`]) {
    const { error } = expectResponse(await call(called, { given: { n: 1 }, response, state: forged }), 200);
    assert.equal(error.code, -32602, forged);
  }
  const stranger = await makeTenant(server, { plan: 'enterprise' });
  const foreign = await makeTool(server, stranger.keys.write, customer, { name: called.name, confirm: { by: 'user' } });
  const { error } = expectResponse(
    await call(foreign, { key: stranger.keys.read, given: { n: 1 }, response, state }),
    200,
  );
  assert.equal(error.code, -32602);
  expectResponse(await api('PATCH', `/custom-tools/${called.id}`, { key: keys.write, body: { title: 'Other' } }), 200);
  const { state: second } = await asked(called, { given: { n: 1 }, response, state });
  server.advance(10 * 60_000);
  await asked(called, { given: { n: 1 }, response, state: second });
  assert.equal(requestsOf(called) + requestsOf(other), 0);
});

test('a message that would be too long is never cut: the page is used, or the link', async () => {
  const called = await tool({ by: 'user' });
  const given = { note: 'x'.repeat(3000) };
  const { session_token: key } = await newMember();
  const { params } = await asked(called, { key, given, capabilities: BOTH });
  assert.equal(params.mode, 'url');
  assert.ok(!params.message.includes('xxx'));
  const result = await resultOf(call(called, { key, given }));
  assert.equal(errorOf(result).code, 'CONFIRMATION_REQUIRED');
  assert.equal(errorOf(result).approval_url, params.url);
});

test('a page is opened, and the retry is held until somebody has decided', async () => {
  const called = await tool({ by: 'approver' });
  const options = { given: { n: 1 }, capabilities: BOTH };
  const { params, state } = await asked(called, options);
  assert.equal(params.mode, 'url');
  const id = params.url.split('/').pop();
  assert.equal(params.url, `${server.app.config.public_url}/approve/${id}`);
  // An answer of the client says nothing: only an approver does.
  const held = resultOf(call(called, { ...options, response: { action: 'accept' }, state, on: two }));
  const winner = await Promise.race([held, decide('approve', id, keys.admin)]);
  assert.equal(winner.status, 200, 'the call did not wait');
  assert.equal((await held).resultType, 'complete');
  assert.equal(requestsOf(called), 1);

  const again = await asked(called, options);
  const next = again.params.url.split('/').pop();
  assert.notEqual(next, id);
  expectResponse(await decide('decline', next, keys.admin), 200);
  const responded = { ...options, response: { action: 'accept' }, state: again.state };
  assert.equal(errorOf(await resultOf(call(called, responded))).code, 'CALL_DECLINED');

  const third = await asked(called, options);
  const dismissed = { ...options, response: { action: 'cancel' }, state: third.state };
  assert.equal(errorOf(await resultOf(call(called, dismissed))).code, 'CALL_CANCELLED');
  const closed = third.params.url.split('/').pop();
  assert.equal(
    expectResponse(await api('GET', `${approvals}/${closed}`, { key: keys.admin }), 200).status,
    'cancelled',
  );
});

test('a retry that nobody decides about ends after a while, with the link', async () => {
  const called = await tool({ by: 'user' });
  const options = { given: { n: 1 }, capabilities: URL_ONLY };
  const { params, state } = await asked(called, options);
  const began = performance.now();
  const response = await call(called, { ...options, response: { action: 'accept' }, state });
  const took = performance.now() - began;
  const { result } = expectResponse(response, 200);
  assert.equal(errorOf(result).code, 'CONFIRMATION_REQUIRED');
  assert.equal(errorOf(result).approval_url, params.url);
  // The time of a person is not part of the duration of the call.
  await server.app.batch_writer.flush();
  const of_request = `request_id=${response.headers.get('x-request-id')}`;
  const path = `/projects/${tenant.id}/tool-calls?${of_request}`;
  const [entry] = expectResponse(await api('GET', path, { key: keys.read }), 200).data;
  assert.equal(entry.is_waiting, true);
  assert.ok(took - entry.duration_ms > 19_000, `${took} ms, ${JSON.stringify(entry)}`);
});

test('a client that can ask nobody gets the link or a refusal that names what it lacks, and no approval is left', async () => {
  const [linked, refused] = [await tool({ by: 'user' }), await tool({ by: 'user', fallback: 'refuse' })];
  assert.equal(errorOf(await resultOf(call(linked, { capabilities: {} }))).code, 'CONFIRMATION_REQUIRED');
  const { error } = expectResponse(await call(refused, { capabilities: {} }), 400);
  assert.equal(error.code, -32021);
  assert.deepEqual(error.data.requiredCapabilities, { elicitation: { form: {} } });
  const { result } = expectResponse(await callTool(legacy, server, member, refused.name), 200);
  assert.equal(result.isError, true);
  assert.match(result.content[0].text, /elicitation/);
  assert.equal(errorOf(result).retryable, false);
  const listed = expectResponse(await api('GET', `${approvals}?tool_id=${refused.id}`, { key: keys.read }), 200).data;
  assert.deepEqual(listed, []);
});

async function startSession(key: string, capabilities: object, on = server) {
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'test', version: '1' } };
  const response = await legacy(on, key, 'initialize', params);
  expectResponse(response, 200);
  return response.headers.get('mcp-session-id');
}

test('a client of 2025-11-25 says in its session id what it can ask; a forged or foreign one is 404', async () => {
  assert.equal(await startSession(member, {}), null);
  const id = (await startSession(member, BOTH)) as string;
  const called = await tool({ by: 'user' });
  const callWith = (session: string, key = member, on = server) =>
    callTool(legacy, on, key, called.name, { n: 1 }, { headers: { 'mcp-session-id': session } });
  const { error } = expectResponse(await callWith(id, member, two), 200);
  assert.equal(error.code, -32042);
  const [elicitation] = error.data.elicitations;
  assert.equal(elicitation.mode, 'url');
  assert.match(elicitation.url, new RegExp(`/approve/${elicitation.elicitationId}$`));
  const held = callWith(id);
  const first = await Promise.race([held, decide('approve', elicitation.elicitationId, backend.key)]);
  assert.equal(first.body.object, 'approval', 'the call did not wait');
  assert.equal(expectResponse(await held, 200).result.isError, undefined);
  assert.equal(requestsOf(called), 1);
  const foreign = (await startSession(keys.read, BOTH)) as string;
  for (const forged of [foreign, `${id}x`, id.replace('-fu-', '-u-'), 'something', ''])
    assert.equal((await callWith(forged)).status, 404, forged);
  // Only forms: this revision cannot send one in an answer.
  const forms = (await startSession(member, FORM)) as string;
  assert.equal(errorOf(expectResponse(await callWith(forms), 200).result).code, 'CONFIRMATION_REQUIRED');
});

const bearer = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } });
const url = new URL(`${server.url}/api/v1/mcp`);

test('the official client 2.x asks its user by a form, and passes on the yes or the no', async () => {
  const called = await tool({ by: 'user' });
  const client = new ClientV2(
    { name: 'test', version: '1' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'auto' } },
  );
  const messages: string[] = [];
  let response: any = accept();
  client.setRequestHandler('elicitation/create', async ({ params }: any) => {
    messages.push(params.message);
    return response;
  });
  await client.connect(new TransportV2(url, bearer(member)));
  const yes = await client.callTool({ name: called.name, arguments: { n: 1 } });
  assert.notEqual(yes.isError, true, JSON.stringify(yes));
  assert.equal(messages.length, 1);
  assert.match(messages[0] as string, /^Confirm: Refund\n/);
  response = { action: 'decline' };
  const no = await client.callTool({ name: called.name, arguments: { n: 2 } });
  assert.equal(errorOf(no).code, 'CALL_DECLINED');
  assert.equal(requestsOf(called), 1);
  await client.close();
});

test('the official client 1.x gets the error with the address, and calls again once it is approved', async () => {
  const called = await tool({ by: 'user' });
  const client = new ClientV1({ name: 'test', version: '1' }, { capabilities: { elicitation: { url: {} } } });
  await client.connect(new TransportV1(url, bearer(member)) as Parameters<ClientV1['connect']>[0]);
  const error: any = await client.callTool({ name: called.name, arguments: {} }).catch((thrown) => thrown);
  assert.equal(error.code, -32042);
  const [elicitation] = error.elicitations ?? error.data.elicitations;
  expectResponse(await decide('approve', elicitation.elicitationId, backend.key), 200);
  const result = await client.callTool({ name: called.name, arguments: {} });
  assert.notEqual(result.isError, true);
  await client.close();
});
