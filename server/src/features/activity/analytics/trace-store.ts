// SQL of the request traces.

import type { RequestTraceQuery } from '@toolgate/contract/analytics/request-trace.ts';
import { sql } from 'kysely';
import type pg from 'pg';
import { type PageQuery, type PageRows, readPage } from '../../../database/page.ts';
import type { Database, Row } from '../../../database/tables.ts';

/** `created_at` in epoch milliseconds. */
export type NewTrace = Omit<Row<'request_traces'>, 'created_at'> & { created_at: number };

const names: (keyof NewTrace)[] = [
  'project_id',
  'request_id',
  'method',
  'route',
  'status',
  'code',
  'caller_kind',
  'account_id',
  'api_key_id',
  'session_id',
  'member_id',
  'integration_id',
  'failed_step',
  'reason',
  'remedy',
  'created_at',
];

const types: Partial<Record<keyof NewTrace, string>> = { status: 'int', created_at: 'float8' };
const expressions: Partial<Record<keyof NewTrace, string>> = {
  created_at: 'to_timestamp(created_at / 1000)',
  // A member who was deleted since is left out.
  member_id: 'case when is_known then member_id end',
  session_id: 'case when is_known then session_id end',
};

const insert = `
insert into request_traces (${names.join(', ')})
select ${names.map((name) => expressions[name] ?? name).join(', ')}
from (
  select traces.*, member_id is null or hold_member(member_id) as is_known
  from unnest(${names.map((name, i) => `$${i + 1}::${types[name] ?? 'text'}[]`).join(', ')}) as traces (${names.join(', ')})
) as traces
on conflict do nothing`;

export function insertTraces(pool: pg.Pool, traces: NewTrace[]): Promise<unknown> {
  const lists = names.map((name) => traces.map((trace) => trace[name]));
  return pool.query({ name: 'insert_request_traces', text: insert, values: lists });
}

/** `since`: the retention, whenever the job that applies it has run. */
export function selectTrace(database: Database, project_id: string, request_id: string, since: string) {
  return database
    .selectFrom('request_traces')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('request_id', '=', request_id)
    .where('created_at', '>=', since)
    .executeTakeFirst();
}

type Filters = Omit<RequestTraceQuery, 'limit' | 'cursor'>;

/** For refused requests. A tool call has no row here. */
export function pageOfTraces(
  database: Database,
  project_id: string,
  { status, code, api_key_id, since }: Filters & { since: string },
  page: PageQuery,
): Promise<PageRows<Row<'request_traces'> & { id: string }>> {
  let traces = database
    .selectFrom('request_traces')
    .select([...names, 'request_id as id'])
    .where('project_id', '=', project_id)
    .where('created_at', '>=', since);
  if (status !== undefined) traces = traces.where('status', '=', status);
  if (code !== undefined) traces = traces.where('code', '=', code);
  if (api_key_id !== undefined) traces = traces.where('api_key_id', '=', api_key_id);
  return readPage(database.selectFrom(traces.as('traces')).selectAll(), 'traces', page);
}

/** A batch over MCP is one request with several calls: a failed one comes first, then the newest. */
export function selectCallOfRequest(database: Database, project_id: string, request_id: string, since: string) {
  return database
    .selectFrom('tool_calls')
    .select([
      'id',
      'upstream_status',
      'api_key_id',
      'session_id',
      'member_id',
      'integration_id',
      'account_id',
      'transport',
      'status',
      'error_code',
      'failed_step',
      'reason',
      'remedy',
      'connect_ms',
      'upstream_ms',
      'policy',
      'waiting_ms',
      'created_at',
    ])
    .where('project_id', '=', project_id)
    .where('request_id', '=', request_id)
    .where('created_at', '>=', since)
    .orderBy(sql`error_code is null`)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}
