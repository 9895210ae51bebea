// SQL of custom tools.

import { type CustomToolDefinition, definitionNames } from '@toolgate/contract/custom-tools/custom-tool.ts';
import { type ExpressionBuilder, type Insertable, sql } from 'kysely';
import type pg from 'pg';
import { type PageQuery, readPage } from '../../../database/page.ts';
import type { Database, Row, Tables } from '../../../database/tables.ts';
import type { StoredHook } from '../hooks/store.ts';
import { APPLIES } from '../limits/applied.ts';
import type { ToolRow } from './tool.ts';

const columns = [
  'id',
  'project_id',
  ...definitionNames,
  'tags',
  'weight',
  'is_read_only',
  'is_enabled',
  'is_approved',
  'auth_secret',
  'previous_auth_secret',
  'previous_secret_ends_at',
  'version',
  'definition_hash',
  'stored_bytes',
  'imported_from',
  'created_by',
  'created_at',
  'updated_at',
] as const;

export type ToolSecrets = Pick<ToolRow, 'auth_secret' | 'previous_auth_secret' | 'previous_secret_ends_at'>;

/** The columns that a save writes, without those that identify the row. */
export type SavedTool = CustomToolDefinition &
  ToolSecrets &
  Pick<ToolRow, 'tags' | 'weight' | 'is_enabled' | 'is_approved' | 'definition_hash' | 'version' | 'imported_from'>;

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
  changed: Pick<ToolRow, 'is_enabled' | 'updated_at'> & { is_approved?: false },
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
function toColumns<T extends CustomToolDefinition>(tool: T): Omit<T, keyof CustomToolDefinition> & DefinitionColumns {
  const texts = definitionNames.map((name) => {
    const value = tool[name];
    return [name, typeof value === 'object' && value !== null ? JSON.stringify(value) : value];
  });
  return { ...tool, ...Object.fromEntries(texts) };
}

type DefinitionColumns = Pick<Insertable<Tables['custom_tools']>, keyof CustomToolDefinition>;

export async function selectTool(
  database: Database,
  project_id: string,
  by: 'id' | 'name',
  value: string,
): Promise<ToolRow | undefined> {
  return ofProject(database, project_id).where(by, '=', value).executeTakeFirst();
}

/** Prepared statements: calls of tools that are not cached run one, and building and planning it would cost more than the rest. */
const selectByIdOrName = {
  id: { name: 'select_tools_by_id', text: selectText('id') },
  name: { name: 'select_tools_by_name', text: selectText('name') },
};

function selectText(by: 'id' | 'name'): string {
  const toolsets = `(
    select json_object_agg(m.toolset_id, extract(epoch from m.writable_since) * 1000)
    from toolset_tools m where m.project_id = $1 and m.tool_id = t.id
  ) as toolsets`;
  const limits = `(
    select jsonb_agg(jsonb_build_object('id', l.id, 'name', l.name, 'per', l.per, 'limit', l."limit",
      'window_seconds', l.window_seconds, 'overrides', l.overrides) order by l.id)
    from tool_limits l where l.project_id = $1 and ${APPLIES}) as limits`;
  const hooks = `(
    select json_agg(json_build_object('id', l.id, 'url', l.url, 'points', l.points, 'timeout_ms', l.timeout_ms,
      'on_failure', l.on_failure, 'may_change', l.may_change, 'certificate_id', l.certificate_id, 'secret', l.secret, 'previous_secret', l.previous_secret,
      'previous_secret_ends_at', l.previous_secret_ends_at) order by l.created_at, l.id)
    from hooks l where l.project_id = $1 and l.is_enabled and ${APPLIES}) as hooks`;
  const mcp = `(
    select json_build_object('id', s.id, 'project_id', s.project_id, 'name', s.name, 'url', s.url, 'auth_strategy', s.auth_strategy,
      'auth_config', s.auth_config, 'auth_secret', s.auth_secret, 'headers', s.headers, 'certificate_id', s.certificate_id, 'timeout_ms', s.timeout_ms,
      'revision', s.revision, 'version', s.version, 'is_approved', s.is_approved, 'hash', u.hash, 'schema', u.definition -> 'inputSchema',
      'is_changed', u.hash is distinct from u.approved_hash, 'is_removed', u.hash is null or u.missing_since is not null)
    from mcp_servers s
    left join mcp_server_tools u on u.project_id = $1 and u.mcp_server_id = s.id
      and u.upstream_name = t.source ->> 'upstream_name'
    where s.project_id = $1 and s.id = t.source ->> 'mcp_server_id') as mcp`;
  return `select ${columns.join(', ')}, ${toolsets}, ${limits}, ${hooks}, ${mcp} from unnest($2::text[]) as wanted (value)
    -- With a limit it is one lookup in the index for each: without statistics an "any" reads all tools of the project.
    cross join lateral (select * from custom_tools where project_id = $1 and ${by} = wanted.value limit 1) t`;
}

/**
 * With the toolsets that it is in, and since when it can change something there, in epoch milliseconds; null if in none. And with the
 * limits and the enabled hooks that apply to it, which are asked in this order, and with its MCP server.
 */
export type ToolToCall = ToolRow & {
  toolsets: Record<string, number | null> | null;
  limits: StoredLimit[] | null;
  hooks: StoredHook[] | null;
  /** For a tool of an MCP server. */
  mcp: SourceToCall | null;
};

/** The server of a tool, and the tool as the server lists it now. */
export type SourceToCall = Pick<
  Row<'mcp_servers'>,
  | 'id'
  | 'project_id'
  | 'name'
  | 'url'
  | 'auth_strategy'
  | 'auth_config'
  | 'auth_secret'
  | 'headers'
  | 'certificate_id'
  | 'timeout_ms'
  | 'revision'
  | 'version'
  | 'is_approved'
> & { hash: string | null; schema: Record<string, unknown> | null; is_changed: boolean; is_removed: boolean };

type StoredLimit = Pick<Row<'tool_limits'>, 'id' | 'name' | 'per' | 'limit' | 'window_seconds' | 'overrides'>;

/** For each id or name its tool, or undefined if no tool has it. */
export async function selectToolsToCall(
  pool: pg.Pool,
  project_id: string,
  by: 'id' | 'name',
  values: string[],
): Promise<(ToolToCall | undefined)[]> {
  const { rows } = await pool.query<ToolToCall>({ ...selectByIdOrName[by], values: [project_id, values] });
  const found = new Map(rows.map((row) => [row[by], row]));
  return values.map((value) => found.get(value));
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

export type ToolFilter = {
  is_enabled?: boolean | undefined;
  search?: string | undefined;
  tag?: string | undefined;
};

export async function pageOfTools(database: Database, project_id: string, filter: ToolFilter, query: PageQuery) {
  const tools = ofProject(database, project_id).where((is) => matchesFilter(is, filter));
  return readPage(tools, 'custom_tools', query, 'stored_bytes');
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

function matchesFilter(is: ExpressionBuilder<Tables, 'custom_tools'>, { is_enabled, search, tag }: ToolFilter) {
  const pattern = `%${search?.replace(/[\\%_]/g, '\\$&')}%`;
  return is.and([
    ...(is_enabled === undefined ? [] : [is('is_enabled', '=', is_enabled)]),
    ...(tag === undefined ? [] : [is('tags', '@>', sql<string[]>`array[${tag}]::text[]`)]),
    ...(search === undefined
      ? []
      : [is.or([is('name', 'ilike', pattern), is('title', 'ilike', pattern), is('description', 'ilike', pattern)])]),
  ]);
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

export async function selectAllToolNames(database: Database, project_id: string): Promise<string[]> {
  const rows = await database.selectFrom('custom_tools').select('name').where('project_id', '=', project_id).execute();
  return rows.map(({ name }) => name);
}

export async function selectToolNames(database: Database, project_id: string, ids: readonly string[]) {
  return database
    .selectFrom('custom_tools')
    .select(['id', 'name'])
    .where('project_id', '=', project_id)
    .where('id', 'in', ids)
    .execute();
}
