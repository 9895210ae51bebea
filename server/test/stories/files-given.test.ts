// File arguments: how callers give files to tools, and what the customer's API receives.

import assert from 'node:assert/strict';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import type { Project } from '../../src/access/caller.ts';
import { storeFile } from '../../src/features/files/files/store-file.ts';
import { findProject } from '../../src/features/projects/projects/find.ts';
import { callTool, modern } from '../mcp/rpc.ts';
import { expectResponse, makeKey, makeTenant } from '../support/make/make.ts';
import { makeHook } from '../support/make/make-hook.ts';
import { execute, type MadeTool, makeTool, received, toolFields } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startServer } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const customer = await startCustomer();
const chat = await startCustomer();
after(() => Promise.all([customer.close(), chat.close()]));
const server = await startServer({
  TOOLGATE_EGRESS_ALLOW: `${customer.address},${chat.address}`,
  TOOLGATE_FILE_HOSTS: 'localhost',
});
const tenant = await makeTenant(server);
const caller = await makeKey(server, tenant.id, ['read']);

const file = { type: 'string', format: 'file', description: 'The report' };
const withFile = { type: 'object', properties: { report: file, note: { type: 'string' } } };
const make = (fields: object = {}, key = tenant.keys.write) =>
  makeTool(server, key, customer, { context_in: 'headers', input_schema: withFile, ...fields });
const multipart = { body_format: 'multipart' };
const raw = { body_format: 'raw', body_argument: 'report' };
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const run = (tool: MadeTool, given: object, key = caller.key) => execute(server, key, tool.id, given);
const sent = (tool: MadeTool, given: object) => received(server, customer, caller.key, tool, given);

async function upload(bytes: Buffer, name = 'Q3.pdf', content_type = 'application/pdf', owner = caller) {
  const project = (await findProject(server.app, owner.project_id)) as Project;
  const body = (async function* () {
    yield bytes;
  })();
  return storeFile(server.app, { project, owner_id: owner.id, member_id: null }, { name, content_type, body });
}

const formOf = async ({ body, headers }: Awaited<ReturnType<typeof sent>>) =>
  new Response(new Uint8Array(body), { headers: { 'content-type': headers['content-type'] as string } }).formData();

async function problemOf(tool: MadeTool, given: object, key = caller.key) {
  const before = customer.requests.length;
  const { error } = expectResponse(await run(tool, given, key), 422);
  assert.equal(customer.requests.length, before, 'nothing was sent');
  return error.details.problems[0];
}

test('multipart sends the bytes of a file with its name and type, between the other parts', async () => {
  const tool = await make({ ...multipart, body_encoding: {} });
  const bytes = randomBytes(700_000);
  const { id } = await upload(bytes, 'Zoë "Q3".pdf');
  const form = await formOf(await sent(tool, { note: 'before', report: id, tag: 'after' }));
  assert.deepEqual([...form.keys()], ['note', 'report', 'tag']);
  const part = form.get('report') as File;
  assert.deepEqual([part.name, part.type, part.size], ['Zoë "Q3".pdf', 'application/pdf', bytes.length]);
  assert.ok(Buffer.from(await part.arrayBuffer()).equals(bytes));
  assert.deepEqual([form.get('note'), form.get('tag')], ['before', 'after']);
});

test('raw sends the file as the body, with its own type or that of the tool; JSON and forms have it as base64', async () => {
  const bytes = randomBytes(3_000);
  const { id } = await upload(bytes);
  const plain = await sent(await make(raw), { report: id, note: 'x' });
  assert.deepEqual([plain.headers['content-type'], plain.query], ['application/pdf', 'note=x']);
  assert.ok(plain.body.equals(bytes));
  const typed = await sent(await make({ ...raw, body_content_type: 'application/x-own' }), { report: id });
  assert.equal(typed.headers['content-type'], 'application/x-own');
  const json = JSON.parse((await sent(await make(), { report: id, note: 'x' })).body.toString());
  assert.deepEqual(json, { report: bytes.toString('base64'), note: 'x' });
  const form = new URLSearchParams((await sent(await make({ body_format: 'form' }), { report: id })).body.toString());
  assert.equal(form.get('report'), bytes.toString('base64'));
});

test('what is signed is the SHA-256 of the bytes that are sent, with files too', async () => {
  const secret = 'a secret of at least 32 characters';
  const bytes = randomBytes(400_000);
  const { id } = await upload(bytes);
  for (const fields of [multipart, raw, {}]) {
    const tool = await make({ ...fields, auth_strategy: 'hmac_signature', encrypted_auth_secret: secret });
    const request = await sent(tool, { report: id });
    const header = (name: string) => String(request.headers[`x-toolgate-${name}`] ?? '');
    const lines = [
      'v1',
      header('timestamp'),
      header('request-id'),
      'POST',
      request.headers.host,
      request.path,
      request.query,
      sha256(request.body),
      tenant.id,
      '',
      '',
    ];
    const expected = createHmac('sha256', secret).update(lines.join('\n')).digest('hex');
    assert.equal(header('signature'), `v1=${expected}`);
  }
});

test('a data: URI is a file of at most 64 KiB', async () => {
  const tool = await make(multipart);
  for (const [uri, type, text] of [
    ['data:text/csv;charset=utf-8;base64,YSxiDQo=', 'text/csv;charset=utf-8', 'a,b\r\n'],
    ['data:,a%20%C3%BC', 'text/plain', 'a ü'],
    ['data:;base64,', 'text/plain', ''],
  ] as const) {
    const part = (await formOf(await sent(tool, { report: uri }))).get('report') as File;
    assert.deepEqual([part.type, await part.text()], [type, text]);
  }
  const of = (size: number) => `data:application/pdf;base64,${Buffer.alloc(size, 1).toString('base64')}`;
  const largest = (await formOf(await sent(tool, { report: of(65_536) }))).get('report') as File;
  assert.deepEqual([largest.name, largest.size], ['report.pdf', 65_536]);
  for (const uri of [of(65_537), 'data:text/plain', 'data:;base64,***', 'data:,%zz', 'https://example.com/a.pdf', 'x'])
    assert.equal((await problemOf(tool, { report: uri })).field, 'report');
});

test('a file of another key, of another project, or one that has expired, is 422 with the argument named', async () => {
  const tool = await make(multipart);
  const other = await makeKey(server, tenant.id, ['read']);
  const elsewhere = await makeTenant(server);
  const stranger = await makeKey(server, elsewhere.id, ['read']);
  const bytes = Buffer.from('%PDF');
  const expected = { field: 'report', message: 'is not one of your files, or has expired: upload it again' };
  for (const owner of [other, stranger]) {
    const { id } = await upload(bytes, 'a.pdf', 'application/pdf', owner);
    assert.deepEqual(await problemOf(tool, { report: id }), expected);
  }
  const { id } = await upload(bytes);
  await server.app.database
    .updateTable('files')
    .set({ expires_at: new Date(0).toISOString() })
    .where('id', '=', id)
    .execute();
  assert.deepEqual(await problemOf(tool, { report: id }), expected);
  const text = (await callTool(modern, server, caller.key, tool.name, { report: id })).body.result.content[0].text;
  assert.match(text, /report/);
});

test('what ChatGPT refers to is downloaded from an allowed host, without redirects, and is not kept', async () => {
  const tool = await make(multipart);
  const bytes = randomBytes(600_000);
  const at = (path: string, host = 'localhost') => `https://${host}:${new URL(chat.url).port}${path}`;
  chat.respond('/a', { headers: { 'content-type': 'application/octet-stream' }, body: bytes });
  const given = {
    download_url: `${at('/a')}?sig=SECRET`,
    file_id: 'file_1',
    mime_type: 'image/png',
    file_name: '../My.png',
  };
  const part = (await formOf(await sent(tool, { report: given }))).get('report') as File;
  assert.deepEqual([part.name, part.type, part.size], ['My.png', 'image/png', bytes.length]);
  assert.ok(Buffer.from(await part.arrayBuffer()).equals(bytes));
  const { query } = chat.at('/a')[0] as { query: string };
  assert.equal(query, 'sig=SECRET');
  const left = await server.app.database.selectFrom('files').select('id').where('name', '=', 'My.png').execute();
  assert.deepEqual(left, []);

  chat.respond('/moved', { status: 302, headers: { location: at('/a') } });
  chat.respond('/gone', { status: 404 });
  chat.respond('/large', { repeat: { part: Buffer.alloc(1_000_000), times: 26 } });
  const refused: [string, RegExp][] = [
    [at('/a', '127.0.0.1'), /TOOLGATE_FILE_HOSTS/],
    [at('/a').replace('https:', 'http:'), /TOOLGATE_FILE_HOSTS/],
    [at('/a').replace('//', '//user:password@'), /TOOLGATE_FILE_HOSTS/],
    ['not a url', /TOOLGATE_FILE_HOSTS/],
    [at('/moved'), /downloaded/],
    [at('/gone'), /downloaded/],
    ['https://localhost:1/', /downloaded/],
    [at('/large'), /25000000 bytes/],
  ];
  for (const [download_url, message] of refused) {
    const problem = await problemOf(tool, { report: { download_url, file_id: 'x' } });
    assert.equal(problem.field, 'report');
    assert.match(problem.message, message, download_url);
  }
  assert.equal((await problemOf(tool, { report: { file_id: 'x' } })).field.split('.')[0], 'report');
});

test('base64 is at most 5 MB of files, and is refused before a person or a hook is asked', async () => {
  const { id } = await upload(Buffer.alloc(5_000_001));
  assert.match((await problemOf(await make({ confirm: { by: 'approver' } }), { report: id })).message, /5000000 bytes/);
  const small = await upload(Buffer.alloc(5_000_000));
  const request = await sent(await make({ body_format: 'form', timeout_ms: 30_000 }), { report: small.id });
  assert.equal(new URLSearchParams(request.body.toString()).get('report')?.length, Math.ceil(5_000_000 / 3) * 4);
});

test('a file argument that would go to the path, a header or the query is 422 when the tool is saved', async () => {
  for (const [fields, field] of [
    [{ endpoint_path: '/a/{{report}}' }, 'input_schema.properties.report'],
    [{ headers: { 'x-report': '{{report}}' } }, 'input_schema.properties.report'],
    [{ method: 'GET' }, 'input_schema.properties.report'],
    [{ method: 'DELETE' }, 'input_schema.properties.report'],
    [{ body_format: 'raw', body_argument: 'note' }, 'input_schema.properties.report'],
    [{ fixed_arguments: { report: 'data:,x' } }, 'fixed_arguments.report'],
  ] as const) {
    const body = toolFields(customer.url, { input_schema: withFile, ...fields });
    const { error } = expectResponse(await server.api('POST', '/custom-tools', { key: tenant.keys.write, body }), 422);
    assert.equal(error.details.field, field, JSON.stringify(fields));
  }
});

test('a file argument is listed as text or the object of ChatGPT, says what to give, and is named for ChatGPT', async () => {
  const tool = await make({
    input_schema: {
      ...withFile,
      properties: { ...withFile.properties, data: { type: 'string', format: 'binary' } },
      required: ['report', 'note'],
    },
  });
  const { tools } = (await modern(server, caller.key, 'tools/list')).body.result;
  const { inputSchema, _meta } = tools.find(({ name }: MadeTool) => name === tool.name);
  const { report, data } = inputSchema.properties;
  assert.deepEqual([report.anyOf[0], report.anyOf[1].required], [{ type: 'string' }, ['download_url', 'file_id']]);
  assert.match(report.description, /^The report A file: give the id/);
  assert.match(data.description, /^A file: /);
  assert.deepEqual(inputSchema.required, ['note']);
  assert.deepEqual(_meta['openai/fileParams'], ['report', 'data']);
});

test('hooks, approvals, the log and the payload learn name, size and hash, and never bytes, URLs or ids of files', async () => {
  const other = await makeTenant(server);
  const key = await makeKey(server, other.id, ['read']);
  const settings = { record_payloads: true };
  expectResponse(
    await server.api('PATCH', `/projects/${other.id}/settings`, { key: other.keys.admin, body: settings }),
    200,
  );
  const tool = await make({ ...multipart, confirm: { by: 'approver' } }, other.keys.write);
  let changed: ((given: Record<string, unknown>) => object) | null = null;
  const hook = await makeHook(server, customer, other.id, { may_change: true }, ({ body }) => {
    const { arguments: given } = JSON.parse(body.toString());
    return { body: { decision: 'allow', ...(changed && { arguments: changed(given) }) } };
  });
  const bytes = Buffer.from('READABLE-BYTES');
  const uri = `data:text/plain;base64,${bytes.toString('base64')}`;
  const told = { name: 'report.txt', content_type: 'text/plain', size: bytes.length, sha256: sha256(bytes) };
  const asked = expectResponse(await run(tool, { report: uri, note: 'n' }, key.key), 409);
  const { approval } = asked.error.details;
  assert.deepEqual(approval.arguments, { report: told, note: 'n' });
  assert.deepEqual(JSON.parse(customer.at(hook.path)[0]?.body.toString() ?? '').arguments, { report: told, note: 'n' });
  const path = `/projects/${other.id}/approvals/${approval.id}/approve`;
  expectResponse(await server.api('POST', path, { key: other.keys.admin, body: {} }), 200);
  const repeat = (report: string) =>
    execute(server, key.key, tool.id, { report, note: 'n' }, { 'x-toolgate-approval': approval.id });
  expectResponse(await repeat('data:text/plain;base64,b3RoZXI='), 409);
  // The same bytes in another way are what was approved.
  const { id } = await upload(bytes, 'report.txt', 'text/plain', key);
  changed = (given) => ({ ...given, note: 'changed' });
  expectResponse(await repeat(id), 409);
  changed = (given) => ({ ...given });
  const { call_id } = expectResponse(await repeat(id), 200);
  const form = await formOf(customer.at(tool.endpoint_path)[0] as any);
  assert.equal(await (form.get('report') as File).text(), bytes.toString());

  const read = () => server.api('GET', `/projects/${other.id}/tool-calls/${call_id}`, { key: other.keys.admin });
  await waitUntil(async () => (await read()).status === 200, 10_000, 'the call is in the log');
  const entry = await read();
  assert.deepEqual(entry.body.arguments, { report: told, note: 'n' });
  assert.ok(!entry.text.includes(id) && !entry.text.includes('READABLE'));
});

test('a file that a pending approval names lives as long as the approval', async () => {
  const tool = await make({ ...multipart, confirm: { by: 'approver' } });
  const { id, expires_at } = await upload(Buffer.from('x'));
  const { error } = expectResponse(await run(tool, { report: id }), 409);
  const kept = await server.app.database
    .selectFrom('files')
    .select('expires_at')
    .where('id', '=', id)
    .executeTakeFirst();
  assert.ok(Date.parse(kept?.expires_at ?? '') > Date.parse(expires_at));
  assert.ok(Date.parse(kept?.expires_at ?? '') >= Date.parse(error.details.approval.expires_at));
});

test('a preview shows where the file goes, and reads none', async () => {
  const tool = await make({ ...multipart, auth_strategy: 'hmac_signature', encrypted_auth_secret: 'x'.repeat(32) });
  const preview = (body: object) =>
    server.api('POST', `/custom-tools/${tool.id}/preview`, { key: tenant.keys.write, body });
  const { body, canonical_string, problems } = expectResponse(
    await preview({ arguments: { report: 'data:,secret' } }),
    200,
  );
  assert.match(body, /name="report"; filename="report"[\s\S]*\[the bytes of report\]/);
  assert.deepEqual([canonical_string, problems, body.includes('secret')], [null, [], false]);
});
