// Limits of how often tools are called: what is counted, over REST and MCP, what is refused, and what happens to a limit when the tools
// change.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectResponse, makeKey, makeTenant, unique } from '../support/make/make.ts';
import { exchange, makeIntegration, makeIntegrationKey } from '../support/make/make-members.ts';
import { execute, type MadeTool, makeTool } from '../support/make/make-tools.ts';
import { makeToolset } from '../support/make/make-toolset.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const two = await startServer({
  TOOLGATE_EGRESS_ALLOW: customer.address,
  DATABASE_URL: server.app.config.database_url ?? '',
});
const { api } = server;

type Tenant = Awaited<ReturnType<typeof makeTenant>>;
const tenant = await makeTenant(server, { plan: 'enterprise' });
const limitsOf = ({ id }: Pick<Tenant, 'id'>) => `/projects/${id}/limits`;
const tool = (fields: object = {}, key = tenant.keys.write) => makeTool(server, key, customer, fields);
const makeLimit = async (fields: object, at: Tenant = tenant) =>
  expectResponse(await api('POST', limitsOf(at), { key: at.keys.write, body: limitFields(fields) }), 201);
const limitFields = (fields: object) => ({
  name: unique('limit'),
  per: 'project',
  limit: 3,
  window_seconds: 3600,
  ...fields,
});
const usageOf = async (id: string) =>
  expectResponse(await api('GET', `${limitsOf(tenant)}/${id}/usage`, { key: tenant.keys.read }), 200).data;

/** As if this time had passed since everything that was counted. */
const letPass = (ms: number) =>
  server.app.pool.query(
    'update limit_log set first_ms = first_ms - $1, last_ms = last_ms - $1, expires_ms = expires_ms - $1',
    [ms],
  );

async function callOverMcp(key: string, name: string): Promise<any> {
  const response = await api('POST', '/mcp', {
    key,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } },
    headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
  });
  return { ...response, result: expectResponse(response, 200).result };
}

/** How many of these calls at the same time pass. */
async function passed(called: MadeTool, key: string, count: number): Promise<number> {
  const servers = [server, two];
  const responses = await Promise.all(
    Array.from({ length: count }, (_, i) => execute(servers[i % 2] as typeof server, key, called.id)),
  );
  for (const { status } of responses) assert.ok(status === 200 || status === 429, String(status));
  return responses.filter(({ status }) => status === 200).length;
}

test('a limit is created, read, listed, changed and deleted, and each change is in the audit log', async () => {
  const body = limitFields({ match: { tags: ['orders'] }, per: 'api_key' });
  const created = expectResponse(await api('POST', limitsOf(tenant), { key: tenant.keys.write, body }), 201);
  assert.deepEqual(created, {
    object: 'limit',
    id: created.id,
    project_id: tenant.id,
    ...body,
    overrides: [],
    created_at: created.created_at,
    created_by: created.created_by,
    updated_at: created.updated_at,
  });
  assert.match(created.id, /^lim_[0-9A-Za-z]{22}$/);
  const path = `${limitsOf(tenant)}/${created.id}`;
  assert.deepEqual(expectResponse(await api('GET', path, { key: tenant.keys.read }), 200), created);
  assert.deepEqual(expectResponse(await api('GET', limitsOf(tenant), { key: tenant.keys.read }), 200).data[0], created);
  const override = { subject_id: (await makeKey(server, tenant.id, ['read'])).id, limit: 9 };
  const change = { limit: 5, overrides: [override], match: null };
  const changed = expectResponse(await api('PATCH', path, { key: tenant.keys.write, body: change }), 200);
  assert.deepEqual(changed, { ...created, ...change, updated_at: changed.updated_at });
  expectResponse(await api('PATCH', path, { key: tenant.keys.read, body: change }), 403);
  expectResponse(await api('DELETE', path, { key: tenant.keys.write }), 204);
  expectResponse(await api('GET', path, { key: tenant.keys.read }), 404);
  const { data } = expectResponse(
    await api('GET', `/projects/${tenant.id}/audit-log`, { key: tenant.keys.admin }),
    200,
  );
  const actions = data.filter((entry: any) => entry.target_id === created.id).map((entry: any) => entry.action);
  assert.deepEqual(actions, ['limit.deleted', 'limit.updated', 'limit.created']);
});

test('of 30 calls at the same time on two replicas exactly as many pass as the limit allows', async () => {
  const limited = await tool();
  const { id } = await makeLimit({ match: { tool_ids: [limited.id] }, limit: 7 });
  assert.equal(await passed(limited, tenant.keys.read, 30), 7);
  assert.deepEqual(await usageOf(id), [{ subject_id: tenant.id, used: 7, limit: 7 }]);
});

test('a refusal names the limit and when to try again; the call is in the log, and was not sent', async () => {
  const limited = await tool();
  const { id, name } = await makeLimit({ match: { tool_ids: [limited.id] }, limit: 1, window_seconds: 600 });
  expectResponse(await execute(server, tenant.keys.read, limited.id), 200);
  const sent = customer.requests.length;
  const response = await execute(server, tenant.keys.read, limited.id);
  const { code, details } = expectResponse(response, 429).error;
  assert.equal(code, 'TOOL_LIMIT_REACHED');
  const { retry_after_seconds, remedy: _, reason: __, ...facts } = details;
  assert.deepEqual(facts, { limit_id: id, limit_name: name, limit: 1, window_seconds: 600 });
  assert.ok(retry_after_seconds > 590 && retry_after_seconds <= 600, String(retry_after_seconds));
  assert.equal(response.headers.get('retry-after'), String(retry_after_seconds));
  assert.equal(customer.requests.length, sent);
  await server.app.batch_writer.flush();
  const calls = expectResponse(
    await api('GET', `/projects/${tenant.id}/tool-calls?tool_id=${limited.id}`, { key: tenant.keys.read }),
    200,
  ).data;
  assert.ok(calls.some((call: any) => call.error_code === 'TOOL_LIMIT_REACHED'));
});

test('over MCP a refusal is a result with the code, that it can be retried and when; the status stays 200', async () => {
  const limited = await tool();
  await makeLimit({ match: { tool_ids: [limited.id] }, limit: 1, window_seconds: 600 });
  const first = await callOverMcp(tenant.keys.read, limited.name);
  const nearest = first.result._meta['toolgate/usage'].nearest_limit;
  assert.deepEqual([nearest.limit, nearest.remaining], [1, 0]);
  const { result } = await callOverMcp(tenant.keys.read, limited.name);
  assert.equal(result.isError, true);
  const { code, retryable, retry_after_seconds } = result._meta['toolgate/error'];
  assert.deepEqual([code, retryable], ['TOOL_LIMIT_REACHED', true]);
  assert.ok(retry_after_seconds > 0 && retry_after_seconds <= 600);
  assert.match(result.content[0].text, new RegExp(`succeeds in ${retry_after_seconds} seconds`));
});

test('the window slides: what is older no longer counts', async () => {
  const limited = await tool();
  await makeLimit({ match: { tool_ids: [limited.id] }, limit: 2, window_seconds: 60 });
  assert.equal(await passed(limited, tenant.keys.read, 2), 2);
  await letPass(59_000);
  assert.equal(await passed(limited, tenant.keys.read, 1), 0);
  await letPass(2_000);
  assert.equal(await passed(limited, tenant.keys.read, 4), 2);
});

test('of several limits all are counted, or none', async () => {
  const [wide, narrow] = [await tool({ tags: ['several'] }), await tool({ tags: ['several'] })];
  const both = await makeLimit({ match: { tags: ['several'] }, limit: 5 });
  await makeLimit({ match: { tool_ids: [narrow.id] }, limit: 1 });
  assert.equal(await passed(narrow, tenant.keys.read, 4), 1);
  assert.deepEqual(await usageOf(both.id), [{ subject_id: tenant.id, used: 1, limit: 5 }]);
  assert.equal(await passed(wide, tenant.keys.read, 6), 4);
});

test('a call counts the weight of its tool', async () => {
  const [light, heavy] = [await tool({ tags: ['weighed'] }), await tool({ tags: ['weighed'], weight: 4 })];
  const { id } = await makeLimit({ match: { tags: ['weighed'] }, limit: 10 });
  assert.equal(await passed(heavy, tenant.keys.read, 3), 2);
  assert.equal(await passed(light, tenant.keys.read, 3), 2);
  assert.deepEqual(await usageOf(id), [{ subject_id: tenant.id, used: 10, limit: 10 }]);
});

test('a limit per key counts each key apart, and an override changes that of one', async () => {
  const limited = await tool();
  const [one, other] = [await makeKey(server, tenant.id, ['read']), await makeKey(server, tenant.id, ['read'])];
  const overrides = [{ subject_id: other.id, limit: 3 }];
  const { id } = await makeLimit({ match: { tool_ids: [limited.id] }, per: 'api_key', limit: 1, overrides });
  assert.equal(await passed(limited, one.key, 3), 1);
  assert.equal(await passed(limited, other.key, 5), 3);
  assert.deepEqual(await usageOf(id), [
    { subject_id: other.id, used: 3, limit: 3 },
    { subject_id: one.id, used: 1, limit: 1 },
  ]);
});

test('a limit per member does not apply to a key without a member, and counts two members apart', async () => {
  const limited = await tool();
  await makeLimit({ match: { tool_ids: [limited.id] }, per: 'member', limit: 1 });
  assert.equal(await passed(limited, tenant.keys.read, 3), 3);
  const { key } = await makeIntegrationKey(server, tenant.id, (await makeIntegration(server, tenant.id)).id);
  for (const member_external_id of [unique('ada'), unique('bob')]) {
    const { session_token } = expectResponse(await exchange(server, key, { member_external_id }), 200);
    assert.equal(await passed(limited, session_token, 2), 1);
  }
});

test('an answer that is repeated for the same Idempotency-Key costs nothing', async () => {
  const limited = await tool();
  const { id } = await makeLimit({ match: { tool_ids: [limited.id] }, limit: 1 });
  const headers = { 'idempotency-key': unique('key') };
  expectResponse(await execute(server, tenant.keys.read, limited.id, {}, headers), 200);
  expectResponse(await execute(server, tenant.keys.read, limited.id, {}, headers), 200);
  assert.equal((await usageOf(id))[0].used, 1);
});

test('arguments that are refused are not counted', async () => {
  const limited = await tool({ input_schema: { type: 'object', required: ['id'] } });
  const { id } = await makeLimit({ match: { tool_ids: [limited.id] }, limit: 1 });
  expectResponse(await execute(server, tenant.keys.read, limited.id), 422);
  assert.deepEqual(await usageOf(id), []);
});

test('the event limit.reached is recorded once an hour for each subject', async () => {
  const limited = await tool();
  const { id } = await makeLimit({ match: { tool_ids: [limited.id] }, per: 'api_key', limit: 1 });
  const keys = [await makeKey(server, tenant.id, ['read']), await makeKey(server, tenant.id, ['read'])];
  for (const { key } of keys) assert.equal(await passed(limited, key, 4), 1);
  await server.app.batch_writer.flush();
  await two.app.batch_writer.flush();
  const { data } = expectResponse(
    await api('GET', `/projects/${tenant.id}/events?type=limit.reached&limit=100`, { key: tenant.keys.read }),
    200,
  );
  const subjects = data.map((event: any) => event.data).filter((data: any) => data.limit_id === id);
  assert.deepEqual(subjects.map((each: any) => each.subject_id).sort(), keys.map((each) => each.id).sort());
});

test('a weight above a limit is refused where it is saved, and changes nothing', async () => {
  const heavy = await tool({ tags: ['heavy'], weight: 20 });
  const body = limitFields({ match: { tags: ['heavy'] }, limit: 19 });
  const refused = expectResponse(await api('POST', limitsOf(tenant), { key: tenant.keys.write, body }), 422);
  assert.equal(refused.error.details.field, 'limit');
  const { id } = await makeLimit({ match: { tags: ['heavy'] }, limit: 20 });
  const change = { key: tenant.keys.write, body: { weight: 21 } };
  const response = expectResponse(await api('PATCH', `/custom-tools/${heavy.id}`, change), 422);
  assert.equal(response.error.details.field, 'weight');
  expectResponse(await api('PATCH', `${limitsOf(tenant)}/${id}`, { key: tenant.keys.write, body: { limit: 19 } }), 422);
  assert.equal(
    expectResponse(await api('GET', `/custom-tools/${heavy.id}`, { key: tenant.keys.read }), 200).weight,
    20,
  );
});

test('changing the weight of a tool is no new version of it', async () => {
  const { id, version } = await tool();
  const body = { weight: 5 };
  const changed = expectResponse(await api('PATCH', `/custom-tools/${id}`, { key: tenant.keys.write, body }), 200);
  assert.deepEqual([changed.weight, changed.version], [5, version]);
});

test('an eleventh limit of one tool and a 51st of the project are refused with 409', async () => {
  const other = await makeTenant(server, { plan: 'enterprise' });
  const limited = await tool({}, other.keys.write);
  const make = (fields: object) =>
    api('POST', limitsOf(other), { key: other.keys.write, body: limitFields({ limit: 100, ...fields }) });
  for (let i = 0; i < 10; i++) expectResponse(await make({ match: { tool_ids: [limited.id] } }), 201);
  const eleventh = expectResponse(await make({}), 409).error;
  assert.deepEqual([eleventh.code, eleventh.details.reason], ['LIMIT_REACHED', 'too_many_limits_of_tool']);
  for (let i = 10; i < 50; i++) expectResponse(await make({ match: { tags: ['none'] } }), 201);
  assert.equal(
    expectResponse(await make({ match: { tags: ['none'] } }), 409).error.details.reason,
    'too_many_tool_limits',
  );
});

test('a limit of a toolset follows it; deleting the toolset is refused, and with detach the limit applies to nothing', async () => {
  const [inside, later] = [await tool(), await tool()];
  const { id: toolset_id, slug } = await makeToolset(server, tenant.id, { tool_ids: [inside.id] });
  const limit = await makeLimit({ match: { toolset: slug }, limit: 1 });
  assert.deepEqual(limit.match, { toolset: slug });
  assert.equal(await passed(inside, tenant.keys.read, 2), 1);
  const path = `/projects/${tenant.id}/toolsets/${toolset_id}`;
  const body = { tool_ids: [inside.id, later.id] };
  expectResponse(await api('PATCH', path, { key: ROOT_KEY, body }), 200);
  expectResponse(await execute(server, tenant.keys.read, later.id), 429);
  const { details } = expectResponse(await api('DELETE', path, { key: ROOT_KEY }), 409).error;
  assert.deepEqual(details.limit_ids, [limit.id]);
  expectResponse(await api('DELETE', `${path}?detach=true`, { key: ROOT_KEY }), 204);
  const left = expectResponse(await api('GET', `${limitsOf(tenant)}/${limit.id}`, { key: tenant.keys.read }), 200);
  assert.deepEqual(left.match, { tool_ids: [] });
  expectResponse(await execute(server, tenant.keys.read, inside.id), 200);
});

test('a tool that is deleted leaves the limit, which then applies to nothing instead of to everything', async () => {
  const [gone, other] = [await tool(), await tool()];
  const { id } = await makeLimit({ match: { tool_ids: [gone.id] }, limit: 1 });
  expectResponse(await api('DELETE', `/custom-tools/${gone.id}`, { key: tenant.keys.admin }), 204);
  const left = expectResponse(await api('GET', `${limitsOf(tenant)}/${id}`, { key: tenant.keys.read }), 200);
  assert.deepEqual(left.match, { tool_ids: [] });
  for (let i = 0; i < 2; i++) expectResponse(await execute(server, tenant.keys.read, other.id), 200);
});

for (const [what, field, fields] of [
  ['a limit of zero', 'limit', { limit: 0 }],
  ['a limit above a million', 'limit', { limit: 1_000_001 }],
  ['a window of zero', 'window_seconds', { window_seconds: 0 }],
  ['a window of more than a day', 'window_seconds', { window_seconds: 86_401 }],
  ['an unknown subject', 'per', { per: 'person' }],
  ['two kinds of match', 'match', { match: { tags: ['a'], toolset: 'b' } }],
  ['an empty match', 'match', { match: {} }],
  ['no tool', 'match.tool_ids', { match: { tool_ids: [] } }],
  ['a tool that does not exist', 'match.tool_ids.0', { match: { tool_ids: ['tool_x'] } }],
  ['a toolset that does not exist', 'match.toolset', { match: { toolset: 'unknown' } }],
  ['a toolset with NUL in it', 'match.toolset', { match: { toolset: 'a\0' } }],
  [
    'an override of an unknown key',
    'overrides.0.subject_id',
    { per: 'api_key', overrides: [{ subject_id: 'key_x', limit: 1 }] },
  ],
  [
    'two overrides of one subject',
    'overrides',
    {
      overrides: [
        { subject_id: 'a', limit: 1 },
        { subject_id: 'a', limit: 2 },
      ],
    },
  ],
] as const)
  test(`${what} is 422 and names ${field}`, async () => {
    const body = limitFields(fields);
    const { error } = expectResponse(await api('POST', limitsOf(tenant), { key: tenant.keys.write, body }), 422);
    assert.equal(error.details.field, field);
  });
