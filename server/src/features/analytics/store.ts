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

const { created_at: _, ...plain } = columns;

/** One statement and one parameter however many rows there are: writing JSON costs us a third of writing arrays. */
const insert = `insert into tool_calls (${Object.keys(plain).join(', ')}, created_at)
  select ${Object.keys(plain).join(', ')}, to_timestamp(created_at / 1000)
  from json_to_recordset($1) as calls (${Object.entries(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ')})
  on conflict do nothing`;

export function insertCalls(pool: pg.Pool, calls: NewCall[]): Promise<unknown> {
  return pool.query({ name: 'insert_tool_calls', text: insert, values: [JSON.stringify(calls)] });
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
