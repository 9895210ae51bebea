// SQL of tasks that are not over: what polls find out, and what has ended with their tool or credential.

import { sql } from 'kysely';
import type { Database } from '../../../database/tables.ts';
import { isLive, OPEN } from './status.ts';
import { type TaskRow, taskColumns } from './task.ts';

const isOpenRow = sql<boolean>`${sql.raw(OPEN)}`;

const columns = taskColumns.map((column) => `tasks.${column}` as const);

/** What a poll has found out. */
export type Polled = Pick<TaskRow, 'id' | 'project_id' | 'progress' | 'message'> & { updated_at: string | null };

/** `updated_at` null: only the poll is counted. */
export async function updatePolled(database: Database, polled: readonly Polled[]): Promise<void> {
  await sql`
    update tasks set poll_count = poll_count + 1, progress = new.progress, message = new.message,
      updated_at = coalesce(new.updated_at, tasks.updated_at)
    from unnest(${polled.map(({ id }) => id)}::text[], ${polled.map(({ project_id }) => project_id)}::text[],
      ${polled.map(({ progress }) => progress)}::float8[], ${polled.map(({ message }) => message)}::text[],
      ${polled.map(({ updated_at }) => updated_at)}::timestamptz[])
      as new (id, project_id, progress, message, updated_at)
    where tasks.id = new.id and tasks.project_id = new.project_id and ${isOpenRow}`.execute(database);
}

/** A task as a job finds it. */
export type DueTask = TaskRow & { is_live: boolean; external_id: string | null; claims: unknown };

/** Of all projects: ids are those of jobs. With what a poll needs of the member. */
export async function selectDue(database: Database, ids: string[], now: number): Promise<DueTask[]> {
  return database
    .selectFrom('tasks')
    .leftJoin('members', (join) =>
      join.onRef('members.id', '=', 'tasks.member_id').onRef('members.project_id', '=', 'tasks.project_id'),
    )
    .leftJoin('member_sessions', (join) =>
      join
        .onRef('member_sessions.id', '=', 'tasks.session_id')
        .onRef('member_sessions.project_id', '=', 'tasks.project_id'),
    )
    .select(columns)
    .select(['members.external_id', 'member_sessions.claims', isLive(now).as('is_live')])
    .where('tasks.id', 'in', ids)
    .where(isOpenRow)
    .execute();
}

/** Of one that has just been cancelled. */
export async function selectCancelled(database: Database, ids: string[]) {
  return database
    .selectFrom('tasks')
    .leftJoin('members', (join) =>
      join.onRef('members.id', '=', 'tasks.member_id').onRef('members.project_id', '=', 'tasks.project_id'),
    )
    .select(columns)
    .select(['members.external_id', 'tasks.tool'])
    .where('tasks.id', 'in', ids)
    .where('tasks.status', '=', 'cancelled')
    .execute();
}

export type CancelledTask = Awaited<ReturnType<typeof selectCancelled>>[number];

export async function isLiveTask(database: Database, project_id: string, id: string, now: number): Promise<boolean> {
  const row = await database
    .selectFrom('tasks')
    .select('id')
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where(isOpenRow)
    .where(isLive(now))
    .executeTakeFirst();
  return row !== undefined;
}

/** Those that may not go on. */
export async function selectDead(
  database: Database,
  project_id: string,
  now: number,
  limit: number,
): Promise<DueTask[]> {
  const { rows } = await sql<{ id: string }>`
    select id from tasks where project_id = ${project_id} and ${isOpenRow} and not ${isLive(now)}
    order by id limit ${limit}`.execute(database);
  return rows.length === 0
    ? []
    : selectDue(
        database,
        rows.map(({ id }) => id),
        now,
      );
}

export async function hasOpenTasks(database: Database, project_id: string): Promise<boolean> {
  const found = await database
    .selectFrom('tasks')
    .select('id')
    .where('project_id', '=', project_id)
    .where(isOpenRow)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Their jobs may have to be cancelled when the tool is gone. `tool`: its row, as JSON. */
export async function keepToolOf(database: Database, project_id: string, tool_id: string, tool: string): Promise<void> {
  await database
    .updateTable('tasks')
    .set({ tool })
    .where('project_id', '=', project_id)
    .where('tool_id', '=', tool_id)
    .where(isOpenRow)
    .execute();
}

export async function selectOpenTools(database: Database, project_id: string, tool_ids: string[]): Promise<string[]> {
  const rows = await database
    .selectFrom('tasks')
    .select('tool_id')
    .distinct()
    .where('project_id', '=', project_id)
    .where('tool_id', 'in', tool_ids)
    .where(isOpenRow)
    .execute();
  return rows.map(({ tool_id }) => tool_id);
}
