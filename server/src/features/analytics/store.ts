// SQL of the call log.

import { sql } from 'kysely';
import type pg from 'pg';
import type { Database, Row } from '../../database/tables.ts';

/** `created_at` in epoch milliseconds. */
export type NewCall = Omit<Row<'tool_calls'>, 'created_at'> & { created_at: number };

const columns = {
  id: 'text',
  project_id: 'text',
  tool_id: 'text',
  tool_version: 'int',
  integration_id: 'text',
  api_key_id: 'text',
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

/** The values of a row as a JSON array, in the order of the columns. Thousands are buffered: a string takes less heap. */
export const serializeCall = (call: NewCall): string => JSON.stringify(names.map((name) => call[name]));

const values = names.map((name, i) => {
  const value = `(call ->> ${i})::${columns[name]}`;
  return name === 'created_at' ? `to_timestamp(${value} / 1000)` : value;
});

/** One statement and one parameter for any number of rows. jsonb, because json would be parsed again for each value. */
const insert = `insert into tool_calls (${names.join(', ')})
  select ${values.join(', ')} from jsonb_array_elements($1) as calls (call)
  on conflict do nothing`;

export function insertCalls(pool: pg.Pool, texts: string[]): Promise<unknown> {
  return pool.query({ name: 'insert_tool_calls', text: insert, values: [`[${texts.join(',')}]`] });
}

export async function deleteCallsBefore(database: Database, before: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from tool_calls where ctid = any(array(
      select ctid from tool_calls where created_at < ${before}::timestamptz limit ${limit}
    ))`.execute(database);
  return Number(numAffectedRows ?? 0n);
}

export async function deleteCallsOf(database: Database, project_id: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from tool_calls where ctid = any(array(
      select ctid from tool_calls where project_id = ${project_id} limit ${limit}
    ))`.execute(database);
  return Number(numAffectedRows ?? 0n);
}
