// SQL that writes and deletes rows of the call log. Reading it is in read-store.ts.

import { sql } from 'kysely';
import type pg from 'pg';
import { withDayPartitions } from '../../../database/day-partitions.ts';
import type { Database, Row } from '../../../database/tables.ts';
import { addRollups, countedColumns, rollupsOf } from './rollup-sql.ts';

/** `created_at` in epoch milliseconds. */
export type NewCall = Omit<Row<'tool_calls'>, 'created_at' | 'transaction_id' | 'oldest_transaction_id'> & {
  created_at: number;
};

const columns = {
  id: 'text',
  project_id: 'text',
  tool_id: 'text',
  tool_name: 'text',
  tool_version: 'int',
  integration_id: 'text',
  api_key_id: 'text',
  session_id: 'text',
  member_id: 'text',
  account_id: 'text',
  transport: 'text',
  client_name: 'text',
  protocol_version: 'text',
  via: 'text',
  is_waiting: 'boolean',
  status: 'int',
  error_code: 'text',
  failed_step: 'text',
  reason: 'text',
  remedy: 'text',
  upstream_status: 'int',
  duration_ms: 'int',
  waiting_ms: 'int',
  queue_ms: 'int',
  connect_ms: 'int',
  upstream_ms: 'int',
  request_bytes: 'int',
  response_bytes: 'int',
  result_tokens: 'int',
  shaped_tokens: 'int',
  policy: 'jsonb',
  poll_count: 'int',
  task_ms: 'int',
  request_id: 'text',
  created_at: 'float8',
} as const satisfies Record<keyof NewCall, string>;

const names = Object.keys(columns) as (keyof NewCall)[];

const member = `call ->> ${names.indexOf('member_id')}`;
const callsWithMember = `calls left join living on living.id = ${member}`;
const is_nameless = `(${member} is not null and living.id is null)`;

const values = names.map((name, i) => {
  const value = `(call ->> ${i})::${columns[name]}`;
  switch (name) {
    case 'created_at':
      return `to_timestamp(${value} / 1000)`;
    case 'member_id':
      return 'living.id';
    case 'session_id':
      return `case when not ${is_nameless} then ${value} end`;
    case 'policy':
      return `case when ${is_nameless} then without_reasons(${value}) else ${value} end`;
    default:
      return value;
  }
});

/**
 * One statement and one parameter for any number of rows: each row is an array of its values. Arrays of columns for unnest()
 * cost this process twice the time. A batch is written again when its outcome is unknown, so the rollups are made from the rows
 * of `inserted`, which are those that were not there before. A member who was deleted since the call is left out; the others are
 * locked, so that their deletion waits for these rows and finds them.
 */
const insert = `
with calls as materialized (
  select call from jsonb_array_elements($1) as list (call)
), living as materialized (
  select id from members where id = any(array(select ${member} from calls)) for key share
), inserted as (
  insert into tool_calls (${names.join(', ')})
  select ${values.join(', ')}
  from ${callsWithMember}
  on conflict do nothing
  returning ${countedColumns}
), unsaid as ( -- what was said in a call may be written before its row
  delete from tool_call_payloads
  where call_id = any(array(select call ->> ${names.indexOf('id')} from ${callsWithMember} where ${is_nameless}))
), ${rollupsOf('inserted')}
${addRollups('rollups')}`;

export function insertCalls(pool: pg.Pool, calls: NewCall[]): Promise<unknown> {
  const rows = JSON.stringify(calls.map((call) => names.map((name) => call[name])));
  return withDayPartitions(pool, 'tool_calls', calls, () =>
    pool.query({ name: 'insert_tool_calls', text: insert, values: [rows] }),
  );
}

/** `created_at` in epoch milliseconds. `member_id`: of the call. */
export type NewPayload = Omit<Row<'tool_call_payloads'>, 'created_at'> & {
  created_at: number;
  member_id: string | null;
};

/** What was said in a call of a member who was deleted since is not stored. */
const insertPayload = `
insert into tool_call_payloads (call_id, project_id, arguments, result, created_at)
select call_id, project_id, arguments, result, to_timestamp(created_at / 1000)
from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::float8[], $6::text[])
  as payloads (call_id, project_id, arguments, result, created_at, member_id)
where member_id is null or hold_member(member_id)
on conflict do nothing`;

const countBytes = `
with ended as (delete from payload_bytes where project_id = $1 and day < $2::date)
insert into payload_bytes (project_id, day, bytes)
select id, $2::date, $3::bigint from projects where id = $1
on conflict (project_id, day) do update set bytes = payload_bytes.bytes + excluded.bytes
where payload_bytes.bytes <= $4::bigint
returning bytes <= $4::bigint as is_within`;

/**
 * Adds to the bytes of the project's day. Returns whether they are within the limit. The first that are not end the day, so that
 * what is left out does not depend on its size. Exact over all replicas.
 */
export async function countPayloadBytes(
  pool: pg.Pool,
  { project_id, day, bytes, max }: { project_id: string; day: string; bytes: number; max: number },
): Promise<boolean> {
  const { rows } = await pool.query<{ is_within: boolean }>(countBytes, [project_id, day, bytes, max]);
  return rows[0]?.is_within ?? false;
}

export function insertPayloads(pool: pg.Pool, payloads: NewPayload[]): Promise<unknown> {
  const lists = (['call_id', 'project_id', 'arguments', 'result', 'created_at', 'member_id'] as const).map((name) =>
    payloads.map((payload) => payload[name]),
  );
  return withDayPartitions(pool, 'tool_call_payloads', payloads, () => pool.query(insertPayload, lists));
}

/** Not by ctid: rows of different partitions can have the same. */
export async function deleteCallsOf(database: Database, project_id: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from tool_calls as c using (
      select id, created_at from tool_calls where project_id = ${project_id} limit ${limit}
    ) as old
    where c.project_id = ${project_id} and c.id = old.id and c.created_at = old.created_at`.execute(database);
  return Number(numAffectedRows ?? 0n);
}

export async function deletePayloadsOf(database: Database, project_id: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from tool_call_payloads as p using (
      select call_id, created_at from tool_call_payloads where project_id = ${project_id} limit ${limit}
    ) as old
    where p.project_id = ${project_id} and p.call_id = old.call_id and p.created_at = old.created_at`.execute(database);
  return Number(numAffectedRows ?? 0n);
}
