// Responses that are neither JSON nor text, as REST and MCP clients get them: files with links, never bytes.

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openFileLink } from '../../src/features/files/files/link.ts';
import { readFile } from '../../src/features/files/files/read-file.ts';
import { callTool, legacy, modern } from '../mcp/rpc.ts';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { makeHook } from '../support/make/make-hook.ts';
import { execute, type MadeTool, makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startServer } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const tenant = await makeTenant(server);
const { keys } = tenant;

const make = (fields: object = {}, key = keys.write) => makeTool(server, key, customer, fields);
const respondWith = (tool: MadeTool, body: unknown, type: string, headers: Record<string, string> = {}) =>
  customer.respond(tool.endpoint_path, { headers: { 'content-type': type, ...headers }, body });
const run = async (tool: MadeTool, key = keys.read) => expectResponse(await execute(server, key, tool.id), 200);
const call = async (tool: MadeTool, send = modern, key = keys.read) =>
  (await callTool(send, server, key, tool.name)).body.result;
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const filesOf = (project_id: string) =>
  server.app.database.selectFrom('files').select(['id', 'name']).where('project_id', '=', project_id).execute();

async function bytesAt(url: string): Promise<Buffer> {
  const { pathname, searchParams } = new URL(url);
  const file = await openFileLink(server.app, pathname.split('/')[2] ?? '', searchParams.get('token') ?? '');
  assert.ok(file, `${url} can be read`);
  const parts: Buffer[] = [];
  for await (const part of readFile(server.app, file)) parts.push(part);
  return Buffer.concat(parts);
}

const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(40_000)]);

test('a PDF is a file over REST: no body, its name, type, size and hash, and a link that has its bytes', async () => {
  const tool = await make();
  respondWith(tool, pdf, 'application/pdf', { 'content-disposition': 'attachment; filename="Invoice 7.pdf"' });
  const { body, file, truncated } = await run(tool);
  assert.deepEqual([body, truncated, file.object], [null, false, 'file']);
  assert.deepEqual(
    [file.name, file.content_type, file.size, file.sha256],
    ['Invoice 7.pdf', 'application/pdf', pdf.length, sha256(pdf)],
  );
  assert.ok((await bytesAt(file.url)).equals(pdf));
});

test('a PDF is a link over MCP, in the text, as resource_link and structured, in every revision, and never its bytes', async () => {
  const tool = await make({
    output_schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
  });
  respondWith(tool, pdf, 'application/pdf');
  for (const send of [modern, legacy]) {
    const { content, structuredContent, isError } = await call(tool, send);
    const { file } = structuredContent;
    const { id, url, url_expires_at, expires_at } = file;
    const about = { name: `${tool.name}.pdf`, size: pdf.length };
    assert.deepEqual(content, [
      {
        type: 'text',
        text: `${tool.name}.pdf (application/pdf, 40.0 kB): ${url}, valid until ${url_expires_at}`,
      },
      { type: 'resource_link', uri: url, mimeType: 'application/pdf', ...about },
    ]);
    assert.deepEqual(file, { id, url, url_expires_at, expires_at, content_type: 'application/pdf', ...about });
    assert.equal(isError, undefined);
    assert.ok((await bytesAt(url)).equals(pdf));
  }
  const { content } = (
    await callTool(legacy, server, keys.read, tool.name, {}, { headers: { 'mcp-protocol-version': '2025-03-26' } })
  ).body.result;
  assert.deepEqual(
    content.map(({ type }: { type: string }) => type),
    ['text'],
    'older clients know no links',
  );
});

test('small pictures and sounds are content over MCP and files over REST; others and larger ones are files', async () => {
  const tool = await make();
  for (const [type, kind, bytes] of [
    ['image/png', 'image', randomBytes(1_000)],
    ['audio/mpeg', 'audio', randomBytes(1_000)],
    ['image/tiff', 'resource_link', randomBytes(1_000)],
    ['video/mp4', 'resource_link', randomBytes(1_000)],
    ['image/png', 'resource_link', randomBytes(2 ** 20 + 1)],
  ] as const) {
    respondWith(tool, bytes, type);
    const { content } = await call(tool);
    assert.equal(content.at(-1).type, kind, type);
    if (kind === 'image') assert.equal(content[0].data, bytes.toString('base64'));
    const { body, file } = await run(tool);
    assert.deepEqual([body, file.size], [null, bytes.length]);
  }
});

test('what is text stays text: SVG, HTML, a CSV that is downloaded, and text without a type', async () => {
  const tool = await make();
  for (const type of ['image/svg+xml', 'text/html; charset=utf-8', 'text/csv', 'application/octet-stream', 'x']) {
    respondWith(
      tool,
      '<svg/>',
      type,
      type === 'text/csv' ? { 'content-disposition': 'attachment; filename=a.csv' } : {},
    );
    const { body, file } = await run(tool);
    assert.deepEqual([body, file], ['<svg/>', undefined], type);
    assert.equal((await call(tool)).content[0].text, '<svg/>');
  }
  // The type says what it is, whatever is in it.
  respondWith(tool, 'text', 'application/pdf');
  assert.equal((await run(tool)).body, null);
  respondWith(tool, 'text', 'application/octet-stream', { 'content-disposition': 'attachment' });
  assert.equal((await run(tool)).body, null);
});

test('text and bytes beyond the limit become a whole file, compressed or not, up to 25 MB', async () => {
  const tool = await make({ timeout_ms: 30_000 });
  const text = Buffer.from('ä line of text\n'.repeat(200_000));
  for (const headers of [{}, { 'content-encoding': 'gzip' }] as Record<string, string>[]) {
    respondWith(tool, headers['content-encoding'] ? gzipSync(text) : text, 'text/plain; charset=utf-8', headers);
    const { body, truncated, file } = await run(tool);
    assert.deepEqual([body, truncated, file.name, file.sha256], [null, false, `${tool.name}.txt`, sha256(text)]);
    assert.ok((await bytesAt(file.url)).equals(text));
  }
  customer.respond(tool.endpoint_path, {
    headers: { 'content-type': 'application/zip' },
    repeat: { part: Buffer.alloc(1_000_000, 7), times: 26 },
  });
  const { error } = expectResponse(await execute(server, keys.read, tool.id), 502);
  assert.deepEqual([error.code, error.details.reason], ['RESULT_TOO_LARGE', 'file_too_large']);
});

test('a credential that an API repeats is not in the file, however it is cut into parts', async () => {
  const secret = 'sk_live_0123456789abcdef';
  const tool = await make({ auth_strategy: 'bearer_token', encrypted_auth_secret: secret });
  for (const count of [10, 200_000]) {
    respondWith(tool, Buffer.from(`x${secret}`.repeat(count)), 'application/zip');
    const { file } = await run(tool);
    const bytes = await bytesAt(file.url);
    assert.deepEqual([bytes.length, bytes.includes(secret)], [count * (secret.length + 1), false]);
  }
});

test('the name of a file has no path, control or bidi characters, and at most 200 bytes', async () => {
  const tool = await make();
  for (const [disposition, name] of [
    ['attachment; filename="../../etc/passwd"', 'passwd'],
    ["attachment; filename*=UTF-8''%E2%80%AEfdp.exe%0D%0Ax", 'fdp.exex'],
    ["attachment; filename=plain.pdf; filename*=UTF-8''%C3%BC%2F..%2Fb.pdf", 'b.pdf'],
    ['attachment; filename="a\\"b.pdf"', 'a"b.pdf'],
    ['attachment; filename=".."', 'file'],
    [`attachment; filename="${'x'.repeat(500)}.pdf"`, `${'x'.repeat(196)}.pdf`],
    ["attachment; filename*=UTF-8''%zz", `${tool.name}.pdf`],
  ] as const) {
    respondWith(tool, pdf, 'application/pdf', { 'content-disposition': disposition });
    assert.equal((await run(tool)).file.name, name);
  }
});

test('a tool that selects, drops or redacts never returns a file', async () => {
  for (const response of [{ select: ['a'] }, { drop: ['a'] }, { redact: ['@email'] }]) {
    const tool = await make({ response });
    const before = (await filesOf(tenant.id)).length;
    for (const bytes of [pdf, randomBytes(2 ** 21)]) {
      respondWith(tool, bytes, 'application/pdf');
      const { error } = expectResponse(await execute(server, keys.read, tool.id), 502);
      assert.equal(error.code, 'RESULT_NOT_SHAPED');
      assert.equal((await call(tool))._meta['toolgate/error'].code, 'RESULT_NOT_SHAPED');
    }
    assert.equal((await filesOf(tenant.id)).length, before);
  }
});

test('a project that stores no files refuses such a response, and shows small pictures over MCP', async () => {
  const none = await makeTenant(server);
  const body = { file_retention_seconds: 0 };
  expectResponse(await server.api('PATCH', `/projects/${none.id}/settings`, { key: none.keys.admin, body }), 200);
  const tool = await make({}, none.keys.write);
  for (const bytes of [pdf, randomBytes(2 ** 21)]) {
    respondWith(tool, bytes, 'application/pdf');
    const { error } = expectResponse(await execute(server, none.keys.read, tool.id), 502);
    assert.equal(error.code, 'RESULT_NOT_TEXT');
    const { isError, _meta } = await call(tool, modern, none.keys.read);
    assert.deepEqual([isError, _meta['toolgate/error'].code], [true, 'RESULT_NOT_TEXT']);
  }
  respondWith(tool, pdf, 'image/png');
  assert.equal((await call(tool, modern, none.keys.read)).content[0].type, 'image');
  assert.deepEqual(await filesOf(none.id), []);
});

test('hooks decide about a file by what it is, before it has a link; what they deny or replace is deleted', async () => {
  const { id: project_id, keys } = await makeTenant(server);
  const tool = await make({}, keys.write);
  respondWith(tool, pdf, 'application/pdf');
  let policy: object = { decision: 'allow' };
  const hook = await makeHook(server, customer, project_id, { points: ['after'], may_change: true }, () => ({
    body: policy,
  }));
  const { file } = await run(tool, keys.read);
  const [asked] = customer.at(hook.path);
  const { id, name, content_type, size, sha256 } = file;
  assert.deepEqual(JSON.parse(asked?.body.toString() ?? '').result, { file: { id, name, content_type, size, sha256 } });

  policy = { decision: 'deny', reason: 'confidential' };
  expectResponse(await execute(server, keys.read, tool.id), 403);
  assert.deepEqual(
    (await filesOf(project_id)).map((each) => each.id),
    [id],
  );

  policy = { decision: 'allow', result: { instead: true } };
  const replaced = await run(tool, keys.read);
  assert.deepEqual([replaced.body, replaced.file], [{ instead: true }, undefined]);
  assert.deepEqual(
    (await filesOf(project_id)).map((each) => each.id),
    [id],
  );
});

test('a repeated call gets the same file with a link of its own, and nothing once the file has gone', async () => {
  const tool = await make();
  respondWith(tool, pdf, 'application/pdf');
  const once = () => execute(server, keys.read, tool.id, {}, { 'idempotency-key': 'same' });
  const [first, again] = [expectResponse(await once(), 200), await once()];
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  const { file } = expectResponse(again, 200);
  assert.equal(file.id, first.file.id);
  assert.ok((await bytesAt(file.url)).equals(pdf));
  const stored = await server.app.database
    .selectFrom('idempotency_keys')
    .select('answer')
    .where('key', '=', 'same')
    .execute();
  assert.equal(stored.length, 1);
  await server.app.database.deleteFrom('files').where('id', '=', file.id).execute();
  const gone = expectResponse(await once(), 200);
  assert.deepEqual([gone.body, gone.file, gone.call_id], [null, null, first.call_id]);
});

test('the log and the recorded payload have name, size and hash, and neither bytes nor the token of the link', async () => {
  const recorded = await makeTenant(server);
  const body = { record_payloads: true };
  expectResponse(
    await server.api('PATCH', `/projects/${recorded.id}/settings`, { key: recorded.keys.admin, body }),
    200,
  );
  const tool = await make({}, recorded.keys.write);
  const bytes = Buffer.concat([Buffer.from('READABLE-BYTES-OF-THE-FILE'), pdf]);
  respondWith(tool, bytes, 'application/pdf');
  const { call_id, file } = await run(tool, recorded.keys.read);
  const path = `/projects/${recorded.id}/tool-calls/${call_id}`;
  const read = () => server.api('GET', path, { key: recorded.keys.admin });
  await waitUntil(async () => (await read()).body.result !== undefined, 10_000, 'the call and its payload are logged');
  const entry = await read();
  const { id, name, content_type, size, sha256 } = file;
  assert.deepEqual(entry.body.result, { file: { id, name, content_type, size, sha256 } });
  assert.equal(entry.body.response_bytes, bytes.length);
  assert.ok(!/token=|READABLE/.test(entry.text));
});

test('the listed output schema allows the file, with references that still lead where they did', async () => {
  const output_schema = {
    type: 'object',
    properties: { tree: { $ref: '#/$defs/node' } },
    $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' }, all: { $ref: '#' } } } },
  };
  const tool = await make({ output_schema });
  const { tools } = (await modern(server, keys.read, 'tools/list')).body.result;
  const { outputSchema } = tools.find(({ name }: MadeTool) => name === tool.name);
  assert.deepEqual([outputSchema.type, outputSchema.anyOf.length], ['object', 2]);
  const [own, file] = outputSchema.anyOf;
  assert.deepEqual(own.properties.tree, { $ref: '#/anyOf/0/$defs/node' });
  assert.deepEqual(own.$defs.node.properties, { next: { $ref: '#/anyOf/0/$defs/node' }, all: { $ref: '#/anyOf/0' } });
  assert.deepEqual(file.required, ['file']);
  assert.deepEqual(tool.output_schema, output_schema, 'the tool keeps what was saved');
});
