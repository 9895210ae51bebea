// What an MCP server asks the user of a call: passed on to clients that can ask it, with the server's state inside of our seal.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { callTool, legacy, modern, viewExtension } from '../mcp/rpc.ts';
import { expectResponse, makeKey, makeTenant } from '../support/make/make.ts';
import { mcpServersOf } from '../support/make/make-mcp-server.ts';
import { makeMemberSessions } from '../support/make/make-members.ts';
import { execute } from '../support/make/make-tools.ts';
import { echoTool, startMcpUpstream, type UpstreamCall, type UpstreamTool } from '../support/peers/mcp-upstream.ts';
import { startServer } from '../support/servers/start-server.ts';

const upstream = await startMcpUpstream('modern');
const older = await startMcpUpstream('legacy');
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: `${upstream.address},${older.address}` });
after(() => Promise.all([upstream.close(), older.close()]));
const { api } = server;
const tenant = await makeTenant(server);
const servers = mcpServersOf(server, tenant);
const { keys } = tenant;

const FORM = { elicitation: { form: {} } };
const URL_ONLY = { elicitation: { url: {} } };
const STATE = 'state-of-the-server';
const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const form = {
  method: 'elicitation/create',
  params: { mode: 'form', message: 'Which city?', requestedSchema: schema },
};
const page = {
  method: 'elicitation/create',
  params: { mode: 'url', message: 'Pay', url: 'https://pay.example.com/1' },
};
/** As a person sees it: named, and with nothing that the server could hide. */
const shown = <Request extends typeof form | typeof page>(request: Request, { address } = upstream): Request => ({
  ...request,
  params: { ...request.params, message: `Upstream (${address}) asks: ${request.params.message}` },
});
const text = (said: unknown) => ({ content: [{ type: 'text', text: JSON.stringify(said) }] });
const ask = (inputRequests: object, more: object = { requestState: STATE }) => ({
  resultType: 'input_required',
  inputRequests,
  ...more,
});
const tool = (name: string, run: UpstreamTool['run']): UpstreamTool => ({ ...echoTool(name), run });
const responded = ({ params }: UpstreamCall) => params.inputResponses as Record<string, any> | undefined;

upstream.set([
  tool('asks', (call) =>
    responded(call)?.place ? text([responded(call), call.params.requestState]) : ask({ place: form }),
  ),
  tool('opens', (call) => (call.params.requestState === STATE ? text('paid') : ask({ pay: page }))),
]);
const made = await servers.ready(upstream, { slug: 'up' });

function call(name: string, { key = keys.read, given = {}, capabilities = FORM as object, ...more }: any = {}) {
  const _meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities };
  return modern(server, key, 'tools/call', { name, arguments: given, ...more, _meta });
}
const resultOf = async (...given: Parameters<typeof call>) => expectResponse(await call(...given), 200).result;
const accept = (city = 'Bern') => ({ place: { action: 'accept', content: { city } } });
const errorOf = (result: any) => result._meta['toolgate/error']?.code;

test('a form of a server is shown by the client, and the answer goes back with the state of the server', async () => {
  const asked = await resultOf('up_asks', { given: { text: 'x' } });
  assert.equal(asked.resultType, 'input_required');
  assert.deepEqual(asked.inputRequests, { place: shown(form) });
  assert.ok(!asked.requestState.includes(STATE));
  assert.ok(!Buffer.from(asked.requestState, 'base64url').includes(STATE));
  const inputResponses = { ...accept(), not_asked: { action: 'accept', content: {} } };
  const done = await resultOf('up_asks', { given: { text: 'x' }, inputResponses, requestState: asked.requestState });
  assert.deepEqual(JSON.parse(done.content[0].text), [accept(), STATE]);
});

test('the official client asks its user what the server asks', async () => {
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: FORM, versionNegotiation: { mode: 'auto' } },
  );
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { city: 'Basel' } }) as never);
  const url = new URL(`${server.url}/api/v1/mcp`);
  await client.connect(
    new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${keys.read}` } } }),
  );
  const { content } = (await client.callTool({ name: 'up_asks', arguments: {} })) as any;
  await client.close();
  assert.deepEqual(JSON.parse(content[0].text)[0], accept('Basel'));
});

test('the server is told what the client declared and that views are passed on; sampling and roots never', async () => {
  const extensions = viewExtension;
  const declared = async (capabilities: object) => {
    upstream.requests.length = 0;
    await call('up_asks', { capabilities });
    const { _meta } = upstream.calls()[0]?.message.params ?? {};
    return _meta['io.modelcontextprotocol/clientCapabilities'];
  };
  assert.deepEqual(await declared({ ...FORM, sampling: {}, roots: {} }), { ...FORM, extensions });
  assert.deepEqual(await declared(URL_ONLY), { ...URL_ONLY, extensions });
  assert.deepEqual(await declared({ sampling: {} }), { extensions });
});

test('a server that asks for what the client did not offer, or leads to no web address, has failed', async () => {
  const sampling = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } };
  const astray = { ...page, params: { ...page.params, url: 'javascript:alert(1)' } };
  const question = { inputRequests: {} as object, requestState: STATE as unknown };
  upstream.fault.handle = ({ message }, response) => {
    if (message?.method !== 'tools/call') return false;
    const result = { resultType: 'input_required', ...question };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
    return true;
  };
  for (const [asked, capabilities] of [
    [{ place: form }, {}],
    [{ place: form }, URL_ONLY],
    [{ pay: page }, FORM],
    [{ say: sampling }, { ...FORM, sampling: {} }],
    [{ pay: astray }, URL_ONLY],
    [{ place: { ...form, params: { ...form.params, message: 'x'.repeat(70_000) } } }, FORM],
  ] as const) {
    question.inputRequests = asked;
    const result = await resultOf('up_asks', { capabilities });
    assert.equal(result.isError, true, JSON.stringify(asked).slice(0, 100));
  }
  question.inputRequests = { place: form };
  for (const state of [7, 'x'.repeat(20_000)]) {
    question.requestState = state;
    assert.equal((await resultOf('up_asks')).isError, true);
  }
  expectResponse(await execute(server, keys.read, 'up_asks', {}), 502);
  upstream.fault.handle = null;
});

test('an address of a server is opened by the client, and the call is repeated', async () => {
  const asked = await resultOf('up_opens', { capabilities: URL_ONLY });
  assert.deepEqual(asked.inputRequests, { pay: shown(page) });
  const inputResponses = { pay: { action: 'accept' } };
  const { requestState } = asked;
  const done = await resultOf('up_opens', { capabilities: URL_ONLY, inputResponses, requestState });
  assert.equal(done.content[0].text, '"paid"');
});

test('a state counts for one caller, tool and arguments, for 10 minutes; a forged one is refused', async () => {
  const { requestState } = await resultOf('up_asks', { given: { text: 'x' } });
  const response = { inputResponses: accept(), requestState };
  const other = await makeKey(server, tenant.id, ['read']);
  for (const changed of [{ key: other.key }, { given: { text: 'y' } }]) {
    const again = await resultOf('up_asks', { given: { text: 'x' }, ...response, ...changed });
    assert.deepEqual(again.inputRequests, { place: shown(form) });
  }
  const elsewhere = await resultOf('up_opens', { given: { text: 'x' }, ...response, capabilities: URL_ONLY });
  assert.deepEqual(elsewhere.inputRequests, { pay: shown(page) });
  for (const forged of [
    STATE,
    `${requestState}AA`,
    requestState.replace(/^./, (first: string) => (first === 'A' ? 'B' : 'A')),
  ]) {
    const { error } = expectResponse(
      await call('up_asks', { given: { text: 'x' }, ...response, requestState: forged }),
      200,
    );
    assert.equal(error.code, -32602);
  }
  const done = await resultOf('up_asks', { given: { text: 'x' }, ...response });
  assert.equal(done.isError, undefined);
  server.advance(10 * 60_000 + 1);
  const late = await resultOf('up_asks', { given: { text: 'x' }, ...response });
  assert.deepEqual(late.inputRequests, { place: shown(form) });
});

test('a state of a server that was changed since is not sent to it', async () => {
  const { requestState } = await resultOf('up_asks');
  expectResponse(
    await api('PATCH', `${servers.path}/${made.id}`, { key: keys.write, body: { timeout_ms: 20_000 } }),
    200,
  );
  const again = await resultOf('up_asks', { inputResponses: accept(), requestState });
  assert.deepEqual(again.inputRequests, { place: shown(form) });
});

test('one yes of a person covers the questions of the server, and not a second call', async () => {
  const body = { confirm: { by: 'user' } };
  expectResponse(await api('PATCH', '/custom-tools/up_asks', { key: keys.write, body }), 200);
  const key = await (await makeMemberSessions(server, tenant.id)).session('member-1');
  const given = { text: 'confirmed' };
  const first = await resultOf('up_asks', { key, given });
  assert.deepEqual(Object.keys(first.inputRequests), ['confirm']);
  const yes = { confirm: { action: 'accept', content: { confirm: true } } };
  const asked = await resultOf('up_asks', { key, given, inputResponses: yes, requestState: first.requestState });
  assert.deepEqual(asked.inputRequests, { place: shown(form) });
  const response = { key, given, inputResponses: accept(), requestState: asked.requestState };
  assert.equal((await resultOf('up_asks', response)).isError, undefined);
  const replayed = await resultOf('up_asks', response);
  assert.deepEqual(Object.keys(replayed.inputRequests), ['confirm']);
  expectResponse(await api('PATCH', '/custom-tools/up_asks', { key: keys.write, body: { confirm: null } }), 200);
});

test('a question is in the call log as such, not as a failure of the server', async () => {
  const response = await call('up_asks');
  await server.app.batch_writer.flush();
  const path = `/projects/${tenant.id}/tool-calls?request_id=${response.headers.get('x-request-id')}`;
  const [entry] = expectResponse(await api('GET', path, { key: keys.read }), 200).data;
  assert.deepEqual([entry.error_code, entry.is_waiting], ['INPUT_REQUIRED', true]);
});

test('addresses of a 2025-11-25 server go to clients of both revisions that can open them; others get an error', async () => {
  const elicitation = { mode: 'url', elicitationId: 'e-1', url: 'https://pay.example.com/2', message: 'Pay first' };
  const state = { is_paid: false };
  const run = () => {
    if (state.is_paid) return text('paid');
    throw Object.assign(new Error('Pay first'), { code: -32042, data: { elicitations: [elicitation] } });
  };
  older.set([tool('pays', run)]);
  await servers.ready(older, { slug: 'old' });
  const initialize = { protocolVersion: '2025-11-25', capabilities: URL_ONLY, clientInfo: { name: 't', version: '1' } };
  const started = await legacy(server, keys.read, 'initialize', initialize);
  const headers = { 'mcp-session-id': started.headers.get('mcp-session-id') ?? '' };
  const callLegacy = async (options: object) =>
    expectResponse(await callTool(legacy, server, keys.read, 'old_pays', {}, options), 200);
  const { error } = await callLegacy({ headers });
  assert.equal(error.code, -32042);
  const message = `Upstream (${older.address}) asks: Pay first`;
  assert.deepEqual(error.data.elicitations, [{ ...elicitation, message }]);
  const asked = await resultOf('old_pays', { capabilities: URL_ONLY });
  const { elicitationId, ...params } = elicitation;
  assert.deepEqual(asked.inputRequests, {
    [elicitationId]: { method: 'elicitation/create', params: { ...params, message } },
  });
  assert.equal(errorOf((await callLegacy({})).result), 'UPSTREAM_ERROR');
  assert.equal(errorOf(await resultOf('old_pays', { capabilities: FORM })), 'UPSTREAM_ERROR');
  assert.equal(expectResponse(await execute(server, keys.read, 'old_pays', {}), 502).error.code, 'UPSTREAM_ERROR');
  const declared = older.requests.find(({ message }) => message?.method === 'initialize')?.message.params.capabilities;
  assert.deepEqual(declared, { extensions: viewExtension });
  state.is_paid = true;
  const { requestState } = asked;
  const inputResponses = { [elicitationId]: { action: 'accept' } };
  const done = await resultOf('old_pays', { capabilities: URL_ONLY, inputResponses, requestState });
  assert.equal(done.content[0].text, '"paid"');
  assert.equal((await callLegacy({ headers })).result.content[0].text, '"paid"');
});
