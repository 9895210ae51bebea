// SQL of log streams.

import { sql } from 'kysely';
import { type PageQuery, readPage } from '../../../database/page.ts';
import type { Change, Database, Row, StreamCursor } from '../../../database/tables.ts';
import { type LogStreamRow, logStreamColumns } from './log-stream.ts';

const sealedColumns = ['headers', 'secret_access_key', 'secret', 'previous_secret'] as const;

export type SealedColumns = Pick<Row<'log_streams'>, (typeof sealedColumns)[number]>;

type New = Omit<
  LogStreamRow,
  'disabled_reason' | 'failing_since' | 'last_error' | 'last_sent_at' | 'last_entry_id' | 'previous_secret_ends_at'
>;

export async function insertLogStream(
  database: Database,
  { cursor, ...stream }: Omit<New, 'created_at' | 'updated_at'> & SealedColumns,
): Promise<LogStreamRow> {
  return database
    .insertInto('log_streams')
    .values({ ...stream, cursor: JSON.stringify(cursor), flushed_at: stream.cursor_at })
    .returning(logStreamColumns)
    .executeTakeFirstOrThrow();
}

export async function countLogStreams(database: Database, project_id: string): Promise<number> {
  const { count } = await database
    .selectFrom('log_streams')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function pageOfLogStreams(database: Database, project_id: string, query: PageQuery) {
  return readPage(
    database.selectFrom('log_streams').select(logStreamColumns).where('project_id', '=', project_id),
    'log_streams',
    query,
  );
}

export async function selectLogStream(
  database: Database,
  project_id: string,
  id: string,
): Promise<(LogStreamRow & SealedColumns) | undefined> {
  return database
    .selectFrom('log_streams')
    .select([...logStreamColumns, ...sealedColumns])
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function lockLogStream(database: Database, project_id: string, id: string) {
  return database
    .selectFrom('log_streams')
    .select([...logStreamColumns, ...sealedColumns])
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export type LogStreamColumns = Change<
  'log_streams',
  | 'name'
  | 'endpoint'
  | 'header_names'
  | 'bucket'
  | 'region'
  | 'prefix'
  | 'access_key_id'
  | 'certificate_id'
  | 'flush_seconds'
  | 'is_enabled'
  | 'disabled_reason'
  | 'failing_since'
  | 'failures'
  | 'previous_secret_ends_at'
  | (typeof sealedColumns)[number]
> & { last_error?: null };

export async function updateLogStreamRow(
  database: Database,
  project_id: string,
  id: string,
  change: LogStreamColumns,
): Promise<LogStreamRow> {
  return database
    .updateTable('log_streams')
    .set({ ...change, updated_at: sql`clock_timestamp()` })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .returning(logStreamColumns)
    .executeTakeFirstOrThrow();
}

export async function deleteLogStreamRow(database: Database, project_id: string, id: string): Promise<void> {
  await database.deleteFrom('log_streams').where('project_id', '=', project_id).where('id', '=', id).execute();
}

/** As a job needs it. */
export type SendingStream = LogStreamRow &
  SealedColumns &
  Pick<Row<'log_streams'>, 'flushed_at' | 'failures'> &
  Pick<Row<'projects'>, 'fairness_key' | 'organization_id'>;

/** Those of them that are to be sent: enabled, of projects that exist. */
export async function selectSending(database: Database, ids: string[]): Promise<SendingStream[]> {
  return database
    .selectFrom('log_streams as s')
    .innerJoin('projects as p', 'p.id', 's.project_id')
    .select([...logStreamColumns, ...sealedColumns, 'flushed_at', 'failures'].map((name) => `s.${name}` as 's.id'))
    .select(['p.fairness_key', 'p.organization_id'])
    .where('s.id', 'in', ids)
    .where('s.is_enabled', '=', true)
    .where('p.deleted_at', 'is', null)
    .execute() as unknown as Promise<SendingStream[]>;
}

/** The enabled streams without a job, of all projects. */
export async function selectIdle(database: Database, kind: string) {
  const { rows } = await sql<{ id: string; fairness_key: string }>`
    select s.id, p.fairness_key from log_streams s join projects p on p.id = s.project_id
    where s.is_enabled and p.deleted_at is null
      and not exists (select from jobs where jobs.kind = ${kind} and jobs.subject = s.id)
    limit 1000`.execute(database);
  return rows;
}

/** What changes when a batch was accepted, or nothing had to be sent. */
export type Progress = {
  cursor: StreamCursor;
  cursor_at: string;
  flushed_at: string;
  last_sent_at: string | null;
  last_entry_id: string | null;
};

export async function saveProgress(
  database: Database,
  { id, project_id }: Pick<SendingStream, 'id' | 'project_id'>,
  { cursor, ...progress }: Progress,
  error: Pick<Row<'log_streams'>, 'last_error'>,
): Promise<void> {
  await database
    .updateTable('log_streams')
    .set({
      ...progress,
      cursor: JSON.stringify(cursor),
      failures: 0,
      failing_since: null,
      last_error: error.last_error && JSON.stringify(error.last_error),
    })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute();
}

export async function saveFailure(
  database: Database,
  { id, project_id }: Pick<SendingStream, 'id' | 'project_id'>,
  failure: { failures: number; failing_since: string; last_error: object },
): Promise<void> {
  await database
    .updateTable('log_streams')
    .set({ ...failure, last_error: JSON.stringify(failure.last_error) })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute();
}

/** For all projects, for /metrics: those that fail first. */
export async function selectForMetrics(database: Database, limit: number) {
  return database
    .selectFrom('log_streams')
    .select(['id', 'project_id', 'kind', 'source', 'cursor', 'cursor_at', 'failing_since', 'last_error'])
    .where('is_enabled', '=', true)
    .orderBy('failing_since', (order) => order.asc().nullsLast())
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** In a restored database: transactions of the old one mean nothing there. */
export async function resetCallCursors(database: Database, cursor: StreamCursor): Promise<void> {
  await database
    .updateTable('log_streams')
    .set({ cursor: JSON.stringify(cursor) })
    .where('source', '=', 'tool_calls')
    .execute();
}
