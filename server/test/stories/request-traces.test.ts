// Why was this request refused? The trace of each kind of refusal, who may read it, how long it is kept, and how many there can be.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { steps as allSteps } from '@toolgate/contract/trace-steps.ts';
import { callTool, legacy, modern } from '../mcp/rpc.ts';
import { expectResponse, makeKey, makeProject, makeTenant } from '../support/make/make.ts';
import { makeMemberTenant, makeSession } from '../support/make/make-members.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import type { ApiResponse } from '../support/requests/call-api.ts';
import { readMetrics, sumOf } from '../support/requests/read-metrics.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const SAID = 'said-in-an-argument-0123456789';
const HOUR_MS = 3_600_000;

const customer = await startCustomer();
const blocked = await startCustomer();
after(async () => {
  await customer.close();
  await blocked.close();
});
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const tenant = await makeMemberTenant(server);
const session = await makeSession(server, tenant, 'user-7');
const caller_key = await makeKey(server, tenant.id, ['read']);
const input_schema = { type: 'object', properties: { n: { type: 'integer' } } };
const make = (fields: object = {}) => makeTool(server, tenant.keys.write, customer, { input_schema, ...fields });
const tool = await make();

const idOf = ({ headers }: ApiResponse) => headers.get('x-request-id') as string;
const read = (project_id: string, request_id: string, key: string) =>
  server.api('GET', `/projects/${project_id}/requests/${request_id}`, { key });

async function traceOf(response: ApiResponse, key = tenant.keys.admin, project_id = tenant.id): Promise<any> {
  await server.app.batch_writer.flush();
  const trace = expectResponse(await read(project_id, idOf(response), key), 200);
  assert.deepEqual([trace.object, trace.request_id], ['request_trace', idOf(response)]);
  assert.doesNotMatch(JSON.stringify(trace), new RegExp(`${SAID}|svc_(live|test|mst)_`));
  return trace;
}

type Outcome = { step: string; outcome: string; duration_ms: number | null; reason: string; remedy: string };

/**
 * Every step before the failed one has passed, and none after it was reached, except that the caller of a tool got an answer.
 * Returns the failed one.
 */
function failedStep(trace: { steps: Outcome[] }, step: string): Outcome {
  const names: string[] = trace.steps.map((one) => one.step);
  assert.deepEqual(names, allSteps.filter((name) => names.includes(name)) as string[], 'the order');
  const end = names.indexOf(step);
  assert.deepEqual(
    trace.steps.map(({ outcome }) => outcome),
    names.map((name, i) => {
      if (i === end) return 'failed';
      return i < end || (name === 'answer' && names.includes('upstream')) ? 'passed' : 'not_reached';
    }),
    `${step} among ${names}`,
  );
  const failed = trace.steps[end] as Outcome;
  assert.match(failed.reason, /^[a-z_0-9]+$/);
  assert.match(failed.remedy, /^[A-Z].* .*\.$/);
  const others = trace.steps.filter((one) => one.step !== step);
  assert.ok(others.every(({ reason, remedy }) => reason === null && remedy === null));
  return failed;
}

const requests = '/api/v1/projects/{project_id}';

type Case = {
  act(): Promise<ApiResponse>;
  status: number;
  step: string;
  code: string;
  reason: string;
  route: string;
  method?: string;
};

const EXECUTE = '/api/v1/custom-tools/{tool_id}/execute';
const off = await make({ is_enabled: false });
const personal = await make({ require_member: true });
const broken = await make();
const slow = await make({ timeout_ms: 1000 });
const strict = await make({ output_schema: { type: 'object', required: ['never'] } });
customer.respond(broken.endpoint_path, { status: 500, body: SAID });
customer.respond(slow.endpoint_path, { hang: true });
const run = (id: string, given: object = {}) => execute(server, caller_key.key, id, given);

const cases: Record<string, Case> = {
  'a missing permission': {
    act: () => server.api('POST', '/custom-tools', { key: caller_key.key, body: {} }),
    ...{ status: 403, step: 'permission', code: 'INSUFFICIENT_PERMISSIONS', reason: 'insufficient_permissions' },
    route: '/api/v1/custom-tools',
  },
  'an unknown field of a body': {
    act: () => server.api('PATCH', `/custom-tools/${tool.id}`, { key: tenant.keys.write, body: { require_membr: 1 } }),
    ...{ status: 422, step: 'body', code: 'VALIDATION_ERROR', reason: 'unknown_field', method: 'PATCH' },
    route: '/api/v1/custom-tools/{tool_id}',
  },
  'a query that is wrong': {
    act: () => server.api('GET', '/custom-tools?limit=x', { key: tenant.keys.read }),
    ...{ status: 422, step: 'body', code: 'VALIDATION_ERROR', reason: 'invalid_value', method: 'GET' },
    route: '/api/v1/custom-tools',
  },
  'a resource that does not exist': {
    act: () => server.api('GET', `/projects/${tenant.id}/api-keys/key_absent`, { key: tenant.keys.admin }),
    ...{ status: 404, step: 'answer', code: 'NOT_FOUND', reason: 'not_found', method: 'GET' },
    route: `${requests}/api-keys/{api_key_id}`,
  },
  'an assertion that is not one': {
    act: () =>
      server.api('POST', '/api/v1/mcp/session-token', {
        key: tenant.integrationKey.key,
        body: { member_assertion: SAID },
      }),
    ...{ status: 401, step: 'member', code: 'ASSERTION_MALFORMED', reason: 'assertion_malformed' },
    route: '/api/v1/mcp/session-token',
  },
  'a call of a tool that does not exist': {
    act: () => run('tool_absent'),
    ...{ status: 404, step: 'tool', code: 'NOT_FOUND', reason: 'not_found', route: EXECUTE },
  },
  'a call of a disabled tool': {
    act: () => run(off.id),
    ...{ status: 403, step: 'tool', code: 'TOOL_NOT_ENABLED', reason: 'tool_not_enabled', route: EXECUTE },
  },
  'a call without a member': {
    act: () => run(personal.id),
    ...{ status: 403, step: 'member', code: 'MEMBER_CONTEXT_REQUIRED', reason: 'member_context_required' },
    route: EXECUTE,
  },
  'arguments that do not match': {
    act: () => run(tool.id, { n: SAID }),
    ...{ status: 422, step: 'arguments', code: 'VALIDATION_ERROR', reason: 'invalid_arguments', route: EXECUTE },
  },
  'a reserved variable': {
    act: () => run(tool.id, { member_id: SAID }),
    ...{ status: 400, step: 'arguments', code: 'RESERVED_VARIABLE', reason: 'reserved_variable', route: EXECUTE },
  },
  'a body of a call that is no object': {
    act: () => server.api('POST', `/custom-tools/${tool.id}/execute`, { key: caller_key.key, body: '{"arguments"' }),
    ...{ status: 400, step: 'body', code: 'INVALID_JSON', reason: 'json_syntax', route: EXECUTE },
  },
  'an API that answers 500': {
    act: () => run(broken.id),
    ...{ status: 502, step: 'upstream', code: 'UPSTREAM_STATUS', reason: 'upstream_status', route: EXECUTE },
  },
  'an API that does not answer in time': {
    act: () => run(slow.id),
    ...{ status: 500, step: 'upstream', code: 'TOOL_TIMED_OUT', reason: 'tool_timed_out', route: EXECUTE },
  },
  'arguments that do not match, over MCP': {
    act: () => callTool(legacy, server, caller_key.key, tool.name, { n: SAID }),
    ...{ status: 200, step: 'arguments', code: 'VALIDATION_ERROR', reason: 'invalid_arguments', route: '/api/v1/mcp' },
  },
  'a disabled tool, over MCP': {
    act: () => callTool(legacy, server, caller_key.key, off.name),
    ...{ status: 403, step: 'tool', code: 'TOOL_NOT_ENABLED', reason: 'tool_not_enabled', route: '/api/v1/mcp' },
  },
  'an unknown tool, over MCP': {
    act: () => callTool(legacy, server, caller_key.key, SAID),
    ...{ status: 200, step: 'tool', code: 'UNKNOWN_TOOL', reason: 'unknown_tool', route: '/api/v1/mcp' },
  },
  'an answer that does not match output_schema, over MCP': {
    act: () => callTool(legacy, server, caller_key.key, strict.name),
    ...{ status: 200, step: 'answer', code: 'OUTPUT_SCHEMA_MISMATCH', reason: 'output_schema_mismatch' },
    route: '/api/v1/mcp',
  },
  'an unknown method of MCP': {
    act: () => modern(server, caller_key.key, 'tools/burn'),
    ...{ status: 404, step: 'body', code: 'METHOD_NOT_FOUND', reason: 'method_not_found', route: '/api/v1/mcp' },
  },
};

for (const [name, { act, status, step, code, reason, route, method = 'POST' }] of Object.entries(cases)) {
  test(`${name} fails at ${step}, with a reason and a remedy`, async () => {
    const response = await act();
    assert.equal(response.status, status, response.text);
    const trace = await traceOf(response);
    assert.deepEqual([trace.method, trace.route, trace.status, trace.code], [method, route, status, code]);
    assert.equal(failedStep(trace, step).reason, reason);
    assert.deepEqual(Object.keys(trace.caller), [
      'kind',
      'api_key_id',
      'session_id',
      'member_id',
      'integration_id',
      'account_id',
    ]);
    assert.match(trace.caller.api_key_id, /^key_/);
    const has_call_steps = trace.steps.some(({ step }: Outcome) => step === 'upstream');
    assert.equal(has_call_steps, route === EXECUTE || (trace.code !== 'UNKNOWN_TOOL' && name.endsWith('over MCP')));
  });
}

test('of a call that succeeded every step has passed, over REST and MCP, and the times of the call are shown', async () => {
  for (const response of [
    await execute(server, session.session_token, personal.id),
    await callTool(modern, server, session.session_token, personal.name),
  ]) {
    const trace = await traceOf(response);
    assert.deepEqual([trace.status, trace.code], [200, null]);
    assert.deepEqual(
      trace.steps.map(({ step, outcome }: Outcome) => [step, outcome]),
      // These are shown only where they refuse a call, and `policy` also where hooks were asked.
      allSteps.filter((step) => !['policy', 'confirmation', 'limit'].includes(step)).map((step) => [step, 'passed']),
    );
    const { kind, session_id, member_id, integration_id } = trace.caller;
    assert.deepEqual([kind, member_id, integration_id], ['member', session.member.id, tenant.integration.id]);
    assert.match(session_id, /^ses_/);
    const duration = (step: string) => trace.steps.find((one: Outcome) => one.step === step).duration_ms;
    assert.ok(Number.isInteger(duration('upstream')) && Number.isInteger(duration('address')));
  }
});

test('the request after the last one of the hour fails at rate_limit', async () => {
  const project = await makeProject(server, { requests_per_hour: 1 });
  const { key, id } = await makeKey(server, project.id, ['read']);
  expectResponse(await server.api('GET', `/projects/${project.id}`, { key }), 200);
  const trace = await traceOf(await server.api('GET', `/projects/${project.id}`, { key }), ROOT_KEY, project.id);
  assert.deepEqual([trace.status, trace.code, trace.caller.api_key_id], [429, 'RATE_LIMIT_EXCEEDED', id]);
  failedStep(trace, 'rate_limit');
});

test('a blocked address fails at address for admin and the root key, and for others like an API that is down', async () => {
  const far = await make({ base_url: customer.url });
  // Saved while it was allowed: no tool with such an address can be created here.
  await server.app.database
    .updateTable('custom_tools')
    .set({ base_url: blocked.url })
    .where('id', '=', far.id)
    .execute();
  server.app.cache.invalidate(tenant.id);
  const response = await run(far.id);
  expectResponse(response, 502, 'Upstream tool call failed - connection error');
  for (const key of [tenant.keys.admin, ROOT_KEY])
    assert.equal(failedStep(await traceOf(response, key), 'address').reason, 'address_not_public');
  const shown = await traceOf(response, tenant.keys.read);
  assert.equal(failedStep(shown, 'upstream').reason, 'upstream_connection');

  const down = await make();
  customer.respond(down.endpoint_path, { reset: true });
  const other_response = await run(down.id);
  const like = await traceOf(other_response, tenant.keys.read);
  const comparable = ({ steps }: { steps: Outcome[] }) => steps.map((step) => ({ ...step, duration_ms: null }));
  assert.deepEqual(comparable(shown), comparable(like));
});

test('a name that does not resolve fails at address for admin, and at upstream for others', async () => {
  const gone = await make({ base_url: 'https://no-such-host.toolgate.invalid' });
  const response = await run(gone.id);
  expectResponse(response, 502, 'Upstream tool call failed - connection error');
  assert.equal(failedStep(await traceOf(response), 'address').reason, 'host_not_resolved');
  const shown = await traceOf(response, tenant.keys.read);
  assert.equal(failedStep(shown, 'upstream').reason, 'upstream_connection');
});

test('what the API answered to a failed call is in the trace for admin, redacted and cut, where payloads are recorded', async () => {
  const { keys, id } = await makeTenant(server);
  const made = await makeTool(server, keys.write, customer);
  const body = { error: 'no such order', password: 'hunter2-of-the-shop', more: 'x'.repeat(5_000) };
  customer.respond(made.endpoint_path, { status: 404, body });
  const traceFor = async (response: ApiResponse, key: string) => {
    await server.app.batch_writer.flush();
    return expectResponse(await read(id, idOf(response), key), 200);
  };
  const before = await execute(server, keys.read, made.id);
  const settings = { record_payloads: true };
  const path = `/projects/${id}/settings`;
  expectResponse(await server.api('PATCH', path, { key: keys.admin, body: settings }), 200);
  const recorded = await execute(server, keys.read, made.id);
  for (const response of [before, recorded]) expectResponse(response, 502);

  const shown = await traceFor(recorded, keys.admin);
  assert.equal(shown.upstream_status, 404);
  assert.match(shown.upstream_body, /no such order/);
  assert.doesNotMatch(shown.upstream_body, /hunter2/);
  assert.equal(shown.upstream_body.length, 2_048);
  failedStep(shown, 'upstream');
  for (const hidden of [await traceFor(recorded, keys.read), await traceFor(before, keys.admin)])
    assert.deepEqual([hidden.upstream_status, hidden.upstream_body], [404, null]);
  customer.respond(made.endpoint_path, { body });
  assert.equal((await traceFor(await execute(server, keys.read, made.id), keys.admin)).upstream_body, null);
});

for (const [state, end] of [
  ['revoked', (id: string) => server.api('POST', `/projects/${tenant.id}/api-keys/${id}/revoke`, { key: ROOT_KEY })],
  [
    'inactive',
    (id: string) =>
      server.api('PATCH', `/projects/${tenant.id}/api-keys/${id}`, { key: ROOT_KEY, body: { is_active: false } }),
  ],
] as const) {
  test(`the 401 of a key that is ${state} is traced in its project, and tells the caller nothing more`, async () => {
    const { key, id } = await makeKey(server, tenant.id, ['read']);
    expectResponse(await server.api('GET', `/projects/${tenant.id}`, { key }), 200);
    assert.ok((await end(id)).status < 300);
    // The second one is refused from the cache.
    for (let i = 0; i < 2; i += 1) {
      const response = await server.api('GET', `/projects/${tenant.id}`, { key });
      const body = expectResponse(response, 401, 'Invalid or inactive API key');
      assert.deepEqual(body.error.details, {});
      const trace = await traceOf(response);
      assert.equal(trace.caller.api_key_id, id);
      assert.equal(failedStep(trace, 'credential').reason, `api_key_${state}`);
    }
  });
}

test('an inactive key that is refused from the cache works as soon as it is active again', async () => {
  const { key, id } = await makeKey(server, tenant.id, ['read']);
  const set = (is_active: boolean) =>
    server.api('PATCH', `/projects/${tenant.id}/api-keys/${id}`, { key: ROOT_KEY, body: { is_active } });
  await set(false);
  for (let i = 0; i < 2; i += 1) expectResponse(await server.api('GET', `/projects/${tenant.id}`, { key }), 401);
  await set(true);
  expectResponse(await server.api('GET', `/projects/${tenant.id}`, { key }), 200);
});

test('the 401 of an expired key or session is traced in its project', async () => {
  const expires_at = new Date(server.app.now() + HOUR_MS).toISOString();
  const { key } = await makeKey(server, tenant.id, ['read'], { expires_at });
  const { session_token } = await makeSession(server, tenant, 'user-8');
  server.advance(HOUR_MS + 1);
  const expired = await traceOf(await server.api('GET', `/projects/${tenant.id}`, { key }));
  assert.equal(failedStep(expired, 'credential').reason, 'api_key_expired');
  const ended = await traceOf(await callTool(legacy, server, session_token, tool.name));
  assert.deepEqual([ended.status, ended.code, ended.caller.kind], [401, 'MEMBER_SESSION_EXPIRED', 'member']);
  assert.equal(failedStep(ended, 'credential').reason, 'member_session_expired');
});

test('a key that is used on another project is traced in its own project only', async () => {
  const other = await makeTenant(server);
  const response = await server.api('GET', `/projects/${other.id}`, { key: caller_key.key });
  expectResponse(response, 401);
  assert.equal(failedStep(await traceOf(response), 'credential').reason, 'other_project');
  expectResponse(await read(other.id, idOf(response), other.keys.admin), 404);
});

test('a request of another project is as unknown as one that never was; a token without read may not read traces', async () => {
  const other = await makeTenant(server);
  const response = await run(off.id);
  await server.app.batch_writer.flush();
  for (const key of [other.keys.read, ROOT_KEY])
    expectResponse(await read(other.id, idOf(response), key), 404, 'Not found');
  expectResponse(await read(tenant.id, 'req_absent', tenant.keys.read), 404, 'Not found');
  expectResponse(await read(tenant.id, idOf(response), other.keys.read), 401);
  expectResponse(await read(tenant.id, idOf(response), tenant.keys.webhook), 403);
});

test('a batch over MCP is one request: the message that was refused is shown', async () => {
  const message = (id: number, name: string, given: object) => ({
    ...{ jsonrpc: '2.0', id, method: 'tools/call' },
    params: { name, arguments: given },
  });
  const batch = [message(1, tool.name, {}), message(2, tool.name, { n: SAID }), message(3, tool.name, {})];
  const headers = { 'mcp-protocol-version': '2025-03-26' };
  const response = await server.api('POST', '/mcp', { key: caller_key.key, body: batch, headers });
  expectResponse(response, 200);
  failedStep(await traceOf(response), 'arguments');
});

test('a flood of refused requests is recorded 60 times a minute for each code, and the rest is counted', async () => {
  const flooded = await makeTenant(server);
  const skipped = async () => sumOf(await readMetrics(server, ROOT_KEY), 'toolgate_skipped_traces_total');
  const before = await skipped();
  // The start of a minute, so that all are in it.
  server.advance(60_000 - (server.app.now() % 60_000));
  const refused = () => server.api('GET', '/projects', { key: flooded.keys.webhook });
  for (let i = 0; i < 7; i += 1) await Promise.all(Array.from({ length: 10 }, refused));
  await server.app.batch_writer.flush();
  const rows = await server.app.database
    .selectFrom('request_traces')
    .select(['code', 'request_id'])
    .where('project_id', '=', flooded.id)
    .execute();
  assert.equal(rows.length, 60);
  assert.equal((await skipped()) - before, 10);
  // Another code is still recorded.
  const other = await server.api('GET', '/custom-tools?limit=x', { key: flooded.keys.read });
  await traceOf(other, flooded.keys.admin, flooded.id);
});

test('traces are kept for 24 hours, and deleted with their project', async () => {
  const project = await makeTenant(server);
  const count = async () => {
    const rows = server.app.database.selectFrom('request_traces').select('request_id');
    // Reading a trace that is gone is a refused request too.
    return (await rows.where('project_id', '=', project.id).where('code', '=', 'VALIDATION_ERROR').execute()).length;
  };
  const refused = await server.api('GET', '/custom-tools?limit=x', { key: project.keys.read });
  const own = await makeTool(server, project.keys.write, customer);
  const called = await execute(server, project.keys.read, own.id);
  await traceOf(refused, ROOT_KEY, project.id);
  await traceOf(called, ROOT_KEY, project.id);
  server.advance(23 * HOUR_MS);
  await server.runJobs();
  await traceOf(refused, ROOT_KEY, project.id);
  server.advance(HOUR_MS + 1000);
  expectResponse(await read(project.id, idOf(refused), ROOT_KEY), 404);
  expectResponse(await read(project.id, idOf(called), ROOT_KEY), 404);
  assert.equal(await count(), 1);
  await server.runJobs();
  assert.equal(await count(), 0);

  await server.api('GET', '/custom-tools?limit=x', { key: project.keys.read });
  await server.app.batch_writer.flush();
  assert.equal(await count(), 1);
  expectResponse(await server.api('DELETE', `/projects/${project.id}`, { key: ROOT_KEY }), 204);
  await server.app.database.deleteFrom('projects').where('id', '=', project.id).execute();
  assert.equal(await count(), 0);
});

test('the list has the refused requests of the project, newest first, by status, code and key, and no call', async () => {
  const other = await makeTenant(server);
  const { id, keys } = await makeTenant(server);
  const refusedKey = await makeKey(server, id, ['webhook']);
  const responses: ApiResponse[] = [];
  for (const [path, key] of [
    ['settings', refusedKey.key],
    ['api-keys/key_absent', keys.admin],
    ['webhooks', refusedKey.key],
  ] as const) {
    responses.push(await server.api('GET', `/projects/${id}/${path}`, { key }));
    server.advance(1); // requests of the same millisecond have no order
  }
  const failing = await makeTool(server, keys.write, customer, { input_schema });
  await execute(server, keys.admin, failing.id, { n: 'no number' });
  await server.api('GET', `/projects/${other.id}/api-keys/key_absent`, { key: other.keys.admin });
  await server.app.batch_writer.flush();
  const list = async (query = '') =>
    expectResponse(await server.api('GET', `/projects/${id}/requests${query}`, { key: keys.read }), 200);
  const newestFirst = responses.map(idOf).toReversed();
  const idsOf = ({ data }: any) => data.map(({ request_id }: { request_id: string }) => request_id);
  assert.deepEqual(idsOf(await list()), newestFirst);
  assert.deepEqual(idsOf(await list('?status=404')), [idOf(responses[1] as ApiResponse)]);
  assert.deepEqual(idsOf(await list('?code=INSUFFICIENT_PERMISSIONS')), [newestFirst[0], newestFirst[2]]);
  assert.deepEqual(idsOf(await list(`?api_key_id=${refusedKey.id}`)), [newestFirst[0], newestFirst[2]]);
  const first = await list('?limit=2');
  assert.deepEqual([idsOf(first), first.has_more], [newestFirst.slice(0, 2), true]);
  assert.deepEqual(idsOf(await list(`?limit=2&cursor=${first.next_cursor}`)), newestFirst.slice(2));
  const [row] = (await list()).data;
  assert.deepEqual(row, await traceOf(responses[2] as ApiResponse, keys.read, id));
  for (const query of ['status=200', 'status=x', 'code=', 'kode=x'])
    expectResponse(await server.api('GET', `/projects/${id}/requests?${query}`, { key: keys.read }), 422);
  expectResponse(await server.api('GET', `/projects/${id}/requests`, { key: keys.write }), 403);
  expectResponse(await server.api('GET', `/projects/${id}/requests`, { key: other.keys.read }), 401);
});
