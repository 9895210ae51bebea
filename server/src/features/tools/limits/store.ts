// SQL of limits.

import { sql } from 'kysely';
import { arrayWithout } from '../../../database/array-without.ts';
import { type PageQuery, readPage } from '../../../database/page.ts';
import type { Database, Row } from '../../../database/tables.ts';
import type { LimitRow } from './limit.ts';
import { matchedToolset } from './match.ts';

const columns = [
  'id',
  'project_id',
  'name',
  'tool_ids',
  'toolset_id',
  'tags',
  'per',
  'limit',
  'window_seconds',
  'overrides',
  'created_by',
  'created_at',
  'updated_at',
] as const;

function ofProject(database: Database, project_id: string) {
  return database
    .selectFrom('tool_limits')
    .select(columns.map((column) => `tool_limits.${column}` as const))
    .select(matchedToolset('tool_limits', project_id))
    .where('tool_limits.project_id', '=', project_id);
}

type Written = Omit<Row<'tool_limits'>, 'created_at' | 'updated_at'>;

export async function insertLimit(database: Database, limit: Written): Promise<void> {
  await database
    .insertInto('tool_limits')
    .values({ ...limit, overrides: JSON.stringify(limit.overrides) })
    .execute();
}

export async function updateLimitRow(
  database: Database,
  { id, project_id, created_by: _, ...limit }: Written,
): Promise<void> {
  await database
    .updateTable('tool_limits')
    .set({ ...limit, overrides: JSON.stringify(limit.overrides), updated_at: sql`clock_timestamp()` })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute();
}

export async function pageOfLimits(database: Database, project_id: string, query: PageQuery) {
  return readPage(ofProject(database, project_id), 'tool_limits', query);
}

export async function hasLimits(database: Database, project_id: string): Promise<boolean> {
  const row = await database
    .selectFrom('tool_limits')
    .select('id')
    .where('project_id', '=', project_id)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function selectLimit(database: Database, project_id: string, id: string): Promise<LimitRow | undefined> {
  return ofProject(database, project_id).where('tool_limits.id', '=', id).executeTakeFirst();
}

export async function lockLimit(database: Database, project_id: string, id: string): Promise<LimitRow | undefined> {
  return ofProject(database, project_id).where('tool_limits.id', '=', id).forUpdate('tool_limits').executeTakeFirst();
}

export async function deleteLimitRow(database: Database, project_id: string, id: string): Promise<void> {
  await database.deleteFrom('tool_limits').where('project_id', '=', project_id).where('id', '=', id).execute();
  await database.deleteFrom('limit_log').where('project_id', '=', project_id).where('limit_id', '=', id).execute();
}

/** Call before the tools are deleted. A list that becomes empty stays empty, so that the limit applies to nothing else. */
export async function removeFromLimits(database: Database, project_id: string, tool_ids: string[]): Promise<void> {
  await sql`
    update tool_limits set tool_ids = ${arrayWithout('tool_ids', tool_ids)}
    where project_id = ${project_id} and tool_ids && ${tool_ids}::text[]`.execute(database);
}

const subjectTables = {
  api_key: 'api_keys',
  integration: 'integrations',
  member: 'members',
} as const;

/** Which of the ids exist. */
export async function selectSubjects(
  database: Database,
  project_id: string,
  per: keyof typeof subjectTables,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await database
    .selectFrom(subjectTables[per])
    .select('id')
    .where('project_id', '=', project_id)
    .where('id', 'in', ids)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

export async function forgetSubject(database: Database, project_id: string, subject_id: string): Promise<void> {
  for (const table of ['limit_log', 'limit_refusals'] as const)
    await database
      .deleteFrom(table)
      .where('project_id', '=', project_id)
      .where('subject_id', '=', subject_id)
      .execute();
  const others = sql`jsonb_array_elements(overrides) as override where override ->> 'subject_id' <> ${subject_id}`;
  await sql`
    update tool_limits
    set overrides = (select coalesce(jsonb_agg(override), '[]') from ${others}),
      least_limit = least("limit", (select min((override ->> 'limit')::integer) from ${others}))
    where project_id = ${project_id}
      and overrides @> jsonb_build_array(jsonb_build_object('subject_id', ${subject_id}::text))`.execute(database);
}
