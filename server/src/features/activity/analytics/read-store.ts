// SQL that reads the call log.

import type { ToolCallFilters, ToolCallQuery } from '@toolgate/contract/analytics/tool-call.ts';
import { type SelectQueryBuilder, sql } from 'kysely';
import { type PageQuery, type PageRows, readPage } from '../../../database/page.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import { type CallRow, callColumns } from './tool-call.ts';

type Filters = Omit<ToolCallQuery, 'limit' | 'cursor'>;
type CallQuery = SelectQueryBuilder<Tables, 'tool_calls', CallRow>;

export function pageOfCalls(
  database: Database,
  project_id: string,
  filters: Filters,
  page: PageQuery,
): Promise<PageRows<CallRow>> {
  let query = filterCalls(callsOf(database, project_id), filters);
  if (filters.from !== undefined) query = query.where('created_at', '>=', filters.from);
  if (filters.to !== undefined) query = query.where('created_at', '<', filters.to);
  return readPage(query, 'tool_calls', page);
}

export async function selectCall(database: Database, project_id: string, id: string): Promise<CallRow | undefined> {
  return callsOf(database, project_id).where('id', '=', id).executeTakeFirst();
}

export async function selectPayload(
  database: Database,
  project_id: string,
  { id, created_at }: Pick<CallRow, 'id' | 'created_at'>,
) {
  return database
    .selectFrom('tool_call_payloads')
    .select(['arguments', 'result'])
    .where('project_id', '=', project_id)
    .where('call_id', '=', id)
    .where('created_at', '=', created_at)
    .executeTakeFirst();
}

/** `day`: its start, in epoch milliseconds. */
export async function selectPayloadBytes(database: Database, project_id: string, day: number): Promise<number> {
  const row = await database
    .selectFrom('payload_bytes')
    .select('bytes')
    .where('project_id', '=', project_id)
    .where('day', '=', new Date(day).toISOString().slice(0, 10))
    .executeTakeFirst();
  return row?.bytes ?? 0;
}

function callsOf(database: Database, project_id: string): CallQuery {
  return database.selectFrom('tool_calls').select(callColumns).where('project_id', '=', project_id);
}

function filterCalls(calls: CallQuery, { outcome, is_test, is_waiting, ...equal }: Filters): CallQuery {
  let query = calls;
  const { from: _, to: __, ...columns } = equal;
  for (const [name, value] of Object.entries(columns) as [keyof typeof columns, string | undefined][])
    if (value !== undefined) query = query.where(name, '=', value);
  if (is_test !== undefined) query = query.where('account_id', is_test ? 'is not' : 'is', null);
  if (is_waiting !== undefined) query = query.where('is_waiting', '=', is_waiting);
  if (outcome === undefined) return query;
  return query.where('error_code', outcome === 'failed' ? 'is not' : 'is', null);
}

/** What is visible in the database now, as `pg_snapshot` text. */
export async function currentSnapshot(database: Database): Promise<string> {
  const { rows } = await sql<{ snapshot: string }>`select pg_current_snapshot()::text as snapshot`.execute(database);
  return (rows[0] as { snapshot: string }).snapshot;
}

/** A call can be written so long after it was made: the database was unavailable. */
const MAX_DELAY = '10 minutes';
/**
 * The newest calls of a project that are looked at. A server buffers at most 20,000 rows and drops older ones, so a row that is
 * written late is among them, unless many servers are late at the same time.
 */
const MAX_LOOKED_AT = 50_000;
const MAX_NEW = 10_000;

/**
 * The calls that became visible since `snapshot`, in the order they were made, and the snapshot of this statement.
 * By transaction and not by time: servers do not commit in the order of `created_at`.
 */
export async function selectNewCalls(
  database: Database,
  project_id: string,
  snapshot: string,
  now: number,
): Promise<{ calls: CallRow[]; snapshot: string }> {
  const columns = sql.join(callColumns.map((name) => sql.ref(name)));
  const { rows } = await sql<CallRow & { snapshot: string }>`
    with newest as (
      select ${columns}, transaction_id from tool_calls
      where project_id = ${project_id} and created_at > ${new Date(now).toISOString()}::timestamptz - ${MAX_DELAY}::interval
      order by created_at desc, id desc limit ${MAX_LOOKED_AT}
    ), new as (
      select ${columns} from newest
      where not pg_visible_in_snapshot(transaction_id, ${snapshot}::pg_snapshot)
        and pg_visible_in_snapshot(transaction_id, pg_current_snapshot())
      order by created_at desc, id desc limit ${MAX_NEW}
    )
    select new.*, s.snapshot from (select pg_current_snapshot()::text as snapshot) as s left join new on true
    order by new.created_at, new.id`.execute(database);
  const current = (rows[0] as { snapshot: string }).snapshot;
  const calls = rows.filter(({ id }) => id !== null).map(({ snapshot: _, ...call }) => call);
  return { calls, snapshot: current };
}

export type StreamPosition = Pick<CallRow, 'created_at' | 'id'> & {
  transaction_id: string;
  oldest_transaction_id: string;
};

export async function selectPosition(
  database: Database,
  project_id: string,
  id: string,
): Promise<StreamPosition | undefined> {
  return database
    .selectFrom('tool_calls')
    .select(['created_at', 'id', 'transaction_id', 'oldest_transaction_id'])
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst();
}

export type ReplayQuery = {
  /** The last call that the reader has received. */
  position: StreamPosition;
  /** Up to what was visible in it. */
  snapshot: string;
  /** The last call of the page before. */
  after: Pick<CallRow, 'created_at' | 'id'> | null;
  limit: number;
};

/**
 * The calls that a reader of the stream has missed, oldest first: those after its last call, and those that were written after
 * it although they were made before it.
 */
export async function selectMissedCalls(
  database: Database,
  project_id: string,
  filters: ToolCallFilters,
  { position, snapshot, after, limit }: ReplayQuery,
): Promise<CallRow[]> {
  const { created_at, id, transaction_id, oldest_transaction_id } = position;
  let query = filterCalls(callsOf(database, project_id), filters)
    .where(sql<boolean>`created_at > ${created_at}::timestamptz - ${MAX_DELAY}::interval`)
    .where(sql<boolean>`pg_visible_in_snapshot(transaction_id, ${snapshot}::pg_snapshot)`)
    .where(
      sql<boolean>`((created_at, id) > (${created_at}::timestamptz, ${id})
        or transaction_id > ${transaction_id}::xid8
        or (transaction_id >= ${oldest_transaction_id}::xid8 and transaction_id < ${transaction_id}::xid8
          and created_at > ${created_at}::timestamptz - interval '10 seconds'))`,
    );
  if (after) query = query.where(sql<boolean>`(created_at, id) > (${after.created_at}::timestamptz, ${after.id})`);
  return query.orderBy('created_at').orderBy('id').limit(limit).execute();
}
