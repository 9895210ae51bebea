// SQL of custom tools.

import type { ExpressionBuilder } from 'kysely';
import type pg from 'pg';
import { type PageQuery, readPage } from '../../database/page.ts';
import type { Database, Tables } from '../../database/tables.ts';
import type { Definition, ToolRow } from './tool.ts';

const columns = [
  'id',
  'project_id',
  'name',
  'title',
  'description',
  'base_url',
  'endpoint_path',
  'method',
  'timeout_ms',
  'headers',
  'context_in',
  'require_member',
  'is_enabled',
  'input_schema',
  'output_schema',
  'annotations',
  'auth_strategy',
  'auth_config',
  'auth_secret',
  'previous_auth_secret',
  'previous_secret_ends_at',
  'version',
  'definition_hash',
  'stored_bytes',
  'created_by',
  'created_at',
  'updated_at',
] as const;

export type ToolSecrets = Pick<ToolRow, 'auth_secret' | 'previous_auth_secret' | 'previous_secret_ends_at'>;

/** The columns that a save writes, without those that identify the row. */
export type SavedTool = Definition & ToolSecrets & Pick<ToolRow, 'is_enabled' | 'definition_hash' | 'version'>;

export async function insertTools(
  database: Database,
  tools: (SavedTool & Pick<ToolRow, 'id' | 'project_id' | 'created_by'>)[],
): Promise<ToolRow[]> {
  return database.insertInto('custom_tools').values(tools.map(toColumns)).returning(columns).execute();
}

export async function updateToolRow(
  database: Database,
  project_id: string,
  id: string,
  tool: SavedTool & Pick<ToolRow, 'updated_at'>,
): Promise<ToolRow> {
  return database
    .updateTable('custom_tools')
    .set(toColumns(tool))
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

export async function setEnabledRows(
  database: Database,
  project_id: string,
  ids: string[],
  changed: Pick<ToolRow, 'is_enabled' | 'updated_at'>,
): Promise<ToolRow[]> {
  return database
    .updateTable('custom_tools')
    .set(changed)
    .where('project_id', '=', project_id)
    .where('id', 'in', ids)
    .returning(columns)
    .execute();
}

/** JSON is written as text, which keeps the order of its members. */
function toColumns<T extends Definition>(tool: T) {
  return {
    ...tool,
    headers: JSON.stringify(tool.headers),
    input_schema: JSON.stringify(tool.input_schema),
    output_schema: tool.output_schema && JSON.stringify(tool.output_schema),
    annotations: tool.annotations && JSON.stringify(tool.annotations),
    auth_config: JSON.stringify(tool.auth_config),
  };
}

export async function selectTool(
  database: Database,
  project_id: string,
  by: 'id' | 'name',
  value: string,
): Promise<ToolRow | undefined> {
  return ofProject(database, project_id).where(by, '=', value).executeTakeFirst();
}

/** Prepared statements: every call of a tool that is not cached runs one, and building and planning it would cost more than the rest. */
const selectByIdOrName = {
  id: { name: 'select_tool_by_id', text: selectText('id') },
  name: { name: 'select_tool_by_name', text: selectText('name') },
};

function selectText(by: 'id' | 'name'): string {
  return `select ${columns.join(', ')} from custom_tools where project_id = $1 and ${by} = $2`;
}

export async function selectToolToCall(
  pool: pg.Pool,
  project_id: string,
  by: 'id' | 'name',
  value: string,
): Promise<ToolRow | undefined> {
  const { rows } = await pool.query<ToolRow>({ ...selectByIdOrName[by], values: [project_id, value] });
  return rows[0];
}

export async function lockTool(database: Database, project_id: string, id: string): Promise<ToolRow | undefined> {
  return ofProject(database, project_id).where('id', '=', id).forUpdate().executeTakeFirst();
}

/** `values` must not be empty. Locks in the order of the column, so that two transactions do not deadlock. */
export async function lockTools(
  database: Database,
  project_id: string,
  by: 'id' | 'name',
  values: string[],
): Promise<ToolRow[]> {
  return ofProject(database, project_id).where(by, 'in', values).orderBy(by).forUpdate().execute();
}

export type ToolFilter = { is_enabled?: boolean | undefined; search?: string | undefined };

export async function pageOfTools(database: Database, project_id: string, filter: ToolFilter, query: PageQuery) {
  const tools = ofProject(database, project_id).where((is) => matchesFilter(is, filter));
  return readPage(tools, 'custom_tools', query);
}

export async function selectIds(database: Database, project_id: string, filter: ToolFilter): Promise<string[]> {
  const rows = await database
    .selectFrom('custom_tools')
    .select('id')
    .where('project_id', '=', project_id)
    .where((is) => matchesFilter(is, filter))
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

function matchesFilter(is: ExpressionBuilder<Tables, 'custom_tools'>, { is_enabled, search }: ToolFilter) {
  const pattern = `%${search?.replace(/[\\%_]/g, '\\$&')}%`;
  return is.and([
    ...(is_enabled === undefined ? [] : [is('is_enabled', '=', is_enabled)]),
    ...(search === undefined
      ? []
      : [is.or([is('name', 'ilike', pattern), is('title', 'ilike', pattern), is('description', 'ilike', pattern)])]),
  ]);
}

/** The tools that a model may see, with names that sort after `after`. */
export type ListingRange = { with_member: boolean; after: string };

/** Names and sizes only, sorted by name. */
export async function selectListingSizes(
  database: Database,
  project_id: string,
  range: ListingRange,
  limit: number,
): Promise<{ name: string; stored_bytes: number }[]> {
  return enabledTools(database, project_id, range).select(['name', 'stored_bytes']).limit(limit).execute();
}

export async function selectListing(database: Database, project_id: string, range: ListingRange & { last: string }) {
  return enabledTools(database, project_id, range)
    .select(['name', 'title', 'description', 'input_schema', 'output_schema', 'annotations', 'definition_hash'])
    .where('name', '<=', range.last)
    .execute();
}

function enabledTools(database: Database, project_id: string, { with_member, after }: ListingRange) {
  const tools = database
    .selectFrom('custom_tools')
    .where('project_id', '=', project_id)
    .where('is_enabled', '=', true)
    .where('name', '>', after)
    .orderBy('name');
  return with_member ? tools : tools.where('require_member', '=', false);
}

/** Returns those of the names that the project has already. */
export async function selectTakenNames(database: Database, project_id: string, names: string[]): Promise<string[]> {
  const rows = await database
    .selectFrom('custom_tools')
    .select('name')
    .where('project_id', '=', project_id)
    .where((is) => is('name', '=', is.fn.any(is.val(names))))
    .execute();
  return rows.map(({ name }) => name);
}

/** Tools with one of these base URLs and none of these names. */
export async function selectOtherTools(
  database: Database,
  project_id: string,
  { base_urls, names, limit }: { base_urls: string[]; names: string[]; limit: number },
) {
  return database
    .selectFrom('custom_tools')
    .select(['id', 'name', 'method', 'base_url', 'endpoint_path', 'auth_strategy', 'is_enabled', 'version'])
    .select('definition_hash')
    .select((is) => is('output_schema', 'is not', null).$castTo<boolean>().as('has_output_schema'))
    .where('project_id', '=', project_id)
    .where((is) => is('base_url', '=', is.fn.any(is.val(base_urls))))
    .where((is) => is.not(is('name', '=', is.fn.any(is.val(names)))))
    .orderBy('name')
    .limit(limit)
    .execute();
}

export async function selectTotals(database: Database, project_id: string): Promise<{ count: number; bytes: number }> {
  const { count, bytes } = await database
    .selectFrom('custom_tools')
    .select((of) => [of.fn.countAll<string>().as('count'), of.fn.sum<string>('stored_bytes').as('bytes')])
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow();
  return { count: Number(count), bytes: Number(bytes ?? 0) };
}

export async function deleteToolRows(database: Database, project_id: string, ids: string[]): Promise<void> {
  await database.deleteFrom('custom_tools').where('project_id', '=', project_id).where('id', 'in', ids).execute();
}

function ofProject(database: Database, project_id: string) {
  return database.selectFrom('custom_tools').select(columns).where('project_id', '=', project_id);
}

export type ResealedTool = Pick<
  ToolRow,
  'id' | 'project_id' | 'base_url' | 'auth_strategy' | 'auth_config' | 'auth_secret' | 'previous_auth_secret'
>;

/** Of every project: for an upgrade. */
export async function selectToReseal(database: Database, after_id: string, limit: number): Promise<ResealedTool[]> {
  return database
    .selectFrom('custom_tools')
    .select(['id', 'project_id', 'base_url', 'auth_strategy', 'auth_config', 'auth_secret', 'previous_auth_secret'])
    .where('id', '>', after_id)
    .where((is) => is.or([is('auth_secret', 'is not', null), is('previous_auth_secret', 'is not', null)]))
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute();
}

export async function updateSecrets(
  database: Database,
  { id, project_id }: Pick<ToolRow, 'id' | 'project_id'>,
  secrets: Pick<ToolSecrets, 'auth_secret' | 'previous_auth_secret'>,
): Promise<void> {
  await database
    .updateTable('custom_tools')
    .set(secrets)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute();
}

export async function selectToolNames(database: Database, project_id: string, ids: readonly string[]) {
  return database
    .selectFrom('custom_tools')
    .select(['id', 'name'])
    .where('project_id', '=', project_id)
    .where('id', 'in', ids)
    .execute();
}
