// SQL of what MCP servers list: the newest definition of each tool, the approved one, and which were rejected.

import type { DefinitionWarning } from '@toolgate/contract/mcp-servers/pending-tool.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Row } from '../../../database/tables.ts';
import type { ToolRow } from '../catalogue/tool.ts';

export type ListedRow = Row<'mcp_server_tools'> & {
  /** Whether the project has a tool of it. An approved tool that was deleted is like a new one. */
  has_tool: boolean;
};

type ServerRef = { project_id: string; id: string };

/** For rows of mcp_server_tools as `u`. */
const hasTool = sql<boolean>`exists (
  select from custom_tools t
  where t.project_id = u.project_id and t.source ->> 'mcp_server_id' = u.mcp_server_id
    and t.source ->> 'upstream_name' = u.upstream_name
)`;

/** The server lists it, nobody rejected it as it is, and it is new or differs from what was approved. */
export const isPending = (): RawBuilder<boolean> => sql<boolean>`(
  u.missing_since is null and u.hash <> all (u.rejected_hashes)
  and (u.approved_hash is distinct from u.hash or not ${hasTool})
)`;

function ofServer(database: Database, { project_id, id }: ServerRef) {
  return database
    .selectFrom('mcp_server_tools as u')
    .where('u.project_id', '=', project_id)
    .where('u.mcp_server_id', '=', id);
}

/** Without the definitions, which may be large. */
export async function selectListedStates(database: Database, server: ServerRef) {
  return ofServer(database, server)
    .select(['upstream_name', 'hash', 'approved_hash', 'missing_since', 'rejected_hashes', hasTool.as('has_tool')])
    .execute();
}

export type ListedState = Awaited<ReturnType<typeof selectListedStates>>[number];

/** `after`: names that sort after it. Null names: all that are pending. */
export async function selectPending(
  database: Database,
  server: ServerRef,
  { names = null, after = '', limit }: { names?: string[] | null; after?: string; limit: number },
): Promise<ListedRow[]> {
  return ofServer(database, server)
    .select([
      'project_id',
      'mcp_server_id',
      'upstream_name',
      'definition',
      'hash',
      'warnings',
      'approved',
      'approved_hash',
      'rejected_hashes',
      'missing_since',
      hasTool.as('has_tool'),
    ])
    .where(isPending)
    .where('upstream_name', '>', after)
    .$if(names !== null, (rows) => rows.where(sql<boolean>`upstream_name = any (${names}::text[])`))
    .orderBy('upstream_name')
    .limit(limit)
    .execute();
}

export type NewListed = {
  upstream_name: string;
  definition: string;
  hash: string;
  warnings: DefinitionWarning[];
};

/** Those that a server lists now; each is no longer missing. */
export async function upsertListed(database: Database, { project_id, id }: ServerRef, tools: NewListed[]) {
  if (tools.length === 0) return;
  await sql`
    insert into mcp_server_tools as u (project_id, mcp_server_id, upstream_name, definition, hash, warnings)
    select ${project_id}, ${id}, t.upstream_name, t.definition::json, t.hash, t.warnings::json
    from unnest(${tools.map((tool) => tool.upstream_name)}::text[], ${tools.map((tool) => tool.definition)}::text[],
      ${tools.map((tool) => tool.hash)}::text[], ${tools.map((tool) => JSON.stringify(tool.warnings))}::text[])
      as t (upstream_name, definition, hash, warnings)
    on conflict (project_id, mcp_server_id, upstream_name) do update
      set definition = excluded.definition, hash = excluded.hash, warnings = excluded.warnings, missing_since = null
  `.execute(database);
}

/** Those that a person decided about stay: a call of an approved one has its own refusal, and one that was deleted or rejected is not new again. */
export async function markMissing(
  database: Database,
  { project_id, id }: ServerRef,
  names: string[],
  since: string,
): Promise<void> {
  if (names.length === 0) return;
  await sql`
    delete from mcp_server_tools u
    where u.project_id = ${project_id} and u.mcp_server_id = ${id} and u.upstream_name = any (${names}::text[])
      and u.approved_hash is null and cardinality(u.rejected_hashes) = 0`.execute(database);
  await sql`
    update mcp_server_tools u set missing_since = ${since}::timestamptz
    where u.project_id = ${project_id} and u.mcp_server_id = ${id} and u.upstream_name = any (${names}::text[])
      and u.missing_since is null`.execute(database);
}

export async function markApproved(database: Database, { project_id, id }: ServerRef, names: string[]): Promise<void> {
  await sql`
    update mcp_server_tools u set approved = definition, approved_hash = hash
    where u.project_id = ${project_id} and u.mcp_server_id = ${id} and u.upstream_name = any (${names}::text[])
  `.execute(database);
}

/** The oldest are forgotten: a server that changes its tools for ever must not fill the row. */
const MAX_REJECTED = 50;

export async function markRejected(database: Database, { project_id, id }: ServerRef, names: string[]): Promise<void> {
  await sql`
    update mcp_server_tools u set rejected_hashes = (rejected_hashes || hash)[greatest(1, cardinality(rejected_hashes) + 2 - ${MAX_REJECTED}::integer):]
    where u.project_id = ${project_id} and u.mcp_server_id = ${id} and u.upstream_name = any (${names}::text[])
  `.execute(database);
}

/** Locked, in the order of their ids. Null names: all of the server. */
export async function lockToolsOfServer(
  database: Database,
  { project_id, id }: ServerRef,
  names: string[] | null,
): Promise<Pick<ToolRow, 'id' | 'source' | 'name'>[]> {
  return database
    .selectFrom('custom_tools')
    .select(['id', 'source', 'name'])
    .where('project_id', '=', project_id)
    .where(sql<boolean>`source ->> 'mcp_server_id' = ${id}`)
    .$if(names !== null, (rows) => rows.where(sql<boolean>`source ->> 'upstream_name' = any (${names}::text[])`))
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Enabled tools that their servers have not listed since `before`, of all projects. */
export async function selectLongMissing(database: Database, before: string, limit: number) {
  return database
    .selectFrom('mcp_server_tools as u')
    .innerJoin('custom_tools as t', (join) =>
      join
        .onRef('t.project_id', '=', 'u.project_id')
        .on(sql<boolean>`t.source ->> 'mcp_server_id' = u.mcp_server_id`)
        .on(sql<boolean>`t.source ->> 'upstream_name' = u.upstream_name`),
    )
    .select(['t.id', 't.project_id'])
    .where('u.missing_since', '<', before)
    .where('t.is_enabled', '=', true)
    .orderBy('t.id')
    .limit(limit)
    .execute();
}

/** Address and timeout of the tools are those of their server. */
export async function alignTools(
  database: Database,
  { project_id, id, url, timeout_ms }: ServerRef & { url: string; timeout_ms: number },
): Promise<void> {
  const { origin, pathname } = new URL(url);
  await database
    .updateTable('custom_tools')
    .set({ base_url: origin, endpoint_path: pathname, timeout_ms })
    .where('project_id', '=', project_id)
    .where(sql<boolean>`source ->> 'mcp_server_id' = ${id}`)
    .execute();
}

/** The names of its tools in the project, by their names at the server. Among copies, the oldest counts. */
export async function selectToolNamesOf(
  database: Database,
  { project_id, id }: ServerRef,
): Promise<Map<string, string>> {
  const rows = await database
    .selectFrom('custom_tools')
    .select(['name', sql<string>`source ->> 'upstream_name'`.as('upstream_name')])
    .where('project_id', '=', project_id)
    .where(sql<boolean>`source ->> 'mcp_server_id' = ${id}`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return new Map(rows.map(({ upstream_name, name }) => [upstream_name, name]));
}

/** `position` sorts them: the name at the server, then the id. */
export async function selectApproved(
  database: Database,
  { project_id, id }: ServerRef,
  { after, limit }: { after: string; limit: number },
) {
  const position = sql<string>`(u.upstream_name || ' ' || t.id) collate "C"`;
  return database
    .selectFrom('custom_tools as t')
    .innerJoin('mcp_server_tools as u', (join) =>
      join
        .onRef('u.project_id', '=', 't.project_id')
        .on(sql<boolean>`u.mcp_server_id = t.source ->> 'mcp_server_id'`)
        .on(sql<boolean>`u.upstream_name = t.source ->> 'upstream_name'`),
    )
    .select([
      'u.upstream_name',
      't.id as tool_id',
      't.name',
      sql<string>`coalesce(u.approved_hash, '')`.as('hash'),
      sql<'ok' | 'changed' | 'removed'>`case when u.missing_since is not null then 'removed'
        when u.hash is distinct from u.approved_hash then 'changed' else 'ok' end`.as('state'),
      position.as('position'),
    ])
    .where('t.project_id', '=', project_id)
    .where(sql<boolean>`t.source ->> 'mcp_server_id' = ${id}`)
    .where(position, '>', after)
    .orderBy(position)
    .limit(limit)
    .execute();
}
