// How a call that waits for a person is shown: in the call log, in traces, in analytics, in events and in metrics.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { modern } from '../mcp/rpc.ts';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { makeMemberSessions } from '../support/make/make-members.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import type { ApiResponse } from '../support/requests/call-api.ts';
import { readMetrics, sumOf } from '../support/requests/read-metrics.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { api } = server;

type Tenant = Awaited<ReturnType<typeof makeTenant>>;

const idOf = ({ headers }: ApiResponse) => headers.get('x-request-id') as string;

async function entryOf({ id, keys }: Tenant, response: ApiResponse): Promise<any> {
  await server.app.batch_writer.flush();
  const path = `/projects/${id}/tool-calls?request_id=${idOf(response)}`;
  const { data } = expectResponse(await api('GET', path, { key: keys.read }), 200);
  assert.equal(data.length, 1);
  return data[0];
}

const confirmationOf = async ({ id, keys }: Tenant, response: ApiResponse): Promise<any> => {
  const trace = expectResponse(await api('GET', `/projects/${id}/requests/${idOf(response)}`, { key: keys.read }), 200);
  return trace.steps.find(({ step }: any) => step === 'confirmation');
};

const analyticsOf = async ({ id, keys }: Tenant, query = ''): Promise<any> => {
  await server.app.batch_writer.flush();
  return expectResponse(await api('GET', `/projects/${id}/analytics${query}`, { key: keys.read }), 200);
};

/** A call that asks, a person who takes so long, and the call that runs after their yes. */
async function askAndRun({ id, keys }: Tenant, tool_id: string, seconds: number, given: object = {}) {
  const asked = await execute(server, keys.read, tool_id, given);
  const approval = expectResponse(asked, 409).error.details.approval.id as string;
  await server.app.pool.query(
    `update approvals set created_at = created_at - make_interval(secs => $2) where id = $1`,
    [approval, seconds],
  );
  expectResponse(await api('POST', `/projects/${id}/approvals/${approval}/approve`, { key: keys.admin }), 200);
  const ran = await execute(server, keys.read, tool_id, given, { 'x-toolgate-approval': approval });
  expectResponse(ran, 200);
  return { asked, ran, approval };
}

test('a call that only asked is no error; the one that ran shows how long the person took', async () => {
  const tenant = await makeTenant(server);
  const tool = await makeTool(server, tenant.keys.write, customer, { confirm: { by: 'approver' } });
  const { asked, ran } = await askAndRun(tenant, tool.id, 90);
  const question = await entryOf(tenant, asked);
  assert.deepEqual(
    [question.is_waiting, question.waiting_ms, question.outcome, question.status, question.error_code, question.stages],
    [true, null, 'failed', 409, 'CONFIRMATION_REQUIRED', null],
  );
  const call = await entryOf(tenant, ran);
  assert.deepEqual([call.is_waiting, call.outcome], [false, 'succeeded']);
  assert.ok(call.waiting_ms >= 90_000, `${call.waiting_ms} ms`);
  assert.ok(call.duration_ms < call.waiting_ms, 'the wait is no part of the duration');

  const failed = await confirmationOf(tenant, asked);
  assert.deepEqual([failed.outcome, failed.reason], ['failed', 'confirmation_required']);
  const passed = await confirmationOf(tenant, ran);
  assert.deepEqual([passed.outcome, passed.duration_ms], ['passed', call.waiting_ms]);

  const { totals, data } = await analyticsOf(tenant);
  assert.deepEqual([totals.calls, totals.errors, totals.waiting], [2, 0, 1]);
  assert.ok(Math.abs(totals.waiting_p50_ms - call.waiting_ms) <= 0.05 * call.waiting_ms, JSON.stringify(totals));
  assert.equal(totals.waiting_p95_ms, totals.waiting_p50_ms);
  assert.deepEqual([data[0].errors, data[0].waiting], [0, 1]);
  // From the calls instead of rollups.
  const { data: by_member } = await analyticsOf(tenant, '?interval=minute&group_by=member');
  const sum = (name: string) => by_member.reduce((n: number, each: any) => n + each[name], 0);
  assert.deepEqual([sum('calls'), sum('errors'), sum('waiting')], [2, 0, 1]);

  for (const [query, expected] of [
    ['is_waiting=true', [question.id]],
    ['is_waiting=false', [call.id]],
    ['outcome=failed&is_waiting=false', []],
  ] as const) {
    const path = `/projects/${tenant.id}/tool-calls?${query}`;
    const found = expectResponse(await api('GET', path, { key: tenant.keys.read }), 200).data;
    assert.deepEqual(
      found.map(({ id }: any) => id),
      expected,
      query,
    );
  }
});

test('a wait of a day is counted with the same precision as one of a second', async () => {
  const tenant = await makeTenant(server);
  const tool = await makeTool(server, tenant.keys.write, customer, { confirm: { by: 'approver' } });
  for (const [n, seconds] of [2, 60, 80_000].entries()) await askAndRun(tenant, tool.id, seconds, { n });
  const { totals } = await analyticsOf(tenant);
  assert.ok(totals.waiting_p50_ms >= 57_000 && totals.waiting_p50_ms < 80_000_000, JSON.stringify(totals));
  assert.ok(totals.waiting_p95_ms >= 76_000_000, JSON.stringify(totals));
});

test('who asks over MCP by a form waits from the question to the answer', async () => {
  const tenant = await makeTenant(server);
  const tool = await makeTool(server, tenant.keys.write, customer, { confirm: { by: 'user' } });
  const _meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } };
  const params = { name: tool.name, arguments: {}, _meta };
  const key = await (await makeMemberSessions(server, tenant.id)).session('member-1');
  const began = performance.now();
  const asked = await modern(server, key, 'tools/call', params);
  const asked_at = performance.now();
  const { requestState } = expectResponse(asked, 200).result;
  const question = await entryOf(tenant, asked);
  const inputResponses = { confirm: { action: 'accept', content: { confirm: true } } };
  const answered_at = performance.now();
  const ran = await modern(server, key, 'tools/call', { ...params, inputResponses, requestState });
  assert.equal(expectResponse(ran, 200).result.isError, undefined);
  const call = await entryOf(tenant, ran);
  assert.deepEqual([question.is_waiting, question.waiting_ms, call.is_waiting], [true, null, false]);
  // The clock of the database and that of the test differ in their fractions of a millisecond.
  assert.ok(call.waiting_ms >= Math.floor(answered_at - asked_at) - 2, `${call.waiting_ms} ms`);
  assert.ok(call.waiting_ms <= performance.now() - began + 2, `${call.waiting_ms} ms`);
});

test('a call that could ask nobody has failed, and so has one that a person declined', async () => {
  const tenant = await makeTenant(server);
  const { id, keys } = tenant;
  const refusing = await makeTool(server, keys.write, customer, { confirm: { by: 'user', fallback: 'refuse' } });
  const refused = await modern(server, keys.read, 'tools/call', { name: refusing.name, arguments: {} });
  assert.equal((await entryOf(tenant, refused)).is_waiting, false);
  const tool = await makeTool(server, keys.write, customer, { confirm: { by: 'approver' } });
  const approval = expectResponse(await execute(server, keys.read, tool.id), 409).error.details.approval.id;
  expectResponse(await api('POST', `/projects/${id}/approvals/${approval}/decline`, { key: keys.admin }), 200);
  expectResponse(await execute(server, keys.read, tool.id, {}, { 'x-toolgate-approval': approval }), 403);
  const { totals } = await analyticsOf(tenant);
  assert.deepEqual([totals.calls, totals.errors, totals.waiting], [3, 2, 1]);
});

test('a question is no tool_call.failed for webhooks, and has an outcome of its own in the metrics', async () => {
  const tenant = await makeTenant(server);
  const { id, keys } = tenant;
  const body = { url: `${customer.url}/inbox`, events: ['tool_call.*', 'approval.*'] };
  expectResponse(await api('POST', `/projects/${id}/webhooks`, { key: keys.admin, body }), 201);
  const tool = await makeTool(server, keys.write, customer, { confirm: { by: 'approver' } });
  const before = await readMetrics(server, ROOT_KEY);
  await askAndRun(tenant, tool.id, 40);
  let types: string[] = [];
  const areTold = async () => {
    await server.app.batch_writer.flush();
    const { data } = expectResponse(await api('GET', `/projects/${id}/events`, { key: keys.admin }), 200);
    types = data.map(({ type }: any) => type).filter((type: string) => /^(tool_call|approval)\./.test(type));
    return types.includes('tool_call.succeeded');
  };
  await waitUntil(areTold, 20_000, 'the event of the call');
  assert.deepEqual(types.sort(), ['approval.approved', 'approval.requested', 'tool_call.succeeded']);
  const metrics = await readMetrics(server, ROOT_KEY);
  const grown = (name: string, labels: string) => sumOf(metrics, name, labels) - sumOf(before, name, labels);
  assert.equal(grown('toolgate_tool_calls_total', 'outcome="waiting"'), 1);
  assert.equal(grown('toolgate_tool_calls_total', 'outcome="failed"'), 0);
  assert.equal(grown('toolgate_tool_call_waiting_seconds_count', 'transport="rest"'), 1);
  assert.ok(grown('toolgate_tool_call_waiting_seconds_sum', 'transport="rest"') >= 40);
});
