// A required file that is left out of a call: the user is asked to upload it, and the same call takes it.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { storeUpload } from '../../src/features/files/uploads/store-upload.ts';
import { readUploadTicket } from '../../src/features/files/uploads/ticket.ts';
import { callTool, legacy, modern } from '../mcp/rpc.ts';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { makeMemberTenant, makeSession } from '../support/make/make-members.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startServer } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const members = await makeMemberTenant(server);
const tenant = await makeTenant(server);

const input_schema = {
  type: 'object',
  properties: { report: { type: 'string', format: 'file' }, note: { type: 'string' } },
  required: ['report'],
};
const make = (key: string, fields: object = {}) =>
  makeTool(server, key, customer, { body_format: 'multipart', context_in: 'headers', input_schema, ...fields });
const tool = await make(members.keys.write);
const given = { note: 'n' };

/** As the upload page does. */
async function upload(url: string, text: string) {
  const ticket = await readUploadTicket(server.app, new URL(url).pathname.split('/').at(-1) ?? '');
  assert.ok(ticket, url);
  const body = (async function* () {
    yield Buffer.from(text);
  })();
  return storeUpload(server.app, ticket, { name: 'a.txt', content_type: 'text/plain', body });
}

const lastReport = async () => {
  const { body, headers } = customer.requests.at(-1) as (typeof customer.requests)[number];
  const init = { headers: { 'content-type': headers['content-type'] as string } };
  const form = await new Response(new Uint8Array(body), init).formData();
  return (form.get('report') as File).text();
};

const meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } } };

test('a key gets the link and the id that the upload will have, which is then the argument', async () => {
  const own = await make(tenant.keys.write);
  const { error } = expectResponse(await execute(server, tenant.keys.read, own.id, given), 409);
  assert.equal(error.code, 'FILE_REQUIRED');
  const { field, upload_url, file_id, remedy } = error.details;
  assert.equal(field, 'report');
  assert.ok(remedy.includes(file_id) && !remedy.includes(upload_url));
  assert.deepEqual(customer.at(own.endpoint_path), []);
  const { id } = await upload(upload_url, 'of a key');
  assert.equal(id, file_id);
  // Many people may call with one key: the same call does not take it.
  expectResponse(await execute(server, tenant.keys.read, own.id, given), 409);
  expectResponse(await execute(server, tenant.keys.read, own.id, { ...given, report: file_id }), 200);
  assert.equal(await lastReport(), 'of a key');
  expectResponse(await execute(server, tenant.keys.write, own.id, { ...given, report: file_id }), 422);
});

test('over MCP the model of a client that opens no URLs reads the link, and the same call takes the file', async () => {
  const { session_token } = await makeSession(server, members);
  for (const [name, send] of Object.entries({ modern, legacy })) {
    const call = async () => (await callTool(send, server, session_token, tool.name, { note: name })).body.result;
    const asked = await call();
    assert.deepEqual([asked.isError, asked._meta['toolgate/error'].code], [true, 'FILE_REQUIRED']);
    const url = /http\S+\/upload\/[\w.-]+/.exec(asked.content[0].text)?.[0].replace(/\.$/, '') as string;
    await upload(url, `of ${name}`);
    assert.equal((await call()).isError, undefined);
    assert.equal(await lastReport(), `of ${name}`);
  }
});

test('a client that opens URLs is asked to, and its retry takes the file; another call or member does not', async () => {
  const { session_token } = await makeSession(server, members, 'ada');
  const other = await makeSession(server, members, 'bob');
  const call = async (more: object = {}, token = session_token, note = 'asked') => {
    const params = { name: tool.name, arguments: { note }, _meta: meta, ...more };
    return (await modern(server, token, 'tools/call', params)).body.result;
  };
  const asked = await call();
  assert.equal(asked.resultType, 'input_required');
  const { mode, url, message } = asked.inputRequests.upload.params;
  assert.equal(mode, 'url');
  assert.match(message, /report/);
  // It waits for the person, who uploads it meanwhile.
  const retried = call({ inputResponses: { upload: { action: 'accept' } } });
  await upload(url, 'by ada');
  assert.equal((await retried).isError, undefined);
  assert.equal(await lastReport(), 'by ada');
  for (const [token, note] of [
    [other.session_token, 'asked'],
    [session_token, 'another'],
  ] as const)
    assert.equal((await call({}, token, note)).resultType, 'input_required');
  const declined = await call({ inputResponses: { upload: { action: 'decline' } } }, session_token, 'declined');
  assert.deepEqual([declined.isError, declined._meta['toolgate/error'].code], [true, 'FILE_REQUIRED']);
});

test('such a call is in the log as one that waits, without the link', async () => {
  const own = await make(tenant.keys.write);
  const { error } = expectResponse(await execute(server, tenant.keys.read, own.id, given), 409);
  const path = `/projects/${tenant.id}/tool-calls?tool_id=${own.id}`;
  const list = () => server.api('GET', path, { key: tenant.keys.admin });
  await waitUntil(async () => (await list()).body.data?.length === 1, 10_000, 'the call is in the log');
  const { text, body } = await list();
  assert.deepEqual([body.data[0].error_code, body.data[0].is_waiting], ['FILE_REQUIRED', true]);
  assert.ok(!text.includes(new URL(error.details.upload_url).pathname.split('.').at(-1) as string));
});

test('an approval is asked for after the file is there, and covers exactly its bytes', async () => {
  const own = await make(tenant.keys.write, { confirm: { by: 'approver' } });
  const first = expectResponse(await execute(server, tenant.keys.read, own.id, given), 409).error;
  assert.equal(first.code, 'FILE_REQUIRED');
  const { id } = await upload(first.details.upload_url, 'approved');
  const second = expectResponse(await execute(server, tenant.keys.read, own.id, { ...given, report: id }), 409).error;
  assert.equal(second.code, 'CONFIRMATION_REQUIRED');
  const { report } = second.details.approval.arguments;
  const sha256 = createHash('sha256').update('approved').digest('hex');
  assert.deepEqual(report, { name: 'a.txt', content_type: 'text/plain', size: 8, sha256 });
});

test('a project that stores no files refuses the call', async () => {
  const none = await makeTenant(server);
  const body = { file_retention_seconds: 0 };
  expectResponse(await server.api('PATCH', `/projects/${none.id}/settings`, { key: none.keys.admin, body }), 200);
  const own = await make(none.keys.write);
  const { error } = expectResponse(await execute(server, none.keys.read, own.id, given), 409);
  assert.equal(error.code, 'FILES_NOT_STORED');
  expectResponse(await execute(server, none.keys.read, own.id, { report: 'data:,small' }), 200);
});
