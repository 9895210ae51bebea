// SQL of hooks.

import { sql } from 'kysely';
import { arrayWithout } from '../../../database/array-without.ts';
import { type PageQuery, readPage } from '../../../database/page.ts';
import type { Change, Database, Row } from '../../../database/tables.ts';
import { matchedToolset } from '../limits/match.ts';
import type { HookRow } from './hook.ts';

const columns = [
  'id',
  'project_id',
  'url',
  'points',
  'tool_ids',
  'toolset_id',
  'tags',
  'timeout_ms',
  'on_failure',
  'may_change',
  'certificate_id',
  'is_enabled',
  'previous_secret_ends_at',
  'created_by',
  'created_at',
  'updated_at',
] as const;

function ofProject(database: Database, project_id: string) {
  return database
    .selectFrom('hooks')
    .select(columns.map((column) => `hooks.${column}` as const))
    .select(matchedToolset('hooks', project_id))
    .where('hooks.project_id', '=', project_id);
}

type New = Omit<Row<'hooks'>, 'previous_secret' | 'previous_secret_ends_at' | 'created_at' | 'updated_at'>;

export async function insertHook(database: Database, hook: New): Promise<void> {
  await database.insertInto('hooks').values(hook).execute();
}

export async function updateHookRow(
  database: Database,
  project_id: string,
  id: string,
  change: Change<
    'hooks',
    Exclude<keyof Row<'hooks'>, 'id' | 'project_id' | 'created_by' | 'created_at' | 'updated_at'>
  >,
): Promise<void> {
  await database
    .updateTable('hooks')
    .set({ ...change, updated_at: sql`clock_timestamp()` })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute();
}

export async function pageOfHooks(database: Database, project_id: string, query: PageQuery) {
  return readPage(ofProject(database, project_id), 'hooks', query);
}

export async function selectHook(database: Database, project_id: string, id: string): Promise<HookRow | undefined> {
  return ofProject(database, project_id).where('hooks.id', '=', id).executeTakeFirst();
}

export async function lockHook(database: Database, project_id: string, id: string): Promise<HookRow | undefined> {
  return ofProject(database, project_id).where('hooks.id', '=', id).forUpdate('hooks').executeTakeFirst();
}

export async function selectSecret(database: Database, project_id: string, id: string): Promise<string> {
  const { secret } = await database
    .selectFrom('hooks')
    .select('secret')
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return secret;
}

/** What asking a hook needs, as it is cached with a tool. */
export type StoredHook = Pick<
  Row<'hooks'>,
  | 'id'
  | 'url'
  | 'points'
  | 'timeout_ms'
  | 'on_failure'
  | 'may_change'
  | 'certificate_id'
  | 'secret'
  | 'previous_secret'
  | 'previous_secret_ends_at'
>;

export async function selectStoredHook(
  database: Database,
  project_id: string,
  id: string,
): Promise<StoredHook | undefined> {
  return database
    .selectFrom('hooks')
    .select(['id', 'url', 'points', 'timeout_ms', 'on_failure', 'may_change', 'certificate_id'])
    .select(['secret', 'previous_secret', 'previous_secret_ends_at'])
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function deleteHookRow(database: Database, project_id: string, id: string): Promise<void> {
  await database.deleteFrom('hooks').where('project_id', '=', project_id).where('id', '=', id).execute();
}

/** Call before the tools are deleted. A list that becomes empty stays empty: it must not become every tool. */
export async function removeFromHooks(database: Database, project_id: string, tool_ids: string[]): Promise<void> {
  await sql`
    update hooks set tool_ids = ${arrayWithout('tool_ids', tool_ids)}
    where project_id = ${project_id} and tool_ids && ${tool_ids}::text[]`.execute(database);
}
