// What hooks decide about calls, over REST and MCP: what they are told, what they may change, and what happens when they fail.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectResponse, makeTenant, unique } from '../support/make/make.ts';
import { makeHook } from '../support/make/make-hook.ts';
import { assertionFor, exchange, makeMemberTenant } from '../support/make/make-members.ts';
import { execute, type MadeTool, makeTool } from '../support/make/make-tools.ts';
import { type CustomerResponse, type ReceivedRequest, startCustomer } from '../support/peers/fake-customer.ts';
import { startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { api } = server;

type Tenant = Awaited<ReturnType<typeof makeTenant>>;
const tool = (tenant: Tenant, fields: object = {}) => makeTool(server, tenant.keys.write, customer, fields);
const hook = (tenant: Tenant, fields: object = {}, policy?: Parameters<typeof makeHook>[4]) =>
  makeHook(server, customer, tenant.id, fields, policy);
const decide = (body: object): CustomerResponse => ({ body });
const json = (request: ReceivedRequest | undefined) => JSON.parse(String(request?.body));

async function callOverMcp(key: string, name: string, given: object = {}): Promise<any> {
  const response = await api('POST', '/mcp', {
    key,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
    headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
  });
  return expectResponse(response, 200).result;
}

async function logOf(tenant: Tenant, called: MadeTool): Promise<any> {
  await server.app.batch_writer.flush();
  const path = `/projects/${tenant.id}/tool-calls?tool_id=${called.id}`;
  return expectResponse(await api('GET', path, { key: tenant.keys.read }), 200).data[0];
}

const traceOf = async (tenant: Tenant, request_id: string) =>
  expectResponse(await api('GET', `/projects/${tenant.id}/requests/${request_id}`, { key: tenant.keys.read }), 200);

test('a hook is told the call, its tool with hints, the member with claims, the integration, the client and the arguments', async () => {
  const tenant = await makeMemberTenant(server);
  const called = await tool(tenant, {
    method: 'PUT',
    input_schema: { type: 'object', properties: { id: { type: 'string' }, region: { type: 'string' } } },
    fixed_arguments: { region: 'eu' },
  });
  const made = await hook(tenant, { points: ['before', 'after'] });
  const claims = { role: 'support', groups: ['a', 'b'], level: 3, odd: 'x\0y' };
  const member_assertion = assertionFor(server, tenant, { claims: { sub: 'user é', claims } });
  const { session_token, member } = expectResponse(
    await exchange(server, tenant.integrationKey.key, { member_assertion }),
    200,
  );
  customer.respond(called.endpoint_path, {
    body: '{"total":12345678901234567890}',
    headers: { 'content-type': 'application/json' },
  });
  const result = await callOverMcp(session_token, called.name, { id: '7' });
  assert.equal(result.isError, undefined, JSON.stringify(result));
  const [before, then] = customer.at(made.path);
  const about = {
    call_id: result._meta['toolgate/call_id'],
    tool: {
      id: called.id,
      name: called.name,
      version: 1,
      hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    member: { id: member.id, external_id: 'user é', claims },
    integration: { id: tenant.integration.id },
    client: null,
  };
  assert.deepEqual(json(before), { ...about, point: 'before', arguments: { id: '7' } });
  const { result: _, ...told } = json(then);
  assert.deepEqual(told, { ...about, point: 'after' });
  assert.ok(String(then?.body).endsWith('"result":{"total":12345678901234567890}}'), 'a long number stays exact');
  assert.equal(before?.headers['x-toolgate-member-id'], encodeURIComponent('user é'));
  assert.equal(before?.headers['content-type'], 'application/json');
  const entry = await logOf(tenant, called);
  const allowed = (point: string, i: number) => ({
    ...{ hook_id: made.id, point, decision: 'allow', reason: null },
    duration_ms: entry.policy[i].duration_ms,
  });
  assert.deepEqual(entry.policy, [allowed('before', 0), allowed('after', 1)]);
});

test('a call that a hook denies is not sent: 403 over REST, an error result over MCP, with the reason in both and in the log', async () => {
  const tenant = await makeTenant(server);
  const called = await tool(tenant);
  const long = `${'x'.repeat(600)}`;
  const made = await hook(tenant, {}, decide({ decision: 'deny', reason: 'Refunds need\n a ticket\u202e.', more: 1 }));
  const response = await execute(server, tenant.keys.read, called.id);
  const { code, details } = expectResponse(response, 403, 'A policy of the project denied the call').error;
  assert.equal(code, 'CALL_DENIED');
  const shown = 'Refunds need  a ticket\\u{202e}.';
  assert.deepEqual([details.hook_id, details.point, details.hook_reason], [made.id, 'before', shown]);
  const result = await callOverMcp(tenant.keys.read, called.name);
  assert.equal(result.isError, true);
  const { status, code: mcp_code, retryable } = result._meta['toolgate/error'];
  assert.deepEqual([status, mcp_code, retryable], [403, 'CALL_DENIED', false]);
  assert.match(result.content[0].text, /Refunds need {2}a ticket/);
  assert.equal(customer.at(called.endpoint_path).length, 0);
  const entry = await logOf(tenant, called);
  assert.deepEqual([entry.outcome, entry.status, entry.error_code, entry.stages], ['failed', 403, 'CALL_DENIED', null]);
  const [{ decision, reason, hook_id }] = entry.policy;
  assert.deepEqual({ decision, reason, hook_id }, { decision: 'deny', reason: shown, hook_id: made.id });
  const trace = await traceOf(tenant, response.headers.get('x-request-id') as string);
  const steps = Object.fromEntries(trace.steps.map((each: any) => [each.step, each.outcome]));
  assert.deepEqual([steps.arguments, steps.policy, steps.upstream], ['passed', 'failed', 'not_reached']);
  customer.respond(made.path, decide({ decision: 'deny', reason: long }));
  const cut = expectResponse(await execute(server, tenant.keys.read, called.id), 403).error.details.hook_reason;
  assert.equal(cut, 'x'.repeat(500));
});

test('hooks are asked in the order in which they were created, and the first that denies ends the call', async () => {
  const tenant = await makeTenant(server);
  const called = await tool(tenant);
  const asked: string[] = [];
  const note = (name: string, decision: string) => () => {
    asked.push(name);
    return decide({ decision, reason: name });
  };
  await hook(tenant, {}, note('first', 'allow'));
  await hook(tenant, {}, note('second', 'deny'));
  await hook(tenant, {}, note('third', 'deny'));
  const { details } = expectResponse(await execute(server, tenant.keys.read, called.id), 403).error;
  assert.deepEqual([details.hook_reason, asked], ['second', ['first', 'second']]);
});

const failures: [string, CustomerResponse][] = [
  ['hangs', { hang: true }],
  ['sends its answer byte by byte', { drip_ms: 20 }],
  ['closes the connection', { reset: true }],
  ['answers 500', { status: 500, body: { decision: 'allow' } }],
  ['redirects', { status: 307, headers: { location: `${customer.url}/elsewhere` }, body: { decision: 'allow' } }],
  ['answers 2 MB', { repeat: { part: Buffer.alloc(64 * 1024, ' '), times: 32 } }],
  ['answers no JSON', { body: 'allow' }],
  ['answers a list', { body: ['allow'] }],
  ['answers nothing', { status: 204 }],
  ['answers another decision', { body: { decision: 'ALLOW' } }],
  ['answers two decisions', { body: '{"decision":"allow","decision":"deny"}' }],
  ['answers a reason that is no text', { body: { decision: 'allow', reason: {} } }],
  ['answers bytes that are no text', { body: Buffer.from('{"decision":"allow","x":"\xff"}', 'latin1') }],
];

for (const [title, response] of failures)
  test(`a hook that ${title} refuses the call, or lets it go on, as on_failure says`, async () => {
    const tenant = await makeTenant(server);
    const called = await tool(tenant);
    const made = await hook(tenant, { timeout_ms: 300 }, response);
    const { code, details } = expectResponse(await execute(server, tenant.keys.read, called.id), 502).error;
    assert.deepEqual([code, details.hook_id, details.point], ['HOOK_FAILED', made.id, 'before']);
    assert.equal(customer.at(called.endpoint_path).length, 0);
    assert.equal(customer.at('/elsewhere').length, 0);
    const result = await callOverMcp(tenant.keys.read, called.name);
    const { status, code: mcp_code, retryable } = result._meta['toolgate/error'];
    assert.deepEqual([result.isError, status, mcp_code, retryable], [true, 502, 'HOOK_FAILED', true]);

    const path = `/projects/${tenant.id}/hooks/${made.id}`;
    expectResponse(await api('PATCH', path, { key: tenant.keys.admin, body: { on_failure: 'allow' } }), 200);
    expectResponse(await execute(server, tenant.keys.read, called.id), 200);
    assert.equal(customer.at(called.endpoint_path).length, 1);
    const [{ decision, reason }] = (await logOf(tenant, called)).policy;
    assert.equal(decision, 'failed');
    assert.match(reason, /^(The|Too) .*\.$/);
  });

const schema = {
  type: 'object',
  properties: { amount: { type: 'integer', maximum: 100 }, region: { type: 'string' } },
  required: ['amount'],
  additionalProperties: false,
};

test('changed arguments are sent if the hook may change them, each hook gets those of the one before, and the log keeps those of the caller', async () => {
  const tenant = await makeTenant(server);
  const settings = { key: tenant.keys.admin, body: { record_payloads: true } };
  expectResponse(await api('PATCH', `/projects/${tenant.id}/settings`, settings), 200);
  const called = await tool(tenant, { input_schema: schema, fixed_arguments: { region: 'eu' } });
  const change = ({ body }: ReceivedRequest) =>
    decide({ decision: 'allow', arguments: { amount: JSON.parse(String(body)).arguments.amount + 1 } });
  const ignored = await hook(tenant, {}, decide({ decision: 'allow', arguments: { amount: 'no number' } }));
  const first = await hook(tenant, { may_change: true }, change);
  const second = await hook(tenant, { may_change: true }, change);
  expectResponse(await execute(server, tenant.keys.read, called.id, { amount: 5 }), 200);
  const given = [ignored, first, second].map(({ path }) => json(customer.at(path)[0]).arguments);
  assert.deepEqual(given, [{ amount: 5 }, { amount: 5 }, { amount: 6 }]);
  const { amount, region } = json(customer.at(called.endpoint_path)[0]);
  assert.deepEqual({ amount, region }, { amount: 7, region: 'eu' });
  const { id } = await logOf(tenant, called);
  const path = `/projects/${tenant.id}/tool-calls/${id}`;
  assert.deepEqual(expectResponse(await api('GET', path, { key: tenant.keys.admin }), 200).arguments, { amount: 5 });
});

for (const [title, changed, field] of [
  ['do not match the schema', { amount: 101 }, 'amount'],
  ['set a fixed argument', { amount: 1, region: 'us' }, 'region'],
  ['name a reserved variable', { amount: 1, member_id: 'other' }, 'member_id'],
  ['are too large', { amount: 1, more: 'x'.repeat(300_000) }, 'arguments'],
] as const)
  test(`changed arguments that ${title} are refused with their field, and nothing is sent`, async () => {
    const tenant = await makeTenant(server);
    const called = await tool(tenant, { input_schema: schema, fixed_arguments: { region: 'eu' } });
    const made = await hook(
      tenant,
      { may_change: true, on_failure: 'allow' },
      decide({ decision: 'allow', arguments: changed }),
    );
    const { details } = expectResponse(await execute(server, tenant.keys.read, called.id, { amount: 1 }), 422).error;
    const { reason, hook_id, field: named } = details;
    assert.deepEqual([reason, hook_id, named], ['changed_arguments_invalid', made.id, field]);
    const result = await callOverMcp(tenant.keys.read, called.name, { amount: 1 });
    assert.deepEqual([result.isError, result._meta['toolgate/error'].status], [true, 422]);
    assert.equal(customer.at(called.endpoint_path).length, 0);
  });

for (const [title, response] of [
  ['that are no object', { decision: 'allow', arguments: [] }],
  ['with a number that is not exact', '{"decision":"allow","arguments":{"amount":9007199254740993}}'],
] as const)
  test(`changed arguments ${title} are a failure of the hook`, async () => {
    const tenant = await makeTenant(server);
    const called = await tool(tenant, { input_schema: schema });
    await hook(tenant, { may_change: true }, { body: response });
    const { code } = expectResponse(await execute(server, tenant.keys.read, called.id, { amount: 1 }), 502).error;
    assert.equal(code, 'HOOK_FAILED');
    assert.equal(customer.at(called.endpoint_path).length, 0);
  });

test('a hook that denies a result keeps it back, and everybody is told that the call has taken effect', async () => {
  const tenant = await makeTenant(server);
  const called = await tool(tenant);
  customer.respond(called.endpoint_path, { body: { iban: 'DE00 SECRET' } });
  const made = await hook(tenant, { points: ['after'] }, decide({ decision: 'deny', reason: 'It names an account.' }));
  const response = await execute(server, tenant.keys.read, called.id);
  const { code, details } = expectResponse(response, 403).error;
  assert.deepEqual([code, details.reason, details.hook_id], ['CALL_DENIED', 'call_denied_after', made.id]);
  assert.match(details.remedy, /has taken effect/);
  const result = await callOverMcp(tenant.keys.read, called.name);
  assert.match(result.content[0].text, /Do not repeat the call: it has taken effect/);
  assert.ok(!JSON.stringify([response.body, result]).includes('SECRET'));
  assert.equal(customer.at(called.endpoint_path).length, 2);
  const entry = await logOf(tenant, called);
  assert.deepEqual([entry.upstream_status, entry.policy[0].point], [200, 'after']);
  const trace = await traceOf(tenant, response.headers.get('x-request-id') as string);
  const steps = Object.fromEntries(trace.steps.map((each: any) => [each.step, each.outcome]));
  assert.deepEqual([steps.policy, steps.address, steps.upstream], ['failed', 'passed', 'passed']);

  customer.respond(made.path, { status: 500 });
  const failed = await callOverMcp(tenant.keys.read, called.name);
  const { code: failed_code, retryable } = failed._meta['toolgate/error'];
  assert.deepEqual([failed_code, retryable], ['HOOK_FAILED', false]);
  assert.match(failed.content[0].text, /it has taken effect/);
  customer.respond(made.path, decide({ decision: 'confirm' }));
  assert.equal(expectResponse(await execute(server, tenant.keys.read, called.id), 502).error.code, 'HOOK_FAILED');
});

test('a hook is not asked about the answer of a call that failed', async () => {
  const tenant = await makeTenant(server);
  const called = await tool(tenant);
  customer.respond(called.endpoint_path, { status: 404 });
  const made = await hook(tenant, { points: ['after'] });
  expectResponse(await execute(server, tenant.keys.read, called.id), 502);
  assert.equal(customer.at(made.path).length, 0);
});

test('a changed result is shaped and validated like that of the API, and replaces it in both protocols and in the log', async () => {
  const tenant = await makeTenant(server);
  const settings = { key: tenant.keys.admin, body: { record_payloads: true } };
  expectResponse(await api('PATCH', `/projects/${tenant.id}/settings`, settings), 200);
  const called = await tool(tenant, {
    method: 'GET',
    response: { select: ['items[].id', 'items[].mail'], redact: ['@email'] },
    output_schema: {
      type: 'object',
      properties: { items: { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } } },
      required: ['items'],
    },
  });
  customer.respond(called.endpoint_path, { body: { items: [{ id: 1, mail: 'a@example.com', more: 1 }], page: 1 } });
  const made = await hook(
    tenant,
    { points: ['after'], may_change: true },
    decide({ decision: 'allow', result: { items: [{ id: 2, mail: 'b@example.com' }], page: 9 } }),
  );
  const { body, raw_body } = expectResponse(await execute(server, tenant.keys.read, called.id), 200);
  assert.deepEqual(json(customer.at(made.path)[0]).result, { items: [{ id: 1, mail: '[redacted]' }] });
  assert.deepEqual([body, raw_body], [{ items: [{ id: 2, mail: '[redacted]' }] }, undefined]);
  const raw = { key: tenant.keys.write, body: { arguments: {} } };
  assert.deepEqual(
    expectResponse(await api('POST', `/custom-tools/${called.id}/execute?raw=true`, raw), 200).body,
    body,
  );
  const result = await callOverMcp(tenant.keys.read, called.name);
  assert.deepEqual(result.structuredContent, body);
  const { id } = await logOf(tenant, called);
  const path = `/projects/${tenant.id}/tool-calls/${id}`;
  assert.deepEqual(expectResponse(await api('GET', path, { key: tenant.keys.admin }), 200).result, body);

  customer.respond(made.path, decide({ decision: 'allow', result: { items: [{ id: 'x' }] } }));
  const { code, details } = expectResponse(await execute(server, tenant.keys.read, called.id), 502).error;
  assert.deepEqual(
    [code, details.reason, details.hook_id],
    ['OUTPUT_SCHEMA_MISMATCH', 'changed_result_invalid', made.id],
  );
});

test('a text stays a text when a hook changes it, and without may_change nothing is changed', async () => {
  const tenant = await makeTenant(server);
  const called = await tool(tenant);
  customer.respond(called.endpoint_path, { body: 'the answer is é' });
  const made = await hook(tenant, { points: ['after'] }, decide({ decision: 'allow', result: 'other' }));
  assert.equal(expectResponse(await execute(server, tenant.keys.read, called.id), 200).body, 'the answer is é');
  assert.equal(json(customer.at(made.path)[0]).result, 'the answer is é');
  const path = `/projects/${tenant.id}/hooks/${made.id}`;
  expectResponse(await api('PATCH', path, { key: tenant.keys.admin, body: { may_change: true } }), 200);
  const { body, content_type } = expectResponse(await execute(server, tenant.keys.read, called.id), 200);
  assert.deepEqual([body, content_type], ['other', 'text/plain; charset=utf-8']);
  assert.deepEqual((await callOverMcp(tenant.keys.read, called.name)).content, [{ type: 'text', text: 'other' }]);
  customer.respond(made.path, decide({ decision: 'allow', result: { now: ['json', null] } }));
  assert.deepEqual((await callOverMcp(tenant.keys.read, called.name)).structuredContent, { now: ['json', null] });
});

test('a hook that hangs delays neither other tools of its project nor other projects', async () => {
  const [tenant, other] = [await makeTenant(server), await makeTenant(server)];
  const [hooked, free, foreign] = [await tool(tenant), await tool(tenant), await tool(other)];
  let asked = 0;
  const released = Promise.withResolvers<void>();
  await hook(tenant, { timeout_ms: 3000, match: { tool_ids: [hooked.id] } }, () => {
    asked += 1;
    return { hold: released.promise, body: { decision: 'allow' } };
  });
  // More than an origin has slots.
  const waiting = Array.from({ length: 40 }, () => execute(server, tenant.keys.read, hooked.id));
  while (asked < 10) await new Promise((resolve) => setImmediate(resolve));
  for (const [key, { id }] of [
    [tenant.keys.read, free],
    [other.keys.read, foreign],
  ] as const)
    expectResponse(await execute(server, key, id), 200);
  assert.equal(asked, 10, 'the slots of the hook are still taken');
  released.resolve();
  for (const response of await Promise.all(waiting)) expectResponse(response, 200);
});

test('a call whose credential was revoked while a hook decided is not sent', async () => {
  const tenant = await makeTenant(server);
  const called = await tool(tenant);
  const body = { name: unique('key'), permissions: ['read'] };
  const made = expectResponse(
    await api('POST', `/projects/${tenant.id}/api-keys`, { key: tenant.keys.admin, body }),
    201,
  );
  const revoked = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  await hook(tenant, { timeout_ms: 3000 }, () => {
    asked.resolve();
    return { hold: revoked.promise, body: { decision: 'allow' } };
  });
  const call = execute(server, made.key, called.id);
  await asked.promise;
  const path = `/projects/${tenant.id}/api-keys/${made.id}/revoke`;
  expectResponse(await api('POST', path, { key: tenant.keys.admin }), 200);
  revoked.resolve();
  expectResponse(await call, 401);
  assert.equal(customer.at(called.endpoint_path).length, 0);
});

const approve = async ({ id, keys }: Tenant, approval_id: string) =>
  expectResponse(await api('POST', `/projects/${id}/approvals/${approval_id}/approve`, { key: keys.admin }), 200);

test('a hook that asks for a confirmation makes a call wait for a person, who sees what is sent, and each yes is for one call', async () => {
  const tenant = await makeTenant(server);
  const called = await tool(tenant, { input_schema: schema });
  const changed = { decision: 'confirm', reason: 'Above 10.', arguments: { amount: 12 } };
  const made = await hook(tenant, { may_change: true }, decide(changed));
  const call = (given: object, approval_id?: string) =>
    execute(server, tenant.keys.read, called.id, given, approval_id ? { 'x-toolgate-approval': approval_id } : {});
  const { code, details } = expectResponse(await call({ amount: 11 }), 409).error;
  assert.equal(code, 'CONFIRMATION_REQUIRED');
  assert.deepEqual(details.approval.arguments, { amount: 12 });
  assert.deepEqual((await logOf(tenant, called)).policy[0].decision, 'confirm');
  await approve(tenant, details.approval_id);
  // The hook makes other arguments now: the yes was not for them.
  customer.respond(made.path, decide({ ...changed, arguments: { amount: 13 } }));
  const other = expectResponse(await call({ amount: 11 }, details.approval_id), 409).error.details;
  assert.notEqual(other.approval_id, details.approval_id);
  assert.equal(customer.at(called.endpoint_path).length, 0);
  customer.respond(made.path, decide(changed));
  expectResponse(await call({ amount: 11 }, details.approval_id), 200);
  expectResponse(await call({ amount: 11 }, details.approval_id), 409);
  const sent = customer.at(called.endpoint_path).map((request) => json(request).amount);
  assert.deepEqual(sent, [12]);
  const result = await callOverMcp(tenant.keys.read, called.name, { amount: 20 });
  assert.deepEqual([result.isError, result._meta['toolgate/error'].code], [true, 'CONFIRMATION_REQUIRED']);
});

test('a call that a hook denies or lets wait counts against no limit of the tool, and one that is over its limit was allowed first', async () => {
  const tenant = await makeTenant(server);
  const called = await tool(tenant);
  const limit = { name: 'one', per: 'project', limit: 1, window_seconds: 3600 };
  expectResponse(await api('POST', `/projects/${tenant.id}/limits`, { key: tenant.keys.admin, body: limit }), 201);
  const made = await hook(tenant, {}, decide({ decision: 'deny' }));
  expectResponse(await execute(server, tenant.keys.read, called.id), 403);
  customer.respond(made.path, decide({ decision: 'allow' }));
  expectResponse(await execute(server, tenant.keys.read, called.id), 200);
  expectResponse(await execute(server, tenant.keys.read, called.id), 429);
});

test('a tool that changes while its hook decides has its hooks asked again about the new version', async () => {
  const tenant = await makeTenant(server);
  const called = await tool(tenant);
  const changed = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const made = await hook(tenant, { timeout_ms: 3000 }, () => {
    asked.resolve();
    return { hold: changed.promise, body: { decision: 'allow' } };
  });
  const call = execute(server, tenant.keys.read, called.id);
  await asked.promise;
  const body = { description: 'another one' };
  expectResponse(await api('PATCH', `/custom-tools/${called.id}`, { key: tenant.keys.write, body }), 200);
  changed.resolve();
  expectResponse(await call, 200);
  const versions = customer.at(made.path).map((request) => json(request).tool.version);
  assert.deepEqual(versions, [1, 2]);
  assert.equal(customer.at(called.endpoint_path).length, 1);
});
