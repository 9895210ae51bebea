// SQL of the call log.

import { sql } from 'kysely';
import type pg from 'pg';
import type { Database, Row } from '../../database/tables.ts';

/** `created_at` in milliseconds. */
export type NewCall = Omit<Row<'tool_calls'>, 'created_at'> & { created_at: number };

const columns = {
  id: 'text',
  project_id: 'text',
  tool_id: 'text',
  tool_version: 'int',
  integration_id: 'text',
  key_id: 'text',
  session_id: 'text',
  member_id: 'text',
  status: 'int',
  error_code: 'text',
  upstream_status: 'int',
  duration_ms: 'int',
  request_bytes: 'int',
  response_bytes: 'int',
  request_id: 'text',
  created_at: 'float8',
} as const satisfies Record<keyof NewCall, string>;

const names = Object.keys(columns) as (keyof NewCall)[];

/**
 * Of a call that waits to be written: its values, in the order of the columns, as a JSON array. Thousands wait, and a string
 * is one thing on the heap. One by one: `call[name]` would be looked up anew for each.
 */
export const callText = (call: NewCall): string =>
  JSON.stringify([
    call.id,
    call.project_id,
    call.tool_id,
    call.tool_version,
    call.integration_id,
    call.key_id,
    call.session_id,
    call.member_id,
    call.status,
    call.error_code,
    call.upstream_status,
    call.duration_ms,
    call.request_bytes,
    call.response_bytes,
    call.request_id,
    call.created_at,
  ]);

const values = names.map((name, i) => {
  const value = `(call ->> ${i})::${columns[name]}`;
  return name === 'created_at' ? `to_timestamp(${value} / 1000)` : value;
});

/** One statement and one parameter however many rows there are. As `json`, each value would be looked for in the text. */
const insert = `insert into tool_calls (${names.join(', ')})
  select ${values.join(', ')} from jsonb_array_elements($1) as calls (call)
  on conflict do nothing`;

export function insertCalls(pool: pg.Pool, texts: string[]): Promise<unknown> {
  return pool.query({ name: 'insert_tool_calls', text: insert, values: [`[${texts.join(',')}]`] });
}

export async function removeCallsBefore(database: Database, before: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from tool_calls where ctid = any(array(
      select ctid from tool_calls where created_at < ${before}::timestamptz limit ${limit}
    ))`.execute(database);
  return Number(numAffectedRows ?? 0n);
}

export async function removeCallsOf(database: Database, project_id: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from tool_calls where ctid = any(array(
      select ctid from tool_calls where project_id = ${project_id} limit ${limit}
    ))`.execute(database);
  return Number(numAffectedRows ?? 0n);
}
