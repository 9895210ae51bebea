// What a question about many calls may cost: analytics are answered from rollups, or refused with the interval that can be; a read
// that takes too long is cancelled in the database.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertCalls } from '../../src/features/activity/analytics/store.ts';
import { recordMany } from '../support/database/record-many.ts';
import { expectResponse, makeProject } from '../support/make/make.ts';
import { newCall } from '../support/make/new-call.ts';
import { expectRefusal } from '../support/requests/expect-refusal.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const server = await startServer();
const { api, app } = server;

const iso = (ms: number) => new Date(ms).toISOString();
const ask = (project_id: string, params: Record<string, string>) =>
  api('GET', `/projects/${project_id}/analytics?${new URLSearchParams(params)}`, { key: ROOT_KEY });
const read = async (project_id: string, params: Record<string, string>) =>
  expectResponse(await ask(project_id, params), 200);

type Bucket = { start: string; group: string | null; calls: number; errors: number };

/** By 50 members and by nobody, evenly over the time. */
const recordOfMembers = (project_id: string, count: number, { end, length }: { end: number; length: number }) =>
  recordMany(
    app,
    project_id,
    { count, since: end - length },
    {
      member_id: `case when i % 51 < 50 then 'mem_' || i % 51 end`,
      error_code: `case when i % 7 = 0 then 'TOOL_TIMED_OUT' end`,
      created_at: `to_timestamp(${(end - length) / 1000} + i * ${length / 1000 / count}::float8)`,
    },
  );

/** The same question, answered from the log itself. */
async function countFromLog(project_id: string, unit: string, { from, to }: { from: string; to: string }) {
  const { rows } = await app.pool.query<Bucket>(
    `select date_trunc('${unit}', created_at, 'UTC') as start, member_id as group, count(*) as calls, count(error_code) as errors
     from tool_calls where project_id = $1 and created_at >= $2 and created_at < $3 group by 1, 2`,
    [project_id, from, to],
  );
  return byStart(rows.map((row) => ({ ...row, start: iso(Date.parse(row.start)) })));
}

const byStart = (rows: Bucket[]) =>
  rows.map(({ start, group, calls, errors }) => `${start} ${group}: ${calls} ${errors}`).sort();

test('200,000 calls by minute and member are refused with the interval that is possible, which counts all of them', async () => {
  const { id } = await makeProject(server);
  const end = Math.floor(app.now() / HOUR_MS) * HOUR_MS;
  await recordOfMembers(id, 200_000, { end, length: DAY_MS });
  const period = { from: iso(end - DAY_MS), to: iso(end), group_by: 'member' };
  const { details } = expectRefusal(await ask(id, { ...period, interval: 'minute' }), 422);
  assert.deepEqual([details.field, details.finest_interval], ['interval', 'hour']);
  assert.match(String(details.remedy), /interval to hour/);
  assert.match(String(details.problems?.[0]?.message), /at most 20000 calls .* 200000/);

  const hours = await read(id, { ...period, interval: String(details.finest_interval) });
  assert.equal(hours.totals.calls, 200_000);
  assert.deepEqual(byStart(hours.data), await countFromLog(id, 'hour', period));

  const hour = { ...period, from: iso(end - HOUR_MS) };
  const minutes = await read(id, { ...hour, interval: 'minute' });
  assert.deepEqual(byStart(minutes.data), await countFromLog(id, 'minute', hour), 'a shorter period is possible');
  assert.equal(
    minutes.previous.calls,
    (await read(id, { ...hour, interval: 'minute', group_by: 'tool' })).previous.calls,
  );

  const tools = await read(id, { ...period, interval: 'minute', group_by: 'tool' });
  assert.equal(tools.totals.calls, 200_000, 'what rollups have is possible by minute');
});

test('minutes older than their rollups are refused with hours, if there are too many calls or the log has dropped them', async () => {
  const end = Math.floor(app.now() / DAY_MS) * DAY_MS - 10 * DAY_MS;
  const period = { from: iso(end - HOUR_MS), to: iso(end), interval: 'minute' };
  const busy = await makeProject(server);
  await recordOfMembers(busy.id, 20_001, { end, length: HOUR_MS });
  const { details } = expectRefusal(await ask(busy.id, period), 422);
  assert.deepEqual([details.field, details.finest_interval], ['interval', 'hour']);
  assert.equal((await read(busy.id, { ...period, interval: 'hour' })).totals.calls, 20_001);

  const quiet = await makeProject(server);
  await recordOfMembers(quiet.id, 10, { end, length: HOUR_MS });
  assert.equal((await read(quiet.id, period)).totals.calls, 10);
  server.advance(25 * DAY_MS);
  assert.equal(expectRefusal(await ask(quiet.id, period), 422).details.finest_interval, 'hour');
  server.advance(160 * DAY_MS);
  assert.equal(expectRefusal(await ask(quiet.id, period), 422).details.finest_interval, 'day');
  server.advance(-185 * DAY_MS);
});

test('a period with too many intervals is refused with the finest interval that it allows', async () => {
  const { id } = await makeProject(server);
  const now = app.now();
  const finest = async (days: number, interval: string) => {
    const period = { from: iso(now - days * DAY_MS), to: iso(now), interval };
    return expectRefusal(await ask(id, period), 422).details.finest_interval;
  };
  assert.equal(await finest(2, 'minute'), 'hour');
  assert.equal(await finest(100, 'minute'), 'day');
  assert.equal(await finest(100, 'hour'), 'day');
  assert.equal(await finest(3000, 'day'), undefined);
});

test('an answer has at most 20,000 rows of groups; the groups beyond them are added up as other', async () => {
  const { id } = await makeProject(server);
  const end = Math.floor(app.now() / HOUR_MS) * HOUR_MS;
  const minutes = 700;
  const count = 30 * minutes;
  await recordMany(
    app,
    id,
    { count: count + 1, since: end - minutes * MINUTE_MS },
    {
      tool_id: `'tool_' || i % 30`,
      created_at: `to_timestamp(${end / 1000} - 1 - least(i / 30, ${minutes - 1}) * 60)`,
    },
  );
  const period = { from: iso(end - minutes * MINUTE_MS), to: iso(end), interval: 'minute', group_by: 'tool' };
  const { data, totals } = await read(id, period);
  const named = data.filter(({ group }: Bucket) => group !== 'other');
  assert.equal(named.length, 28 * minutes, '29 tools would have 20,300 rows');
  assert.ok(
    named.some(({ group }: Bucket) => group === 'tool_0'),
    'the largest group is named',
  );
  const sum = data.reduce((all: number, bucket: Bucket) => all + bucket.calls, 0);
  assert.deepEqual([sum, totals.calls], [count + 1, count + 1]);
});

for (const [path, table] of [
  ['analytics', 'call_rollups'],
  ['analytics?group_by=member&interval=minute', 'tool_calls'],
  ['tool-calls?outcome=failed', 'tool_calls'],
  ['tool-calls/call_1', 'tool_calls'],
  ['requests', 'request_traces'],
  ['requests/req_1', 'request_traces'],
  ['audit-log', 'audit_entries'],
] as const) {
  test(`GET ${path} that takes too long is cancelled in the database, and answered 503 with what to narrow`, async () => {
    const { id } = await makeProject(server);
    await insertCalls(app.background.pool, [newCall(id, { created_at: app.now() })]);
    const other = await app.background.pool.connect();
    await other.query('begin; set local idle_in_transaction_session_timeout = 0');
    try {
      // A reader waits for this lock as it would for a slow disk.
      await other.query(`lock table ${table} in access exclusive mode`);
      const { code, details } = expectRefusal(await api('GET', `/projects/${id}/${path}`, { key: ROOT_KEY }), 503);
      assert.deepEqual([code, details.reason], ['SERVICE_UNAVAILABLE', 'read_took_too_long']);
      assert.match(String(details.remedy), /shorter period.*coarser interval.*filter/);
      const { rows } = await other.query(
        `select query from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
           and state <> 'idle' and query ~* '^\\s*(with|select)\\M.*\\m${table}\\M'`,
      );
      assert.deepEqual(rows, []);
    } finally {
      await other.query('rollback');
      other.release();
    }
    expectResponse(await api('GET', `/projects/${id}/analytics`, { key: ROOT_KEY }), 200);
  });
}
