// SQL of tasks.

import type { TaskStatus } from '@toolgate/contract/tasks/rules.ts';
import { sql } from 'kysely';
import { type PageQuery, readPage } from '../../../database/page.ts';
import type { Change, Database, Row } from '../../../database/tables.ts';
import { OPEN } from './status.ts';
import { type TaskRow, taskColumns } from './task.ts';

const timeOf = (now: number) => sql<string>`${new Date(now).toISOString()}::timestamptz`;
const isOpenRow = sql<boolean>`${sql.raw(OPEN)}`;

const columns = taskColumns.map((column) => `tasks.${column}` as const);

/** One that has ended is gone with its time, whenever its row is deleted. */
const ofProject = (database: Database, project_id: string, now: number) =>
  database
    .selectFrom('tasks')
    .select(columns)
    .where('tasks.project_id', '=', project_id)
    .where(sql<boolean>`(${isOpenRow} or tasks.expires_at > ${timeOf(now)})`);

/** `subject_id`: whose; undefined: of everybody. `tool_ids`: those that the caller sees. */
export type TaskFilter = {
  subject_id: string | undefined;
  tool_ids: readonly string[] | undefined;
  status?: TaskStatus | undefined;
  tool_id?: string | undefined;
};

export async function pageOfTasks(
  database: Database,
  project_id: string,
  { subject_id, tool_ids, status, tool_id }: TaskFilter,
  { now, ...query }: PageQuery & { now: number },
) {
  let tasks = ofProject(database, project_id, now);
  if (subject_id !== undefined) tasks = tasks.where('tasks.subject_id', '=', subject_id);
  if (tool_ids !== undefined) tasks = tasks.where(sql<boolean>`tasks.tool_id = any (${tool_ids}::text[])`);
  if (tool_id !== undefined) tasks = tasks.where('tasks.tool_id', '=', tool_id);
  if (status === 'working') tasks = tasks.where('tasks.status', 'in', ['starting', 'working']);
  else if (status !== undefined) tasks = tasks.where('tasks.status', '=', status);
  return readPage(tasks, 'tasks', query);
}

/** Of which tools somebody has tasks. */
export async function selectToolIds(database: Database, project_id: string, subject_id: string): Promise<string[]> {
  const rows = await database
    .selectFrom('tasks')
    .select('tool_id')
    .distinct()
    .where('project_id', '=', project_id)
    .where('subject_id', '=', subject_id)
    .execute();
  return rows.map(({ tool_id }) => tool_id);
}

export async function selectTask(
  database: Database,
  project_id: string,
  id: string,
  now: number,
): Promise<TaskRow | undefined> {
  return ofProject(database, project_id, now).where('tasks.id', '=', id).executeTakeFirst();
}

export async function selectResult(database: Database, project_id: string, id: string): Promise<Buffer | null> {
  const row = await database
    .selectFrom('tasks')
    .select('result')
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.result ?? null;
}

/** Which call a task is of. */
export type SameCall = Pick<Row<'tasks'>, 'project_id' | 'subject_id' | 'tool_id' | 'arguments_hash'>;

/** The open task of the same call. From now on somebody else is told of it, so that it stays when its first request has ended it. */
export async function joinOpen(
  database: Database,
  { project_id, subject_id, tool_id, arguments_hash }: SameCall,
): Promise<TaskRow | undefined> {
  return database
    .updateTable('tasks')
    .set({ is_told: true })
    .where('project_id', '=', project_id)
    .where('subject_id', '=', subject_id)
    .where('tool_id', '=', tool_id)
    .where('arguments_hash', '=', arguments_hash)
    .where(isOpenRow)
    .returning(columns)
    .executeTakeFirst();
}

/** One after the other in a project, so that the caps are exact. */
export async function lockStarts(database: Database, project_id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`tasks ${project_id}`}, 0))`.execute(database);
}

export async function countOpen(database: Database, { project_id, subject_id }: SameCall) {
  const { rows } = await sql<{ of_project: number; of_subject: number }>`
    select count(*)::integer as of_project, (count(*) filter (where subject_id = ${subject_id}))::integer as of_subject
    from tasks where project_id = ${project_id} and ${isOpenRow}`.execute(database);
  return rows[0] as { of_project: number; of_subject: number };
}

export type NewTask = SameCall &
  Pick<
    Row<'tasks'>,
    | 'id'
    | 'tool_name'
    | 'tool_version'
    | 'origin'
    | 'api_key_id'
    | 'session_id'
    | 'member_id'
    | 'integration_id'
    | 'oauth_client_id'
    | 'account_id'
    | 'call_id'
    | 'request_id'
    | 'transport'
    | 'client_name'
    | 'protocol_version'
    | 'via'
    | 'argument_bytes'
    | 'traceparent'
    | 'created_at'
    | 'expires_at'
  >;

/** `starting`. */
export async function insertTask(database: Database, task: NewTask): Promise<void> {
  const key_epoch = sql<number>`coalesce((
    select session_epoch from api_keys where project_id = ${task.project_id} and id = ${task.api_key_id}), 0)`;
  await database
    .insertInto('tasks')
    .values({ ...task, status: 'starting', key_epoch, updated_at: task.created_at })
    .execute();
}

/** Null: it is in none of these states any more. */
export async function updateTask(
  database: Database,
  { project_id, id }: Pick<TaskRow, 'project_id' | 'id'>,
  change: Change<
    'tasks',
    | 'status'
    | 'tool_version'
    | 'origin'
    | 'job'
    | 'start_ms'
    | 'progress'
    | 'message'
    | 'poll_count'
    | 'result'
    | 'file_id'
    | 'traceparent'
    | 'updated_at'
    | 'expires_at'
  > & { error?: string },
  from: readonly TaskRow['status'][] = ['starting', 'working', 'input_required'],
): Promise<TaskRow | null> {
  const row = await database
    .updateTable('tasks')
    .set(change)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('status', 'in', [...from])
    .returning(columns)
    .executeTakeFirst();
  return row ?? null;
}

export async function markTold(database: Database, project_id: string, id: string): Promise<TaskRow | null> {
  const row = await database
    .updateTable('tasks')
    .set({ is_told: true })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('status', '=', 'starting')
    .returning(columns)
    .executeTakeFirst();
  return row ?? null;
}

/** Returns whether it is gone: nobody but the call that made it knew of it. */
export async function deleteUntold(
  database: Database,
  { project_id, id }: { project_id: string; id: string },
): Promise<boolean> {
  const row = await database
    .deleteFrom('tasks')
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('status', '=', 'starting')
    .where('is_told', '=', false)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns how many were working. */
export async function deleteTasksOf(database: Database, project_id: string, member_id: string): Promise<number> {
  const rows = await database
    .deleteFrom('tasks')
    .where('project_id', '=', project_id)
    .where('member_id', '=', member_id)
    .returning('status')
    .execute();
  return rows.filter(({ status }) => status === 'starting' || status === 'working' || status === 'input_required')
    .length;
}

/** For those who wait: the tasks that are no longer as they were. */
export async function selectChanged(
  database: Database,
  waited: readonly { id: string; project_id: string; seen_at: string }[],
): Promise<TaskRow[]> {
  const { rows } = await sql<TaskRow>`
    select ${sql.join(columns.map((column) => sql.ref(column)))} from tasks
    join unnest(${waited.map(({ id }) => id)}::text[], ${waited.map(({ project_id }) => project_id)}::text[],
      ${waited.map(({ seen_at }) => seen_at)}::timestamptz[]) as waited (id, project_id, seen_at)
      on tasks.id = waited.id and tasks.project_id = waited.project_id and tasks.updated_at <> waited.seen_at`.execute(
    database,
  );
  return rows;
}

const MAX_COUNTED = 100_000;

/** For all projects. */
export async function countAllOpen(database: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (select from tasks where ${isOpenRow} limit ${MAX_COUNTED}) as open`.execute(
    database,
  );
  return (rows[0] as { count: number }).count;
}
