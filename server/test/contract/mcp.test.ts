// Contract 7, sentence by sentence, in both revisionSenders of the protocol.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { reasonRows } from '@toolgate/contract/errors.ts';
import { callTool, type legacy, revisionSenders } from '../mcp/rpc.ts';
import { expectResponse, makeKey, makeTenant } from '../support/make/make.ts';
import { makeMemberTenant, makeSession } from '../support/make/make-members.ts';
import { makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import type { ApiResponse } from '../support/requests/call-api.ts';
import { freePort } from '../support/servers/free-port.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const dead = await freePort();
const server = await startServer({
  TOOLGATE_EGRESS_ALLOW: `${customer.address},127.0.0.1:${dead}`,
  TOOLGATE_PUBLIC_URL: 'https://tools.example.com',
});
const tenant = await makeMemberTenant(server);
const member = (await makeSession(server, tenant)).session_token;
const key = tenant.integrationKey.key;
const make = (fields: object = {}, at: { url: string } = customer) => makeTool(server, tenant.keys.write, at, fields);

const docsUrl = (anchor: string) => `https://tools.example.com/docs/errors#${anchor}`;

/** A refusal of the request: HTTP's status, and a JSON-RPC error with the request's id, the spec's words and the envelope. */
function expectRefusal(response: ApiResponse, status: number, code: string, message: string): any {
  assert.equal(response.status, status, response.text);
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
  const { jsonrpc, id, error } = response.body;
  assert.deepEqual([jsonrpc, id, error.message], ['2.0', 7, message]);
  const { details, docs_url, ...data } = error.data;
  const remedy = code === 'INVALID_API_KEY' ? { remedy: reasonRows.invalid_api_key.remedy } : {};
  assert.deepEqual(data, { code, message, request_id: response.headers.get('x-request-id'), ...remedy });
  assert.equal(typeof details, 'object');
  assert.equal(docs_url, docsUrl(details.reason ?? code.toLowerCase()));
  return error.data;
}

type Failure = { status: number; code: string; message: string; retryable: boolean };

/** What went wrong in the call itself: a result, with words for the model and our error for its program. */
function expectFailedCall(response: ApiResponse, expected: Failure): string {
  assert.equal(response.status, 200, response.text);
  const { isError, content, _meta, ...rest } = response.body.result;
  assert.equal(isError, true, response.text);
  assert.equal('structuredContent' in rest, false);
  const { docs_url, ...error } = _meta['toolgate/error'];
  assert.deepEqual(error, expected);
  assert.ok(docs_url.startsWith(docsUrl('')), docs_url);
  const text = content.map((block: { text: string }) => block.text).join('\n');
  assert.ok(text.startsWith(expected.message), text);
  return text;
}

const names = async (send: typeof legacy, as: string): Promise<string[]> =>
  (await send(server, as, 'tools/list')).body.result.tools.map(({ name }: { name: string }) => name);

for (const [revision, send] of Object.entries(revisionSenders)) {
  test(`${revision}: 401 for a missing, malformed, unknown or revoked key, and where to get one`, async () => {
    const revoked = await makeKey(server, tenant.id, ['read']);
    const path = `/projects/${tenant.id}/api-keys/${revoked.id}/revoke`;
    expectResponse(await server.api('POST', path, { key: ROOT_KEY }), 200);
    for (const bad of [undefined, 'nonsense', `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`, revoked.key]) {
      const response = await send(server, bad, 'tools/list');
      expectRefusal(response, 401, 'INVALID_API_KEY', 'Invalid or inactive API key');
      assert.equal(
        response.headers.get('www-authenticate'),
        'Bearer resource_metadata="https://tools.example.com/.well-known/oauth-protected-resource/api/v1/mcp"',
      );
    }
  });

  test(`${revision}: 401 Member JWT has expired`, async () => {
    const { session_token } = await makeSession(server, tenant);
    server.advance(15 * 60_000 + 1_000);
    const response = await send(server, session_token, 'tools/list');
    server.advance(-(15 * 60_000 + 1_000));
    expectRefusal(response, 401, 'MEMBER_SESSION_EXPIRED', 'Member JWT has expired');
    assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer resource_metadata=/);
  });

  test(`${revision}: 403 Tool not enabled for this project`, async () => {
    const tool = await make({ is_enabled: false });
    for (const as of [key, member]) {
      const response = await callTool(send, server, as, tool.name);
      expectRefusal(response, 403, 'TOOL_NOT_ENABLED', 'Tool not enabled for this project');
    }
    assert.deepEqual(customer.at(tool.endpoint_path), []);
  });

  test(`${revision}: 403 Member context required for this tool, for a plain API key`, async () => {
    const tool = await make({ require_member: true });
    const response = await callTool(send, server, tenant.keys.admin, tool.name);
    expectRefusal(response, 403, 'MEMBER_CONTEXT_REQUIRED', 'Member context required for this tool');
    assert.deepEqual(customer.at(tool.endpoint_path), []);
    assert.equal((await callTool(send, server, member, tool.name)).body.result.isError, undefined);
  });

  test(`${revision}: 403 for the root key: it calls no tools`, async () => {
    const response = await send(server, ROOT_KEY, 'tools/list', {}, { headers: { 'x-project-id': tenant.id } });
    expectRefusal(response, 403, 'INSUFFICIENT_PERMISSIONS', 'Insufficient permissions');
  });

  test(`${revision}: 429 with Retry-After once the plan is used up; calls of tools and lists count alike`, async () => {
    const small = await makeTenant(server, { plan: 'enterprise', requests_per_hour: 3 });
    const tool = await makeTool(server, small.keys.write, customer);
    assert.equal((await send(server, small.keys.read, 'tools/list')).headers.get('x-ratelimit-remaining'), '1');
    assert.equal((await callTool(send, server, small.keys.read, tool.name)).headers.get('x-ratelimit-remaining'), '0');
    const response = await callTool(send, server, small.keys.read, tool.name);
    expectRefusal(response, 429, 'RATE_LIMIT_EXCEEDED', 'Rate limit exceeded');
    assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d{0,3}$/);
    const wait_ms = Number(response.headers.get('retry-after')) * 1000;
    server.advance(wait_ms);
    const later = await callTool(send, server, small.keys.read, tool.name);
    server.advance(-wait_ms);
    assert.equal(later.status, 200);
  });

  test(`${revision}: a tool that does not exist, or is another project's, is -32602 in a 200`, async () => {
    const other = await makeTenant(server);
    const theirs = await makeTool(server, other.keys.write, customer);
    for (const name of ['no_such_tool', theirs.name, theirs.id, '', 'a b', 'constructor']) {
      const { status, body } = await callTool(send, server, key, name);
      assert.deepEqual([status, body.id, body.error.code], [200, 7, -32602], name);
    }
  });

  test(`${revision}: a reserved variable is the model's to leave out, and nothing is sent`, async () => {
    const tool = await make();
    for (const name of ['member_id', 'project_id', 'integration_id']) {
      const text = expectFailedCall(await callTool(send, server, key, tool.name, { [name]: 'x' }), {
        status: 400,
        code: 'RESERVED_VARIABLE',
        message: 'Reserved variable cannot be provided as user input',
        retryable: false,
      });
      assert.match(text, new RegExp(name));
    }
    assert.deepEqual(customer.at(tool.endpoint_path), []);
  });

  test(`${revision}: arguments that violate the schema are reported to the model by name, and nothing is sent`, async () => {
    const properties = { city: { type: 'string' } };
    const tool = await make({ input_schema: { type: 'object', properties, required: ['city'] } });
    const text = expectFailedCall(await callTool(send, server, key, tool.name, { city: 7 }), {
      status: 422,
      code: 'VALIDATION_ERROR',
      message: 'Validation error',
      retryable: false,
    });
    assert.match(text, /city/);
    assert.deepEqual(customer.at(tool.endpoint_path), []);
  });

  test(`${revision}: an upstream error is reported with its status and body, and whether to retry`, async () => {
    for (const [status, retryable] of [
      [404, false],
      [302, false],
      [429, true],
      [503, true],
    ] as const) {
      const tool = await make();
      customer.respond(tool.endpoint_path, { status, body: 'the order desk is closed' });
      const text = expectFailedCall(await callTool(send, server, key, tool.name), {
        status: 502,
        code: 'UPSTREAM_STATUS',
        message: 'Upstream tool call failed - non-2xx response',
        retryable,
      });
      assert.match(text, new RegExp(`${status}.*the order desk is closed`));
    }
  });

  test(`${revision}: a customer that cannot be reached is 502, and may be reached later`, async () => {
    const tool = await make({}, { url: `https://127.0.0.1:${dead}` });
    const text = expectFailedCall(await callTool(send, server, key, tool.name), {
      status: 502,
      code: 'UPSTREAM_CONNECTION',
      message: 'Upstream tool call failed - connection error',
      retryable: true,
    });
    assert.doesNotMatch(text, /ECONNREFUSED|127\.0\.0\.1/);
  });

  test(`${revision}: a customer that does not answer in time is 500 Tool execution timed out`, async () => {
    const tool = await make({ timeout_ms: 1_000 });
    customer.respond(tool.endpoint_path, { hang: true });
    expectFailedCall(await callTool(send, server, key, tool.name), {
      status: 500,
      code: 'TOOL_TIMED_OUT',
      message: 'Tool execution timed out',
      retryable: true,
    });
  });

  test(`${revision}: a damaged secret is 500 Failed to decrypt auth secret, and nothing is sent`, async () => {
    const tool = await make({ auth_strategy: 'bearer_token', encrypted_auth_secret: 'hello' });
    const { auth_secret } = await server.app.database
      .selectFrom('custom_tools')
      .select('auth_secret')
      .where('id', '=', tool.id)
      .executeTakeFirstOrThrow();
    const damaged = auth_secret?.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A')) ?? '';
    await server.app.database
      .updateTable('custom_tools')
      .set({ auth_secret: damaged })
      .where('id', '=', tool.id)
      .execute();
    expectFailedCall(await callTool(send, server, key, tool.name), {
      status: 500,
      code: 'AUTH_SECRET_UNREADABLE',
      message: 'Failed to decrypt auth secret',
      retryable: false,
    });
    assert.deepEqual(customer.at(tool.endpoint_path), []);
  });

  test(`${revision}: tools/list shows what this credential can call and nothing else`, async () => {
    const [plain, off, forMembers] = [
      await make(),
      await make({ is_enabled: false }),
      await make({ require_member: true }),
    ];
    const other = await makeTool(server, (await makeTenant(server)).keys.write, customer);
    const asKey = await names(send, key);
    const asMember = await names(send, member);
    assert.deepEqual([asKey.includes(plain.name), asMember.includes(plain.name)], [true, true]);
    assert.deepEqual([asKey.includes(forMembers.name), asMember.includes(forMembers.name)], [false, true]);
    for (const list of [asKey, asMember]) {
      assert.equal(list.includes(off.name) || list.includes(other.name), false);
      assert.deepEqual(list, list.toSorted());
    }
  });

  test(`${revision}: a tool is listed with its title, description, schemas, annotations and definition hash`, async () => {
    const told = {
      title: 'Find an order',
      description: 'Finds one order by its number',
      annotations: { readOnlyHint: true, openWorldHint: false },
      input_schema: { type: 'object', properties: { z: { type: 'string' }, a: { type: 'integer' } } },
      output_schema: { type: 'object', properties: { ok: { type: 'boolean' } } },
    };
    const tool = await make(told);
    const { tools } = (await send(server, key, 'tools/list')).body.result;
    const listed = tools.find(({ name }: { name: string }) => name === tool.name);
    const { input_schema: inputSchema, output_schema: outputSchema, ...rest } = told;
    const derived = { destructiveHint: false, idempotentHint: false };
    const annotations = { title: told.title, ...told.annotations, ...derived };
    const _meta = { 'toolgate/definition_hash': tool.definition_hash };
    const { outputSchema: results, ...others } = listed;
    assert.deepEqual(others, { name: tool.name, ...rest, annotations, inputSchema, _meta });
    assert.deepEqual([results.type, results.anyOf[0]], ['object', outputSchema]);
    // The customer's own order is kept: a model reads it.
    assert.deepEqual(Object.keys(listed.inputSchema.properties), ['z', 'a']);
  });

  test(`${revision}: a JSON object becomes structured content and text, and the call is named`, async () => {
    const tool = await make();
    const body = '{ "total": 10.50, "big": 12345678901234567890 }';
    customer.respond(tool.endpoint_path, { headers: { 'content-type': 'application/json' }, body });
    const response = await callTool(send, server, key, tool.name);
    const { content, structuredContent, isError, _meta } = response.body.result;
    assert.deepEqual(content, [{ type: 'text', text: body }]);
    assert.equal(structuredContent.total, 10.5);
    assert.equal(isError, undefined);
    assert.match(_meta['toolgate/call_id'], /^call_[0-9A-Za-z]{22}$/);
    assert.ok(response.text.includes(`"structuredContent":${body}`), 'a number keeps its digits');
  });

  test(`${revision}: images and audio become MCP content`, async () => {
    for (const [type, content_type] of [
      ['image', 'image/png'],
      ['audio', 'audio/wav'],
    ]) {
      const tool = await make();
      const body = Buffer.from([0x89, 0x00, 0xff]);
      customer.respond(tool.endpoint_path, { headers: { 'content-type': content_type as string }, body });
      const { content } = (await callTool(send, server, key, tool.name)).body.result;
      assert.deepEqual(content, [{ type, mimeType: content_type, data: body.toString('base64') }]);
    }
  });

  test(`${revision}: text over the size cap is a link, and cut with a notice in a project without files`, async () => {
    const small = await makeTenant(server);
    const path = `/projects/${small.id}/settings`;
    expectResponse(await server.api('PATCH', path, { key: small.keys.admin, body: { max_response_bytes: 1024 } }), 200);
    const tool = await makeTool(server, small.keys.write, customer);
    customer.respond(tool.endpoint_path, { body: 'ä'.repeat(2000) });
    const linked = (await callTool(send, server, small.keys.read, tool.name)).body.result;
    assert.deepEqual(
      [linked.isError, linked.content[1].type, linked.content[1].size],
      [undefined, 'resource_link', 4000],
    );
    const none = { file_retention_seconds: 0 };
    expectResponse(await server.api('PATCH', path, { key: small.keys.admin, body: none }), 200);
    const { content, isError } = (await callTool(send, server, small.keys.read, tool.name)).body.result;
    assert.equal(isError, undefined);
    assert.match(content[0].text, /^ä{512}\n\[Cut: .*1024 bytes/);
  });

  test(`${revision}: a response that violates output_schema is reported as an error`, async () => {
    const properties = { total: { type: 'number' } };
    const tool = await make({ output_schema: { type: 'object', properties, required: ['total'] } });
    customer.respond(tool.endpoint_path, { body: { total: 'much' } });
    const text = expectFailedCall(await callTool(send, server, key, tool.name), {
      status: 502,
      code: 'OUTPUT_SCHEMA_MISMATCH',
      message: 'The response does not match output_schema',
      retryable: false,
    });
    assert.match(text, /total/);
    assert.match(text, /\{"total":"much"\}/);
    customer.respond(tool.endpoint_path, { body: { total: 1 } });
    assert.deepEqual((await callTool(send, server, key, tool.name)).body.result.structuredContent, { total: 1 });
  });
}
