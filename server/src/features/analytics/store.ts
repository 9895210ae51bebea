// SQL of the call log.

import type pg from 'pg';
import type { Row } from '../../database/tables.ts';

export type CallRow = Row<'tool_calls'>;

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
  created_at: 'timestamptz',
} as const satisfies Record<keyof CallRow, string>;

const names = Object.keys(columns) as (keyof CallRow)[];

/** One array for each column: however many rows, one statement. */
const insert = `insert into tool_calls (${names.join(', ')})
  select * from unnest(${names.map((name, index) => `$${index + 1}::${columns[name]}[]`).join(', ')})
  on conflict do nothing`;

export function insertCalls(pool: pg.Pool, rows: CallRow[]): Promise<unknown> {
  const values = names.map((name) => rows.map((row) => row[name]));
  return pool.query({ name: 'insert_tool_calls', text: insert, values });
}
