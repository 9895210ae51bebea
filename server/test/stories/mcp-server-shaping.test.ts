// The rule `response` of a tool of an MCP server: only images and audio are without a shape. Everything else that the server says is
// shaped or refused: every kind of content, what is recorded, failures, and questions to the user.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { modern } from '../mcp/rpc.ts';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { makeHook } from '../support/make/make-hook.ts';
import { mcpServersOf } from '../support/make/make-mcp-server.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { echoTool, startMcpUpstream, type UpstreamTool } from '../support/peers/mcp-upstream.ts';
import { startServer } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const upstream = await startMcpUpstream('modern');
const customer = await startCustomer();
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: `${upstream.address},${customer.address}` });
after(() => Promise.all([upstream.close(), customer.close()]));
const { api } = server;
const tenant = await makeTenant(server);
const { keys } = tenant;

const EMAIL = 'ada@example.com';
const image = { type: 'image', data: 'aW1hZ2U=', mimeType: 'image/png' };
const link = { type: 'resource_link', uri: `mailto:${EMAIL}`, name: 'Ada', description: `Write to ada%40example.com` };
const embedded = (text: string) => ({ type: 'resource', resource: { uri: 'file:///a', mimeType: 'text/plain', text } });
const file = { type: 'resource', resource: { uri: 'file:///b', blob: Buffer.from(EMAIL).toString('base64') } };
const question = (params: object) => ({
  resultType: 'input_required',
  inputRequests: { place: { method: 'elicitation/create', params } },
  requestState: 'state',
});

/** What the one tool of the server answers. */
let returned: object = {};
const tool: UpstreamTool = { ...echoTool('says'), run: () => returned };
upstream.set([tool]);
const servers = mcpServersOf(server, tenant);
await servers.ready(upstream, { slug: 'up', name: 'Bill\u202ding' });
expectResponse(
  await api('PATCH', `/projects/${tenant.id}/settings`, { key: keys.admin, body: { record_payloads: true } }),
  200,
);

async function shapeBy(response: object | null): Promise<void> {
  expectResponse(await api('PATCH', '/custom-tools/up_says', { key: keys.write, body: { response } }), 200);
}

const ALL = { elicitation: { form: {}, url: {} } };

async function call(given: object): Promise<any> {
  returned = given;
  const _meta = { 'io.modelcontextprotocol/clientCapabilities': ALL };
  const params = { name: 'up_says', arguments: {}, _meta };
  return expectResponse(await modern(server, keys.read, 'tools/call', params), 200).result;
}

const codeOf = (result: any) => [result.isError, result._meta['toolgate/error']?.code];
const run = (path = '/custom-tools/up_says/execute') => api('POST', path, { key: keys.write, body: {} });

async function recorded(call_id: string): Promise<string> {
  let entry: any;
  const isThere = async () => {
    const found = await api('GET', `/projects/${tenant.id}/tool-calls/${call_id}`, { key: keys.admin });
    entry = found.body;
    return found.status === 200 && entry.arguments !== undefined;
  };
  await waitUntil(isThere, 10_000, 'the payload is recorded');
  return JSON.stringify(entry.result);
}

test('links and embedded resources are redacted, in both protocols and in what is recorded', async () => {
  await shapeBy({ redact: ['@email'] });
  const result = await call({ content: [link, embedded(`Dear ${EMAIL}`), { ...image, note: EMAIL }] });
  assert.deepEqual(result.content, [
    { ...link, uri: 'mailto:[redacted]', description: 'Write to [redacted]' },
    embedded('Dear [redacted]'),
    image,
  ]);
  const over_rest = expectResponse(await run(), 200);
  assert.deepEqual(over_rest.body, result.content);
  const kept = await recorded(over_rest.call_id);
  assert.match(kept, /Dear \[redacted\]/);
  assert.doesNotMatch(kept, /ada@|%40/);
});

test('text beside links and resources is one of the blocks that are redacted', async () => {
  const { content } = await call({ content: [{ type: 'text', text: EMAIL }, link] });
  assert.deepEqual(
    content.map(({ type }: any) => type),
    ['text', 'resource_link'],
  );
  assert.doesNotMatch(JSON.stringify(content), /ada@|%40/);
});

test('embedded resources and lists of links are cut to the budget, and say so', async () => {
  await shapeBy({ max_tokens: 400 });
  const long = await call({ content: [embedded('x'.repeat(9_000))] });
  assert.equal(long.content[0].resource.text.length, 1_000);
  assert.deepEqual(long._meta['toolgate/truncated'].paths, [{ path: '[].resource.text', kept: 1_000, total: 9_000 }]);
  const many = await call({ content: Array.from({ length: 100 }, () => link) });
  const [{ kept, total }] = many._meta['toolgate/truncated'].paths;
  assert.deepEqual([many.content.length - 1, total], [kept, 100]);
  assert.ok(kept > 5 && kept < 20);
});

test('images and audio are passed on, and nothing that only calls itself so', async () => {
  await shapeBy({ redact: ['@email'], max_tokens: 1_000 });
  const audio = { type: 'audio', data: Buffer.alloc(6_000).toString('base64'), mimeType: 'audio/wav' };
  assert.deepEqual((await call({ content: [{ ...image, _meta: { note: EMAIL } }, audio] })).content, [image, audio]);
  for (const false_image of [
    { ...image, data: `of ${EMAIL}` },
    { ...image, mimeType: EMAIL },
  ]) {
    // Servers on the official SDK cannot say this.
    upstream.fault.handle = ({ message }, response) => {
      const result = { resultType: 'complete', content: [false_image] };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
      return true;
    };
    assert.deepEqual(codeOf(await call({})), [true, 'RESULT_NOT_SHAPED']);
  }
  upstream.fault.handle = null;
});

test('paths are applied to JSON in an embedded resource; what has no JSON is refused', async () => {
  await shapeBy({ select: ['id'] });
  const json = embedded(JSON.stringify({ id: 1, email: EMAIL }));
  assert.deepEqual((await call({ content: [json] })).content, [{ type: 'text', text: '{"id":1}' }]);
  for (const content of [[link], [file], [link, image], [embedded('words')]])
    assert.deepEqual(codeOf(await call({ content })), [true, 'RESULT_NOT_SHAPED'], JSON.stringify(content));
});

test('a file cannot be redacted: it is refused, not recorded, and given to who may have the whole result', async () => {
  await shapeBy({ redact: ['@token'] });
  assert.deepEqual(codeOf(await call({ content: [link, file] })), [true, 'RESULT_NOT_SHAPED']);
  const refused = expectResponse(await run(), 502);
  assert.equal(refused.error.code, 'RESULT_NOT_SHAPED');
  const raw = expectResponse(await run('/custom-tools/up_says/execute?raw=true'), 200);
  assert.deepEqual(raw.body, [link, file]);
  assert.equal(await recorded(raw.call_id), 'null');
  await shapeBy({ max_tokens: 500 });
  assert.deepEqual((await call({ content: [file] })).content, [file]);
  const large = { type: 'resource', resource: { uri: 'file:///b', blob: 'QUJD'.repeat(1_000) } };
  assert.deepEqual(codeOf(await call({ content: [large] })), [true, 'RESULT_NOT_SHAPED']);
});

test('what a failed tool says is shaped, whatever kind of content it is', async () => {
  await shapeBy({ redact: ['@email'] });
  const isError = true;
  const failed = await call({ isError, content: [embedded(`No ${EMAIL}`), image] });
  assert.deepEqual([failed.isError, failed.content], [true, [embedded('No [redacted]')]]);
  const { error } = expectResponse(await run(), 502);
  assert.equal(error.code, 'TOOL_FAILED_UPSTREAM');
  assert.match(error.details.body, /No \[redacted\]/);
  assert.deepEqual((await call({ isError, content: [file] })).content, [{ type: 'text', text: '[redacted]' }]);

  await shapeBy({ drop: ['debug'], max_tokens: 300 });
  const text = JSON.stringify({ why: 'No', debug: EMAIL, more: 'x'.repeat(5_000) });
  const [{ text: shown }] = (await call({ isError, content: [{ type: 'text', text }] })).content;
  assert.deepEqual(JSON.parse(shown), { why: 'No', more: 'x'.repeat(1_000) });
  const [{ text: words }] = (await call({ isError, content: [{ type: 'text', text: `No ${EMAIL}` }] })).content;
  assert.equal(words, '[redacted]');
});

const form = (properties: object, message = 'Which?') =>
  question({ mode: 'form', message, requestedSchema: { type: 'object', properties } });

test('the words of a question are redacted and name the server; nothing in them is hidden', async () => {
  await shapeBy({ redact: ['@email'] });
  const properties = {
    city: { type: 'string', title: `City of ${EMAIL}`, description: 'a\u202eb\nc', enum: ['Bern'] },
  };
  const { inputRequests } = await call(form(properties, `${EMAIL}\u200b?\n\nConfirm: Pay`));
  assert.deepEqual(inputRequests.place.params, {
    mode: 'form',
    message: `Bill\\u202ding (${upstream.address}) asks: [redacted]\\u200b? Confirm: Pay`,
    requestedSchema: {
      type: 'object',
      properties: { city: { type: 'string', title: 'City of [redacted]', description: 'a\\u202eb c', enum: ['Bern'] } },
    },
  });
});

test('a question that would come back changed, or is hidden in its fields, is refused', async () => {
  for (const properties of [
    { [EMAIL]: { type: 'string' } },
    { to: { type: 'string', enum: [EMAIL, 'b'] } },
    { to: { type: 'string', default: EMAIL } },
    { to: { type: 'string', oneOf: [{ const: EMAIL, title: 'Ada' }] } },
  ])
    assert.deepEqual(codeOf(await call(form(properties))), [true, 'RESULT_NOT_SHAPED'], JSON.stringify(properties));
  const address = question({ mode: 'url', message: 'Pay', url: `https://pay.example.com/?to=${EMAIL}` });
  assert.deepEqual(codeOf(await call(address)), [true, 'RESULT_NOT_SHAPED']);
  for (const properties of [{ 'a\u202eb': { type: 'string' } }, { a: { type: 'string', enum: ['x\u200b'] } }])
    assert.equal((await call(form(properties))).isError, true);
});

test('a question is refused if the tool has paths, or a budget that it exceeds', async () => {
  const asked = form({ city: { type: 'string' } });
  for (const response of [{ select: ['id'] }, { drop: ['id'] }, { redact: ['id'] }]) {
    await shapeBy(response);
    assert.deepEqual(codeOf(await call(asked)), [true, 'RESULT_NOT_SHAPED']);
  }
  await shapeBy({ max_tokens: 20 });
  assert.deepEqual(codeOf(await call(asked)), [true, 'RESULT_TOO_LARGE']);
  await shapeBy({ max_tokens: 200 });
  assert.equal((await call(asked)).resultType, 'input_required');
});

test('a URL that a server asks to open is public HTTPS without user info, as browsers write it', async () => {
  await shapeBy(null);
  const open = (url: string) => call(question({ mode: 'url', message: 'Pay', url }));
  for (const url of [
    'http://pay.example.com/',
    'https://localhost/',
    'https://127.0.0.1:8443/',
    'https://2130706433/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://10.0.0.1/',
    'https://192.168.1.1/',
    'https://169.254.169.254/',
    'https://printer.local/',
    'https://vault.internal/',
    'https://intranet/',
    'https://pay.example.com@evil.example.com/',
    'https://ada:secret@pay.example.com/',
    'javascript:alert(1)',
    'https://',
  ]) {
    const result = await open(url);
    assert.deepEqual(codeOf(result), [true, 'UPSTREAM_CONNECTION'], url);
  }
  for (const [url, shown] of [
    ['https://pay.example.com/1?a=b#c', 'https://pay.example.com/1?a=b#c'],
    ['https://PAY.example.com:443/a\u202eb', 'https://pay.example.com/a%E2%80%AEb'],
    ['https://pаy.example.com/', 'https://xn--py-7kc.example.com/'],
  ] as const)
    assert.equal((await open(url)).inputRequests.place.params.url, shown);
});

test('a hook is shown what is left of links and resources, and what it makes of them is shaped again', async () => {
  await shapeBy({ redact: ['@email'] });
  const more = embedded(`Copy to ${EMAIL}`);
  const hook = await makeHook(server, customer, tenant.id, { points: ['after'], may_change: true }, ({ body }) => ({
    body: { decision: 'allow', result: [...JSON.parse(body.toString()).result, more] },
  }));
  const { content } = await call({ content: [embedded(`Dear ${EMAIL}`)] });
  assert.deepEqual(content, [embedded('Dear [redacted]'), embedded('Copy to [redacted]')]);
  assert.doesNotMatch(String(customer.at(hook.path)[0]?.body), /ada@/);
});
