import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { insertMembers } from '../../../../test/support/database/insert-members.ts';
import { insertProject, openTestDatabase } from '../../../../test/support/database/test-database.ts';
import { newCall } from '../../../../test/support/make/new-call.ts';
import { useSeed } from '../../../../test/support/property-seed.ts';
import { bucketStarts, type Histogram, newHistogram, parseHistogram } from './histogram.ts';
import { REBUILD_LOCK, type RebuiltDay, rebuildRollups } from './rebuild-rollups.ts';
import { insertCalls, type NewCall } from './store.ts';

useSeed();
const { database, pool, close } = await openTestDatabase();
after(close);
const memberIds = Array.from({ length: 7 }, (_, n) => `mem_${n}`);
await insertMembers(database, await insertProject(database), memberIds);

const DAY_MS = 86_400_000;
const { now } = (await pool.query('select extract(epoch from clock_timestamp())::float8 * 1000 as now')).rows[0];
const today = Math.floor(now / DAY_MS) * DAY_MS;

const makeCall = (fields: Partial<NewCall>) => newCall('prj_1', { created_at: now, ...fields });

/** A rollup as text without its order: `project interval dimension start group: calls errors waiting bucket=count …`. */
type Counts = { calls: number; errors: number; waiting: number; histogram: Histogram };

const describe = (key: string, { calls, errors, waiting, histogram }: Counts) =>
  `${key}: ${calls} ${errors} ${waiting} ${[...histogram].flatMap((n, bucket) => (n === 0 ? [] : [`${bucket}=${n}`])).join(' ')}`;

async function storedRollups(): Promise<string[]> {
  const { rows } = await pool.query(
    `select project_id, interval, dimension, extract(epoch from start)::float8 * 1000 as start, group_id, calls, errors,
       waiting, histogram::text from call_rollups`,
  );
  return rows
    .map(({ project_id, interval, dimension, start, group_id, histogram: stored, ...counts }) => {
      const key = [project_id, interval, dimension, start, group_id].join(' ');
      return describe(key, { ...counts, histogram: parseHistogram(stored) });
    })
    .sort();
}

/** The same, counted one by one. */
function expectedRollups(calls: NewCall[]): string[] {
  const rollups = new Map<string, Counts>();
  for (const call of calls) {
    const groups = {
      total: '',
      tool: call.tool_id,
      api_key: call.api_key_id,
      integration: call.integration_id,
      member: call.member_id,
      outcome: call.error_code && 'failed',
      error_code: call.error_code,
      transport: call.transport === 'mcp' ? 'mcp' : null,
      waiting: call.waiting_ms === null ? null : '',
      task: call.task_ms === null ? null : '',
    };
    for (const [interval, ms] of Object.entries({ minute: 60_000, hour: 3_600_000, day: DAY_MS }))
      for (const [dimension, group] of Object.entries(groups)) {
        if (group === null || (dimension === 'member' && interval === 'minute')) continue;
        const start = Math.floor(call.created_at / ms) * ms;
        const key = [call.project_id, interval, dimension, start, group].join(' ');
        const rollup = rollups.get(key) ?? { calls: 0, errors: 0, waiting: 0, histogram: newHistogram() };
        rollups.set(key, rollup);
        rollup.calls += 1;
        if (call.is_waiting) rollup.waiting += 1;
        else if (call.error_code) rollup.errors += 1;
        const long_ms = dimension === 'waiting' ? call.waiting_ms : dimension === 'task' ? call.task_ms : null;
        const measured = long_ms === null ? call.duration_ms : long_ms / 100;
        const bucket = bucketStarts.findLastIndex((first) => first <= measured) + 1;
        rollup.histogram[bucket] = (rollup.histogram[bucket] ?? 0) + 1;
      }
  }
  return [...rollups].map(([key, counts]) => describe(key, counts)).sort();
}

const clear = () => pool.query('truncate tool_calls, call_rollups');

async function rebuild(): Promise<number> {
  const days: RebuiltDay[] = [];
  await rebuildRollups({ database, call_log_days: 30 }, (day) => days.push(day));
  return days.reduce((sum, { corrected }) => sum + corrected, 0);
}

const someCall = fc.record({
  project_id: fc.constantFrom('prj_1', 'prj_2'),
  tool_id: fc.constantFrom('tool_1', 'tool_2', 'tool_3'),
  api_key_id: fc.constantFrom('key_1', 'key_2', null),
  integration_id: fc.constantFrom('int_1', null),
  member_id: fc.constantFrom('mem_1', 'mem_2', 'mem_3', null),
  transport: fc.constantFrom('rest' as const, 'mcp' as const),
  how: fc.oneof(
    fc.constantFrom({}, {}, { error_code: 'UPSTREAM_STATUS' }, { error_code: 'TOOL_TIMED_OUT' }),
    fc.constant({ error_code: 'CONFIRMATION_REQUIRED', is_waiting: true }),
    fc.oneof(fc.nat(3_000), fc.nat(100_000_000)).map((waiting_ms) => ({ waiting_ms })),
    fc.nat(86_400_000).map((task_ms) => ({ task_ms, poll_count: 3 })),
  ),
  duration_ms: fc.oneof(fc.nat(30), fc.nat(2000), fc.nat(2_000_000)),
  created_at: fc.oneof(
    fc.nat(120_000).map((age) => now - age),
    fc.nat(3 * DAY_MS - 1).map((ms) => today - 2 * DAY_MS + ms),
  ),
});
const someCalls = fc
  .array(someCall, { minLength: 1, maxLength: 200 })
  .map((calls) => calls.map(({ how, ...call }) => makeCall({ ...call, ...how })));

test('rollups are exact, in whatever batches the calls are written, and if some are written twice', async () => {
  const property = fc.asyncProperty(someCalls, fc.integer({ min: 1, max: 60 }), async (calls, size) => {
    await clear();
    for (let i = 0; i < calls.length; i += size) {
      await insertCalls(pool, calls.slice(i, i + size));
      await insertCalls(pool, calls.slice(Math.max(0, i - 5), i + 1));
    }
    assert.deepEqual(await storedRollups(), expectedRollups(calls));
  });
  await fc.assert(property, { numRuns: 25 });
});

const damage = fc.constantFrom(
  'truncate call_rollups',
  `update call_rollups set calls = calls + 7, errors = errors + 1, waiting = waiting + 2 where dimension = 'total'`,
  `update call_rollups set histogram = '{}' where interval = 'hour'`,
  `update call_rollups set histogram = histogram || histogram`,
  `delete from call_rollups where dimension = 'tool'`,
  `insert into call_rollups select project_id, interval, dimension, start, 'nobody', calls, errors, histogram, waiting
   from call_rollups where dimension = 'total' on conflict do nothing`,
);

test('rebuilt rollups equal those that were added to call by call, whatever was wrong with them', async () => {
  const property = fc.asyncProperty(
    someCalls,
    fc.array(damage, { minLength: 1, maxLength: 3 }),
    async (calls, damages) => {
      await clear();
      await insertCalls(pool, calls);
      const before = await storedRollups();
      for (const statement of damages) await pool.query(statement);
      await rebuild();
      assert.deepEqual(await storedRollups(), before);
      assert.equal(await rebuild(), 0, 'a second rebuild finds nothing to correct');
    },
  );
  await fc.assert(property, { numRuns: 25 });
});

test('two servers and a rebuild that write the same rollups at once lose and repeat nothing', async () => {
  await clear();
  const calls: NewCall[] = [];
  const write = async (order: 1 | -1) => {
    for (let i = 0; i < 40; i += 1) {
      const batch = Array.from({ length: 25 }, (_, n) =>
        makeCall({
          project_id: `prj_${n % 5}`,
          tool_id: `tool_${n % 3}`,
          member_id: `mem_${n % 7}`,
          duration_ms: n * i,
        }),
      );
      if (order === -1) batch.reverse();
      calls.push(...batch);
      await insertCalls(pool, batch);
    }
  };
  const rebuildRepeatedly = async () => {
    for (let i = 0; i < 10; i += 1) assert.equal(await rebuild(), 0, 'rollups and calls fit each other at any time');
  };
  await Promise.all([write(1), write(-1), rebuildRepeatedly()]);
  assert.deepEqual(await storedRollups(), expectedRollups(calls));
  await pool.query(`delete from call_rollups where dimension <> 'total'`);
  await Promise.all([write(1), rebuild(), write(-1)]);
  assert.deepEqual(await storedRollups(), expectedRollups(calls));
});

test('a second rebuild at the same time is refused', async () => {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [REBUILD_LOCK]);
    await assert.rejects(rebuild(), /another rebuild is running/);
  } finally {
    client.release(true);
  }
});

test('a rebuild leaves rollups alone whose calls are not in the log any more', async () => {
  await clear();
  await insertCalls(pool, [
    makeCall({}),
    makeCall({ created_at: now - 2 * DAY_MS }),
    makeCall({ project_id: 'prj_2' }),
  ]);
  const before = await storedRollups();
  await pool.query(`delete from tool_calls where project_id = 'prj_2' or created_at < $1`, [new Date(today)]);
  assert.equal(await rebuild(), 0);
  assert.deepEqual(await storedRollups(), before);
});

test('a rebuild leaves the day alone whose log retention is about to drop', async () => {
  await clear();
  await insertCalls(pool, [makeCall({ created_at: today - 2 * DAY_MS }), makeCall({ created_at: today - DAY_MS + 1 })]);
  await pool.query('truncate call_rollups');
  const days: string[] = [];
  await rebuildRollups({ database, call_log_days: 2 }, ({ day }) => days.push(day));
  assert.deepEqual(
    days,
    [today - DAY_MS, today].map((day) => new Date(day).toISOString().slice(0, 10)),
  );
});
