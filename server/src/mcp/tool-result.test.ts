import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createAppState } from '../app-state.ts';
import type { ToolResult } from '../features/tools/calls/tool-call.ts';
import { wholeText } from './json-rpc.ts';
import { toolResultText } from './tool-result.ts';

const app = createAppState();
after(() => app.close());

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff]);
const isNumber = (value: unknown) => (typeof (value as { n?: unknown }).n === 'number' ? null : '/n must be number');
const input_schema = { type: 'object' };
const withOutputSchema: ToolResult['tool'] = {
  id: 'tool_1',
  input_schema,
  output_schema: { type: 'object' },
  checkOutput: isNumber,
};
const serverInfo = '"io.modelcontextprotocol/serverInfo":{"name":"x","version":"1"}';

function response(content_type: string | null, body: string | Buffer, more: Partial<ToolResult> = {}): ToolResult {
  return {
    call_id: 'call_1',
    status: 200,
    content_type,
    body: Buffer.from(body as string),
    file: null,
    truncated: false,
    duration_ms: 1,
    ...{ shaped: null, raw_body: null, result_tokens: 1, shaped_tokens: 1 },
    tool: { id: 'tool_1', input_schema, output_schema: null, checkOutput: null },
    nearest_limit: null,
    ...more,
  };
}

const public_url = 'https://tools.example.com';
const resultOf = async (given: ToolResult, server_info: string | null) => {
  const request = { request_id: 'req_1', public_url, server_info, usage: null };
  return JSON.parse(wholeText(await toolResultText({ app, fairness_key: 'org_1' }, given, request, () => {})));
};
const legacy = (given: ToolResult) => resultOf(given, null);
const modern = (given: ToolResult) => resultOf(given, serverInfo);
const textOf = async (given: ToolResult) =>
  (await legacy(given)).content.map(({ text }: { text: string }) => text).join('|');

test('a JSON object becomes structured content and unchanged text', async () => {
  const body = '{ "b": 1.0, "a": "\\u00fc\\"" }';
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'application/problem+json',
    'APPLICATION/JSON',
  ]) {
    assert.deepEqual(await legacy(response(type, body)), {
      content: [{ type: 'text', text: body }],
      structuredContent: { b: 1, a: 'ü"' },
      _meta: { 'toolgate/call_id': 'call_1' },
    });
  }
  assert.deepEqual((await legacy(response('application/json', `\uFEFF${body}`))).structuredContent, { b: 1, a: 'ü"' });
});

test('JSON that is not an object is text: clients of earlier revisions reject it as structured content', async () => {
  for (const body of ['[1,2]', '7', 'null', '"x"']) {
    const result = await legacy(response('application/json', body));
    assert.deepEqual(result.content, [{ type: 'text', text: body }]);
    assert.equal('structuredContent' in result, false);
  }
});

test('a response declared as JSON that is not valid JSON is passed on as text', async () => {
  const result = await legacy(response('application/json', '{"a":'));
  assert.deepEqual(result.content, [{ type: 'text', text: '{"a":' }]);
  assert.equal('structuredContent' in result, false);
});

test('JSON that is nested deeper than 100 levels is passed on as text, and never parsed', async () => {
  const nested = (depth: number) => `{"n":1,"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
  assert.equal((await legacy(response('application/json', nested(100)))).structuredContent.n, 1);
  for (const depth of [101, 500_000]) {
    const result = await legacy(response('application/json', nested(depth)));
    assert.deepEqual(result, {
      content: [{ type: 'text', text: nested(depth) }],
      _meta: { 'toolgate/call_id': 'call_1' },
    });
    assert.match(
      await textOf(response('application/json', nested(depth), { tool: withOutputSchema })),
      /nested too deep/,
    );
  }
});

test('JSON with very many members is passed on unchanged, and only not validated against an output_schema', async () => {
  const body = `{"n":1,${Array.from({ length: 50_000 }, (_, i) => `"k${i}":1`).join()}}`;
  assert.equal((await legacy(response('application/json', body))).structuredContent.k49999, 1);
  const result = await legacy(response('application/json', body, { tool: withOutputSchema }));
  assert.equal(result.isError, true);
  assert.match(result.content[0].text, /too large to be checked/);
});

test('images and audio become image and audio content', async () => {
  assert.deepEqual((await legacy(response('image/png', png))).content, [
    { type: 'image', data: png.toString('base64'), mimeType: 'image/png' },
  ]);
  assert.deepEqual((await legacy(response('audio/wav; x=y', png))).content, [
    { type: 'audio', data: png.toString('base64'), mimeType: 'audio/wav' },
  ]);
  assert.equal(await textOf(response('image/svg+xml', '<svg/>')), '<svg/>');
});

test('everything else is text, or an embedded resource where it is binary', async () => {
  assert.equal(await textOf(response('text/html', '<p>ü</p>')), '<p>ü</p>');
  assert.equal(await textOf(response(null, 'plain')), 'plain');
  assert.equal(await textOf(response('text/plain; charset=iso-8859-1', Buffer.from([0xfc]))), 'ü');
  assert.equal(await textOf(response('text/plain; charset=nonsense', 'ü')), 'ü');
  assert.deepEqual((await legacy(response('application/pdf', png))).content, [
    {
      type: 'resource',
      resource: { uri: 'toolgate://calls/call_1', mimeType: 'application/pdf', blob: png.toString('base64') },
    },
  ]);
  assert.equal((await legacy(response(null, png))).content[0].resource.mimeType, 'application/octet-stream');
  assert.match(await textOf(response(null, '', { status: 204 })), /204/);
});

test('a response over the size limit is truncated between characters with a notice', async () => {
  const cut = response('text/plain', Buffer.from('aü').subarray(0, 2), { truncated: true });
  assert.equal(await textOf(cut), 'a\n[Cut: the response is longer than 2 bytes.]');
  const json = await legacy(response('application/json', '{"a":', { truncated: true }));
  assert.match(json.content[0].text, /^\{"a":\n\[Cut: /);
  assert.equal('structuredContent' in json, false);
  assert.match(await textOf(response('image/png', png, { truncated: true })), /image\/png.*left out/);
});

test('a response that violates output_schema is an error result that includes the response', async () => {
  for (const render of [legacy, modern]) {
    const result = await render(response('application/json', '{"n":"x"}', { tool: withOutputSchema }));
    assert.equal(result.isError, true);
    assert.equal('structuredContent' in result, false);
    assert.match(result.content[0].text, /output_schema: \/n must be number\. .*\nCall id: call_1$/);
    assert.equal(result.content[1].text, '{"n":"x"}');
    assert.equal(result._meta['toolgate/error'].code, 'OUTPUT_SCHEMA_MISMATCH');
  }
  assert.match(
    await textOf(response('text/plain', 'hello', { tool: withOutputSchema })),
    /it is text\/plain, not JSON\./,
  );
  assert.match(
    await textOf(response('application/json', '{"n":1', { tool: withOutputSchema, truncated: true })),
    /it was cut/,
  );
  assert.equal('isError' in (await legacy(response('application/json', '{"n":1}', { tool: withOutputSchema }))), false);
});

test('a 2026-07-28 result is complete and names the server', async () => {
  const result = await modern(response('text/plain', 'x'));
  assert.equal(result.resultType, 'complete');
  assert.deepEqual(result._meta['io.modelcontextprotocol/serverInfo'], { name: 'x', version: '1' });
});

test('JSON is decoded by its declared charset; undecodable JSON is passed on as bytes', async () => {
  const body = Buffer.from('{"a":"café"}', 'latin1');
  const read = await legacy(response('application/json; charset=iso-8859-1', body));
  assert.deepEqual(read.structuredContent, { a: 'café' });
  const { content, ...rest } = await legacy(response('application/json', body));
  assert.equal(content[0].resource.blob, body.toString('base64'));
  assert.equal('structuredContent' in rest, false);
});

test('a truncated response is decoded by its charset, and omitted where it is binary', async () => {
  const cut = { truncated: true };
  assert.match(
    await textOf(response('text/plain; charset=iso-8859-1', Buffer.from('café', 'latin1'), cut)),
    /^café\n\[Cut/,
  );
  assert.match(
    await textOf(response('text/plain; charset=utf-16le', Buffer.from('日本', 'utf16le'), cut)),
    /^日本\n\[Cut/,
  );
  for (const type of ['application/pdf', 'text/plain', null])
    assert.match(await textOf(response(type, Buffer.alloc(9, 0xfe), cut)), /^\[The response .* was left out\.\]$/);
});

test('a response without JSON names the reason it violates output_schema', async () => {
  const rendered = (type: string | null, body: string) => textOf(response(type, body, { tool: withOutputSchema }));
  assert.match(await rendered('application/json', ''), /: it is empty\./);
  assert.match(await rendered('application/json', '{"n":'), /: it is not valid JSON, or nested too deep\./);
  assert.match(await rendered('text/plain', 'n'), /: it is text\/plain, not JSON\./);
});
