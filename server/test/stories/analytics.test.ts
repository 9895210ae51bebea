// Analytics over HTTP: exact counts by interval and group, quantiles, the period before, and what makes no sense.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { insertCalls, type NewCall } from '../../src/features/activity/analytics/store.ts';
import { callTool, legacy } from '../mcp/rpc.ts';
import { insertMembers } from '../support/database/insert-members.ts';
import { expectResponse, makeKey, makeProject, makeTenant } from '../support/make/make.ts';
import { makeIntegration, makeIntegrationKey } from '../support/make/make-members.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { newCall } from '../support/make/new-call.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { expectRefusal } from '../support/requests/expect-refusal.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const NOTHING = {
  calls: 0,
  errors: 0,
  waiting: 0,
  p50_ms: null,
  p95_ms: null,
  p99_ms: null,
  waiting_p50_ms: null,
  waiting_p95_ms: null,
  tasks: 0,
  task_p50_ms: null,
  task_p95_ms: null,
  rate_limited: 0,
};

const customer = await startCustomer();
after(() => customer.close());
customer.respond('/broken', { status: 500, body: {} });
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { api, app } = server;

const iso = (ms: number) => new Date(ms).toISOString();
const ask = (project_id: string, params: Record<string, string> = {}, key = ROOT_KEY) =>
  api('GET', `/projects/${project_id}/analytics?${new URLSearchParams(params)}`, { key });

async function read(project_id: string, params: Record<string, string> = {}, key?: string) {
  await app.batch_writer.flush();
  return expectResponse(await ask(project_id, params, key), 200);
}

type Bucket = { start: string; group: string | null; group_name: string | null; calls: number; errors: number };
const counts = (data: Bucket[]) =>
  data.map(({ group, group_name, calls, errors }) => ({ group, group_name, calls, errors }));
const byGroup = (data: Bucket[]) => counts(data).sort((a, b) => String(a.group).localeCompare(String(b.group)));

/** Calls as they are recorded, without making them. */
const makeCall = (project_id: string, fields: Partial<NewCall> = {}) =>
  newCall(project_id, { created_at: app.now(), ...fields });
const record = (calls: NewCall[]) => insertCalls(app.background.pool, calls);

/** A project with a session of a member, and calls of both transports that succeed and fail. */
async function makeShop() {
  const tenant = await makeTenant(server);
  const integration = await makeIntegration(server, tenant.id);
  const appKey = await makeIntegrationKey(server, tenant.id, integration.id);
  const session = expectResponse(
    await api('POST', '/api/v1/mcp/session-token', { key: appKey.key, body: { member_external_id: 'alice' } }),
    200,
  );
  const found = await makeTool(server, tenant.keys.write, customer);
  const broken = await makeTool(server, tenant.keys.write, customer, { endpoint_path: '/broken' });
  for (let i = 0; i < 3; i += 1) expectResponse(await execute(server, tenant.keys.read, found.id), 200);
  for (let i = 0; i < 2; i += 1) await callTool(legacy, server, session.session_token, found.name);
  expectResponse(await execute(server, appKey.key, broken.id), 502);
  return { tenant, integration, appKey, session, found, broken };
}

test('calls of both transports are counted at once, in all and in each group, with the names that people gave them', async () => {
  const { tenant, integration, appKey, session, found, broken } = await makeShop();
  const all = await read(tenant.id, {}, tenant.keys.read);
  assert.deepEqual([all.object, all.interval, all.group_by], ['analytics', 'hour', null]);
  assert.deepEqual([all.totals.calls, all.totals.errors, all.totals.rate_limited], [6, 1, 0]);
  const sum = (name: 'calls' | 'errors') => all.data.reduce((total: number, bucket: Bucket) => total + bucket[name], 0);
  assert.deepEqual([sum('calls'), sum('errors')], [6, 1]);

  const groupsBy = async (group_by: string) => byGroup((await read(tenant.id, { group_by, interval: 'day' })).data);
  const row = (group: string | null, group_name: string | null, calls: number, errors: number) => ({
    group,
    group_name,
    calls,
    errors,
  });
  const sorted = (rows: ReturnType<typeof row>[]) =>
    rows.sort((a, b) => String(a.group).localeCompare(String(b.group)));
  assert.deepEqual(
    await groupsBy('tool'),
    sorted([row(found.id, found.name, 5, 0), row(broken.id, broken.name, 1, 1)]),
  );
  assert.deepEqual(await groupsBy('member'), sorted([row(session.member.id, 'alice', 2, 0), row(null, null, 4, 1)]));
  assert.deepEqual(
    await groupsBy('integration'),
    sorted([row(integration.id, integration.name as string, 3, 1), row(null, null, 3, 0)]),
  );
  assert.deepEqual(await groupsBy('outcome'), [row('failed', null, 1, 1), row('succeeded', null, 5, 0)]);
  assert.deepEqual(await groupsBy('transport'), [row('mcp', null, 2, 0), row('rest', null, 4, 1)]);
  assert.deepEqual(await groupsBy('error_code'), [row(null, null, 5, 0), row('UPSTREAM_STATUS', null, 1, 1)]);
  const keys = await groupsBy('api_key');
  assert.deepEqual(
    keys.find(({ group }) => group === appKey.id),
    row(appKey.id, appKey.name, 3, 1),
    "a member's call belongs to the key that created the session",
  );
});

test('by minute, members are counted too', async () => {
  const { tenant, session } = await makeShop();
  const { data, totals } = await read(tenant.id, { group_by: 'member', interval: 'minute' });
  const calls = (group: string | null) =>
    data.filter((bucket: Bucket) => bucket.group === group).reduce((sum: number, { calls }: Bucket) => sum + calls, 0);
  assert.deepEqual([calls(session.member.id), calls(null), totals.calls], [2, 4, 6]);
});

test('a deleted tool keeps the name of its last call; a deleted key has none', async () => {
  const { tenant, found, appKey } = await makeShop();
  await app.batch_writer.flush();
  expectResponse(await api('DELETE', `/custom-tools/${found.id}`, { key: tenant.keys.admin }), 204);
  expectResponse(await api('DELETE', `/projects/${tenant.id}/api-keys/${appKey.id}`, { key: tenant.keys.admin }), 204);
  const nameOf = async (group_by: string, id: string) =>
    (await read(tenant.id, { group_by })).data.find(({ group }: Bucket) => group === id).group_name;
  assert.equal(await nameOf('tool', found.id), found.name);
  assert.equal(await nameOf('api_key', appKey.id), null);
});

test('the calls and ids of another project are not counted', async () => {
  const [{ tenant }, other] = [await makeShop(), await makeTenant(server)];
  expectRefusal(await ask(tenant.id, {}, other.keys.read), 401);
  assert.deepEqual((await read(other.id, { group_by: 'member' }, other.keys.read)).totals, NOTHING);
});

test('reading needs the permission read', async () => {
  const tenant = await makeTenant(server);
  expectRefusal(await ask(tenant.id, {}, tenant.keys.write), 403);
  expectResponse(await ask(tenant.id, {}, tenant.keys.admin), 200);
});

test('quantiles are within 5 %, in all, for each group and each interval', async () => {
  const { id } = await makeProject(server);
  const hour = Math.floor(app.now() / HOUR_MS) * HOUR_MS - 3 * HOUR_MS;
  const durations = Array.from({ length: 1000 }, (_, i) => Math.round(1.01 ** i));
  await record(
    durations.map((duration_ms, i) =>
      makeCall(id, { duration_ms, created_at: hour + (i % 2) * HOUR_MS, tool_id: `tool_${i % 2}` }),
    ),
  );
  const quantile = (values: number[], share: number) =>
    values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1];
  const check = (found: any, values: number[]) => {
    for (const [field, share] of [
      ['p50_ms', 0.5],
      ['p95_ms', 0.95],
      ['p99_ms', 0.99],
    ] as const) {
      const exact = quantile(values, share) as number;
      assert.ok(Math.abs(found[field] - exact) <= exact * 0.05, `${field}: ${found[field]} instead of ${exact}`);
    }
  };
  const body = await read(id, { group_by: 'tool' });
  check(body.totals, durations);
  assert.equal(body.data.length, 2);
  for (const [i, bucket] of body.data.entries()) {
    assert.deepEqual([bucket.start, bucket.group], [iso(hour + i * HOUR_MS), `tool_${i}`]);
    check(
      bucket,
      durations.filter((_, n) => n % 2 === i),
    );
  }
});

test('previous is the period of the same length before, and from and to are widened to whole intervals', async () => {
  const { id } = await makeProject(server);
  const day = Math.floor(app.now() / DAY_MS) * DAY_MS - 3 * DAY_MS;
  const at = (created_at: number, duration_ms: number) => makeCall(id, { created_at, duration_ms });
  await record([
    at(day + 10 * HOUR_MS, 10),
    at(day + 12 * HOUR_MS - 1, 11),
    at(day + 12 * HOUR_MS, 12),
    at(day + 9.5 * HOUR_MS, 13),
    at(day + 8 * HOUR_MS - 1, 14),
  ]);
  const body = await read(id, { from: iso(day + 10.4 * HOUR_MS), to: iso(day + 11.6 * HOUR_MS) });
  assert.deepEqual([body.from, body.to], [iso(day + 10 * HOUR_MS), iso(day + 12 * HOUR_MS)]);
  assert.deepEqual([body.totals.calls, body.totals.p99_ms], [2, 11]);
  assert.deepEqual([body.previous.calls, body.previous.p99_ms], [1, 13]);
  const days = await read(id, { from: iso(day + 1), to: iso(day + DAY_MS + 1), interval: 'day' });
  assert.deepEqual([days.from, days.to, days.totals.calls], [iso(day), iso(day + 2 * DAY_MS), 5]);
  const minutes = await read(id, {
    from: iso(day + 10 * HOUR_MS + 1),
    to: iso(day + 12 * HOUR_MS),
    interval: 'minute',
  });
  assert.deepEqual(
    minutes.data.map(({ start }: Bucket) => start),
    [iso(day + 10 * HOUR_MS), iso(day + 12 * HOUR_MS - MINUTE_MS)],
  );
});

test('minutes that are older than their rollups are counted from the call log', async () => {
  const { id } = await makeProject(server);
  const old = Math.floor(app.now() / DAY_MS) * DAY_MS - 10 * DAY_MS;
  await record([
    makeCall(id, { created_at: old + MINUTE_MS }),
    makeCall(id, { created_at: old, error_code: 'TOOL_TIMED_OUT' }),
  ]);
  await app.database.deleteFrom('call_rollups').where('project_id', '=', id).where('interval', '=', 'minute').execute();
  const body = await read(id, { from: iso(old), to: iso(old + HOUR_MS), interval: 'minute', group_by: 'outcome' });
  assert.deepEqual(counts(body.data), [
    { group: 'failed', group_name: null, calls: 1, errors: 1 },
    { group: 'succeeded', group_name: null, calls: 1, errors: 0 },
  ]);
});

test('the 100 groups with most calls are given, the others together', async () => {
  const { id } = await makeProject(server);
  const created_at = app.now();
  const members = Array.from({ length: 130 }, (_, i) => `mem_${i}`);
  await insertMembers(app.database, id, members);
  const calls = members.map((member_id, i) => {
    const call = { created_at, member_id, duration_ms: i < 100 ? 5 : 15 };
    return Array.from({ length: i < 100 ? 2 : 1 }, () => makeCall(id, call));
  });
  await record([...calls.flat(), makeCall(id, { created_at })]);
  for (const interval of ['minute', 'hour', 'day']) {
    const { data, totals } = await read(id, { group_by: 'member', interval });
    const other = data.find(({ group }: Bucket) => group === 'other');
    assert.deepEqual([other.calls, other.errors, other.p50_ms, other.group_name], [30, 0, 15, null], interval);
    assert.deepEqual([data.length, totals.calls], [102, 231], 'and those without a member');
    assert.ok(data.every(({ group, calls }: Bucket) => group === 'other' || group === null || calls === 2));
  }
});

test('a project without calls has zeros, nulls and no data', async () => {
  const { id } = await makeProject(server);
  const { totals, previous, data, from, to } = await read(id);
  assert.deepEqual([totals, previous, data], [NOTHING, NOTHING, []]);
  assert.ok(Date.parse(to) - Date.parse(from) >= DAY_MS && Date.parse(to) >= app.now() - MINUTE_MS, `${from} to ${to}`);
});

test('rate_limited counts every refusal over both transports, and none of them is a call', async () => {
  const { id } = await makeProject(server, { requests_per_hour: 5 });
  const { key } = await makeKey(server, id, ['read']);
  for (let i = 0; i < 5; i += 1) expectResponse(await api('GET', `/projects/${id}`, { key }), 200);
  for (let i = 0; i < 3; i += 1) expectRefusal(await api('GET', `/projects/${id}`, { key }), 429);
  assert.equal((await legacy(server, key, 'ping')).status, 429);
  for (const interval of ['minute', 'hour', 'day']) {
    const { totals, previous } = await read(id, { interval });
    assert.deepEqual([totals, previous], [{ ...NOTHING, rate_limited: 4 }, NOTHING], interval);
  }
  expectRefusal(await api('GET', `/projects/${id}`, { key }), 429);
  assert.equal((await read(id)).totals.rate_limited, 5, 'what was written already is not counted twice');
  const later = await read(id, { from: iso(app.now() + DAY_MS), to: iso(app.now() + 3 * DAY_MS), interval: 'day' });
  assert.deepEqual([later.totals.rate_limited, later.previous.rate_limited], [0, 5]);
});

test('2,000 intervals are counted, 2,001 are refused', async () => {
  const { id } = await makeProject(server);
  const end = Math.floor(app.now() / MINUTE_MS) * MINUTE_MS;
  const from = (minutes: number) => ({ interval: 'minute', from: iso(end - minutes * MINUTE_MS), to: iso(end) });
  expectResponse(await ask(id, from(2000)), 200);
  assert.equal(expectRefusal(await ask(id, from(2000.1)), 422).details.field, 'interval');
});

for (const [field, params] of [
  ['interval', { interval: 'week' }],
  ['group_by', { group_by: 'color' }],
  ['group_by', { group_by: '' }],
  ['from', { from: 'yesterday' }],
  ['to', { to: '2026-02-30T00:00:00Z' }],
  ['from', { from: '2026-03-02T00:00:00Z', to: '2026-03-01T00:00:00Z' }],
  ['from', { from: '2026-03-02T00:00:00Z', to: '2026-03-02T00:00:00Z' }],
  ['from', { from: '2999-01-01T00:00:00Z' }],
  ['tool_id', { tool_id: 'tool_1' }],
] as const) {
  test(`${JSON.stringify(params)} is refused with the field ${field}`, async () => {
    const { id } = await makeProject(server);
    assert.equal(expectRefusal(await ask(id, params), 422).details.field, field);
  });
}

test('the first and the last year can be asked for', async () => {
  const { id } = await makeProject(server);
  for (const year of ['0000', '9999'])
    expectResponse(
      await ask(id, { from: `${year}-12-31T00:00:00Z`, to: `${year}-12-31T23:59:59Z`, interval: 'day' }),
      200,
    );
});

test('rollups and counts of refusals are deleted by age, minutes first, and with their project', async () => {
  const { id } = await makeProject(server, { requests_per_hour: 1 });
  const { key } = await makeKey(server, id, ['read']);
  for (let i = 0; i < 2; i += 1) await api('GET', `/projects/${id}`, { key });
  await record([makeCall(id)]);
  await app.batch_writer.flush();
  const stored = async () => {
    const kept = [];
    for (const table of ['call_rollups', 'rate_limited_counts'] as const) {
      const rows = await app.database
        .selectFrom(table)
        .select('interval')
        .distinct()
        .where('project_id', '=', id)
        .execute();
      kept.push(
        rows
          .map(({ interval }) => interval)
          .sort()
          .join(),
      );
    }
    return kept;
  };
  const all = 'day,hour,minute';
  assert.deepEqual(await stored(), [all, all]);
  server.advance(8 * DAY_MS);
  await server.runJobs();
  assert.deepEqual(await stored(), ['day,hour', 'day,hour']);
  expectResponse(await api('DELETE', `/projects/${id}`, { key: ROOT_KEY }), 204);
  server.advance(31 * DAY_MS);
  await server.runJobs();
  assert.deepEqual(await stored(), ['', '']);
});
