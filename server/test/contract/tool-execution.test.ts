// Spec 7, "model connection and tool execution" and "tool execution details": the rows about a call, in the spec's order,
// each with its exact string; what is refused before it is sent never reaches the customer.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { reasonRows } from '@toolgate/contract/errors.ts';
import { expectResponse, makeKey, makeTenant } from '../support/make/make.ts';
import { makeMemberTenant, makeSession } from '../support/make/make-members.ts';
import { execute, type MadeTool, makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import type { ApiResponse } from '../support/requests/call-api.ts';
import { freePort } from '../support/servers/free-port.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const dead = await freePort();
// No address in a response is the server's own.
const TOOLGATE_PUBLIC_URL = 'https://tools.example.com';
const server = await startServer({
  TOOLGATE_PUBLIC_URL,
  TOOLGATE_EGRESS_ALLOW: `${customer.address},127.0.0.1:${dead}`,
});
const tenant = await makeMemberTenant(server);
const member = await makeSession(server, tenant);
const callKey = tenant.integrationKey.key;
const make = (fields: object = {}, base: { url: string } = customer) =>
  makeTool(server, tenant.keys.write, base, fields);

/** Refused with exactly these words and this code, and nothing was sent. */
async function refused(
  tool: MadeTool,
  response: ApiResponse,
  status: number,
  message: string,
  code: string,
): Promise<any> {
  const body = expectResponse(response, status, message);
  assert.equal(body.error.code, code);
  const start = tool.endpoint_path.split('{', 1)[0] as string;
  assert.deepEqual(
    customer.requests.filter(({ path }) => path.startsWith(start)),
    [],
    'the customer was called',
  );
  return body.error;
}

// ---- model connection and tool execution
test('401 Invalid or inactive API key: wrong, revoked or of a different project', async () => {
  const tool = await make();
  const revoked = await makeKey(server, tenant.id, ['read']);
  expectResponse(
    await server.api('POST', `/projects/${tenant.id}/api-keys/${revoked.id}/revoke`, { key: ROOT_KEY }),
    200,
  );
  for (const key of ['nonsense', `${callKey.slice(0, -1)}${callKey.endsWith('x') ? 'y' : 'x'}`, revoked.key])
    await refused(tool, await execute(server, key, tool.id), 401, 'Invalid or inactive API key', 'INVALID_API_KEY');
  // A key of another project is good there, where this tool does not exist.
  const other = await makeTenant(server);
  await refused(tool, await execute(server, other.keys.admin, tool.id), 404, 'Not found', 'NOT_FOUND');
  await refused(tool, await execute(server, other.keys.admin, tool.name), 404, 'Not found', 'NOT_FOUND');
});

test('401 Member JWT has expired: a session token older than 15 minutes', async () => {
  const tool = await make();
  const old = await makeSession(server, tenant);
  server.advance(15 * 60_000 + 1_000);
  const response = await execute(server, old.session_token, tool.id);
  server.advance(-(15 * 60_000 + 1_000));
  await refused(tool, response, 401, 'Member JWT has expired', 'MEMBER_SESSION_EXPIRED');
});

test('403 Tool not enabled for this project', async () => {
  const tool = await make({
    is_enabled: false,
    require_member: true,
    input_schema: { type: 'object', required: ['a'] },
  });
  for (const key of [callKey, tenant.keys.admin, member.session_token]) {
    const response = await execute(server, key, tool.id, { member_id: 'x' });
    await refused(tool, response, 403, 'Tool not enabled for this project', 'TOOL_NOT_ENABLED');
  }
});

test('403 Member context required for this tool: a plain API key, whatever it may do', async () => {
  const tool = await make({ require_member: true, input_schema: { type: 'object', required: ['a'] } });
  for (const key of [callKey, tenant.keys.admin]) {
    const response = await execute(server, key, tool.id, { member_id: 'x' });
    await refused(tool, response, 403, 'Member context required for this tool', 'MEMBER_CONTEXT_REQUIRED');
  }
});

test('500 Tool execution failed: a call that could not be made', async () => {
  const tool = await make({
    auth_strategy: 'oauth2_client_credentials',
    encrypted_auth_secret: 's',
    auth_config: { client_id: 'c', token_url: `${customer.url}/empty-token` },
  });
  customer.respond('/empty-token', { body: {} });
  const response = await execute(server, callKey, tool.id);
  await refused(tool, response, 500, 'Tool execution failed', 'TOOL_EXECUTION_FAILED');
});

// ---- tool execution details
for (const name of ['member_id', 'project_id', 'integration_id', 'Member_ID', 'PROJECT_ID']) {
  test(`400 Reserved variable cannot be provided as user input: ${name}`, async () => {
    const tool = await make({ input_schema: { type: 'object', required: ['a'] } });
    for (const key of [callKey, member.session_token]) {
      const response = await execute(server, key, tool.id, { [name]: 'x' });
      const error = await refused(
        tool,
        response,
        400,
        'Reserved variable cannot be provided as user input',
        'RESERVED_VARIABLE',
      );
      assert.deepEqual([error.details.field, error.details.reason], [name, 'reserved_variable']);
    }
  });
}

test('500 Failed to decrypt auth secret: a stored secret that was damaged, moved to another tool or emptied', async () => {
  const [one, two] = [await make(signed('one')), await make(signed('two'))];
  const blob = async (id: string) =>
    (
      await server.app.database
        .selectFrom('custom_tools')
        .select('auth_secret')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).auth_secret as string;
  const good = await blob(one.id);
  const last = good.at(-1) === 'A' ? 'B' : 'A';
  for (const bad of [good.slice(0, -1) + last, await blob(two.id), '', 'v1.t1.nothing', good.slice(0, -8)]) {
    await server.app.database.updateTable('custom_tools').set({ auth_secret: bad }).where('id', '=', one.id).execute();
    server.app.cache.invalidate(tenant.id);
    const response = await execute(server, callKey, one.id);
    const error = await refused(one, response, 500, 'Failed to decrypt auth secret', 'AUTH_SECRET_UNREADABLE');
    assert.deepEqual(Object.keys(error.details), ['reason', 'remedy']);
  }
  await server.app.database.updateTable('custom_tools').set({ auth_secret: good }).where('id', '=', one.id).execute();
  server.app.cache.invalidate(tenant.id);
  expectResponse(await execute(server, callKey, one.id), 200);
});

test('500 Tool execution timed out', async () => {
  const tool = await make({ timeout_ms: 1000 });
  customer.respond(tool.endpoint_path, { hang: true });
  const body = expectResponse(await execute(server, callKey, tool.id), 500, 'Tool execution timed out');
  assert.equal(body.error.code, 'TOOL_TIMED_OUT');
});

for (const status of [300, 302, 307, 400, 401, 404, 429, 500, 503]) {
  test(`502 Upstream tool call failed - non-2xx response: ${status}`, async () => {
    const tool = await make();
    customer.respond(tool.endpoint_path, {
      status,
      body: 'what went wrong',
      headers: { location: `${customer.url}/elsewhere`, 'x-inside': 'inside' },
    });
    const response = await execute(server, callKey, tool.id);
    const { error } = expectResponse(response, 502, 'Upstream tool call failed - non-2xx response');
    assert.equal(error.code, 'UPSTREAM_STATUS');
    const { remedy: _, ...details } = error.details;
    assert.deepEqual(details, { upstream_status: status, body: 'what went wrong', reason: 'upstream_status' });
    assert.ok(!JSON.stringify([response.text, [...response.headers]]).includes('inside'));
    assert.deepEqual(customer.at('/elsewhere'), []);
  });
}

test('at most 2 KiB of an upstream error are shown, cut between characters', async () => {
  const tool = await make();
  customer.respond(tool.endpoint_path, { status: 500, body: `a${'é'.repeat(50_000)}` });
  const { error } = expectResponse(await execute(server, callKey, tool.id), 502);
  assert.equal(error.details.body, `a${'é'.repeat(1023)}`);
});

test('502 Upstream tool call failed - connection error: unreachable, blocked and unknown look the same', async () => {
  const bases = [`https://127.0.0.1:${dead}`, `https://no-such-host.invalid`];
  const bodies = [];
  for (const url of bases) {
    const tool = await make({ timeout_ms: 5000 }, { url });
    const response = await execute(server, callKey, tool.id);
    const { error } = expectResponse(response, 502, 'Upstream tool call failed - connection error');
    assert.ok(!/127\.0\.0\.1|ECONN|ENOTFOUND|getaddrinfo|undici/i.test(response.text));
    bodies.push({ ...error, request_id: '' });
  }
  // Saved while it was allowed; judged again when it is called.
  const tool = await make();
  await server.app.database
    .updateTable('custom_tools')
    .set({ base_url: 'https://10.0.0.1' })
    .where('id', '=', tool.id)
    .execute();
  server.app.cache.invalidate(tenant.id);
  bodies.push({ ...expectResponse(await execute(server, callKey, tool.id), 502).error, request_id: '' });
  for (const body of bodies)
    assert.deepEqual(body, {
      code: 'UPSTREAM_CONNECTION',
      message: 'Upstream tool call failed - connection error',
      details: { reason: 'upstream_connection', remedy: reasonRows.upstream_connection.remedy },
      request_id: '',
      docs_url: `${TOOLGATE_PUBLIC_URL}/docs/errors#upstream_connection`,
    });
});

// ---- beyond the spec
test('422 Validation error: arguments that break the schema, without their values', async () => {
  const tool = await make({
    input_schema: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] },
  });
  for (const [given, field] of [
    [{}, 'a'],
    [{ a: 'secret words' }, 'a'],
    [[], 'arguments'],
    ['x', 'arguments'],
    [null, 'arguments'],
  ] as const) {
    const response = await execute(server, callKey, tool.id, given);
    const error = await refused(tool, response, 422, 'Validation error', 'VALIDATION_ERROR');
    assert.equal(error.details.field, field);
    assert.ok(!response.text.includes('secret words'));
  }
});

test('arguments over 256 KiB are 413, an unknown field beside them 422, a body that is not JSON 400', async () => {
  const tool = await make();
  await refused(
    tool,
    await execute(server, callKey, tool.id, { a: 'x'.repeat(256 * 1024) }),
    413,
    'Body is too large',
    'BODY_TOO_LARGE',
  );
  const post = (body: unknown) => server.api('POST', `/custom-tools/${tool.id}/execute`, { key: callKey, body });
  await refused(tool, await post({ arguments: {}, argumens: {} }), 422, 'Validation error', 'VALIDATION_ERROR');
  await refused(tool, await post('{"arguments":'), 400, 'Body is not valid JSON', 'INVALID_JSON');
  await refused(tool, await post('{"arguments":{"a":1,"a":2}}'), 400, 'Body is not valid JSON', 'INVALID_JSON');
  await refused(tool, await post('{"arguments":{"__proto__":{"x":1}}}'), 400, 'Body is not valid JSON', 'INVALID_JSON');
});

test('no body and no arguments are no arguments; just below 256 KiB is fine', async () => {
  const tool = await make();
  expectResponse(await server.api('POST', `/custom-tools/${tool.id}/execute`, { key: callKey }), 200);
  expectResponse(await server.api('POST', `/custom-tools/${tool.id}/execute`, { key: callKey, body: {} }), 200);
  expectResponse(await execute(server, callKey, tool.id, { a: 'x'.repeat(256 * 1024 - 8) }), 200);
});

test('any key of the project may call a tool; the root key calls none', async () => {
  const tool = await make();
  for (const key of [...Object.values(tenant.keys), callKey, member.session_token])
    expectResponse(await execute(server, key, tool.id), 200);
  const before = customer.requests.length;
  const response = await server.api('POST', `/custom-tools/${tool.id}/execute`, {
    key: ROOT_KEY,
    project: tenant.id,
    body: {},
  });
  expectResponse(response, 403, 'Insufficient permissions');
  assert.equal(customer.requests.length, before);
});

test('a tool that is unknown, deleted or misspelt is 404', async () => {
  const tool = await make();
  expectResponse(await server.api('DELETE', `/custom-tools/${tool.id}`, { key: tenant.keys.admin }), 204);
  for (const name of [tool.id, tool.name, 'tool_0000000000000000000000', 'no_such', '..%2f..', 'x'.repeat(200)])
    expectResponse(await execute(server, callKey, name), 404, 'Not found');
});

function signed(encrypted_auth_secret: string) {
  return { auth_strategy: 'hmac_signature', encrypted_auth_secret };
}
