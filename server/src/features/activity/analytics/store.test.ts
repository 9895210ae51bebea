import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { insertMembers } from '../../../../test/support/database/insert-members.ts';
import { insertProject, openTestDatabase } from '../../../../test/support/database/test-database.ts';
import { dropDayPartitions } from '../../../database/day-partitions.ts';
import { deleteCallsOf, insertCalls, type NewCall } from './store.ts';

const { database, pool, close } = await openTestDatabase();
after(close);

const call: NewCall = {
  id: 'call_1',
  project_id: 'prj_1',
  tool_id: 'tool_1',
  tool_name: 'get_order',
  tool_version: 3,
  integration_id: 'int_1',
  api_key_id: 'key_1',
  session_id: 'ses_1',
  member_id: 'mem_"1"\\',
  account_id: 'usr_1',
  transport: 'mcp',
  client_name: 'Acme "é" {1,2}',
  protocol_version: '2026-07-28',
  via: 'search',
  is_waiting: false,
  status: 502,
  error_code: 'UPSTREAM_STATUS',
  failed_step: 'upstream',
  reason: 'because',
  remedy: 'repair it',
  upstream_status: 503,
  duration_ms: 12,
  waiting_ms: null,
  poll_count: 12,
  task_ms: 61_000,
  queue_ms: 1,
  connect_ms: 2,
  upstream_ms: 8,
  request_bytes: 120,
  response_bytes: 300,
  result_tokens: 75,
  shaped_tokens: 50,
  policy: [{ hook_id: 'hook_1', point: 'before', decision: 'deny', reason: 'no "é"', duration_ms: 3 }],
  request_id: 'req_1',
  created_at: Date.UTC(2026, 10, 15, 2, 11, 0, 123),
};

await insertMembers(database, await insertProject(database), [call.member_id as string]);

const select = (id: string) =>
  database.selectFrom('tool_calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

test('each value of a call is stored in its own column', async () => {
  await insertCalls(pool, [call]);
  const { created_at, transaction_id, oldest_transaction_id, ...row } = await select('call_1');
  assert.deepEqual({ ...row, created_at: Date.parse(created_at) }, call);
  assert.ok(BigInt(oldest_transaction_id) <= BigInt(transaction_id));
});

test('a value that a call does not have is stored as null', async () => {
  const bare: NewCall = { ...call, id: 'call_2' };
  const optional = `integration_id api_key_id session_id member_id account_id client_name protocol_version via error_code failed_step reason
    remedy upstream_status queue_ms connect_ms upstream_ms policy`;
  for (const name of optional.split(/\s+/)) Object.assign(bare, { [name]: null });
  await insertCalls(pool, [bare]);
  const { created_at, transaction_id: _, oldest_transaction_id: __, ...row } = await select('call_2');
  assert.deepEqual({ ...row, created_at: Date.parse(created_at) }, bare);
});

test('a batch that is written twice stores each call once', async () => {
  const texts = ['call_3', 'call_4'].map((id) => ({ ...call, id, project_id: 'prj_2' }));
  await insertCalls(pool, texts);
  await insertCalls(pool, texts);
  const rows = await database.selectFrom('tool_calls').select('id').where('project_id', '=', 'prj_2').execute();
  assert.deepEqual(rows.map(({ id }) => id).sort(), ['call_3', 'call_4']);
});

const partitions = async () => {
  const { rows } = await pool.query(`select inhrelid::regclass::text as name from pg_inherits
    where inhparent = 'tool_calls'::regclass order by 1`);
  return rows.map(({ name }) => name);
};
const DAY_MS = 86_400_000;

test('calls of days that have no partition yet are stored, each in the partition of its day (UTC)', async () => {
  const midnight = Date.UTC(2031, 4, 7);
  const days = [midnight - 1, midnight, midnight + 9 * DAY_MS];
  await insertCalls(
    pool,
    days.map((created_at, i) => ({ ...call, id: `call_day${i}`, project_id: 'prj_days', created_at })),
  );
  const { rows } = await pool.query(
    `select tableoid::regclass::text as name from tool_calls where project_id = 'prj_days' order by created_at`,
  );
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['tool_calls_20310506', 'tool_calls_20310507', 'tool_calls_20310516'],
  );
});

test('two servers that need the same new partition at the same time both store their calls', async () => {
  const created_at = Date.UTC(2032, 0, 1);
  const ids = Array.from({ length: 8 }, (_, i) => `call_race${i}`);
  await Promise.all(ids.map((id) => insertCalls(pool, [{ ...call, id, project_id: 'prj_race', created_at }])));
  const rows = await database.selectFrom('tool_calls').select('id').where('project_id', '=', 'prj_race').execute();
  assert.equal(rows.length, 8);
});

test('retention drops the partitions of which every row is older, and no other', async () => {
  const day = (n: number) => Date.UTC(2020, 0, n, 12);
  const at = (n: number) => ({ ...call, id: `call_old${n}`, project_id: 'prj_old', created_at: day(n) });
  await insertCalls(pool, [at(1), at(2), at(3)]);
  assert.equal(await dropDayPartitions(database, 'tool_calls', day(3)), 2);
  assert.deepEqual((await partitions())[0], 'tool_calls_20200103');
});

test('deleting the calls of a project deletes no call of another, though they are in many partitions', async () => {
  const rows = ['prj_gone', 'prj_kept'].flatMap((project_id) =>
    [1, 2, 3].map((n) => ({ ...call, id: `${project_id}${n}`, project_id, created_at: Date.UTC(2033, 0, n) })),
  );
  // In every partition the rows of both projects have the same positions.
  for (const n of [1, 2, 3]) {
    const first = n === 2 ? 'prj_gone' : 'prj_kept';
    const ofDay = rows.filter(({ id }) => id.endsWith(String(n)));
    await insertCalls(
      pool,
      ofDay.sort((a) => (a.project_id === first ? -1 : 1)),
    );
  }
  assert.equal(await deleteCallsOf(database, 'prj_gone', 2), 2);
  assert.equal(await deleteCallsOf(database, 'prj_gone', 2), 1);
  const left = await database.selectFrom('tool_calls').select('id').where('project_id', '=', 'prj_kept').execute();
  assert.equal(left.length, 3);
});
