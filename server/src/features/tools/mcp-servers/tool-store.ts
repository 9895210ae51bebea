// SQL of the tools of MCP servers: those that are pending, and those that were approved.

import { blocksApproval, warningCodes } from '@toolgate/contract/mcp-servers/rules.ts';
import type { ToolView } from '@toolgate/contract/mcp-servers/tool-view.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../database/tables.ts';
import type { ToolRow } from '../catalogue/tool.ts';

export type ServerRef = { project_id: string; id: string };

/** For rows of mcp_server_tools as `u`. Whether the project has a tool of it: an approved tool that was deleted is like a new one. */
export const hasTool = sql<boolean>`exists (
  select from custom_tools t
  where t.project_id = u.project_id and t.source ->> 'mcp_server_id' = u.mcp_server_id
    and t.source ->> 'upstream_name' = u.upstream_name
)`;

/** The server lists it, nobody rejected it as it is, and it is new or differs from what was approved. */
export const isPending = (): RawBuilder<boolean> => sql<boolean>`(
  u.missing_since is null and u.hash <> all (u.rejected_hashes)
  and (u.approved_hash is distinct from u.hash or not ${hasTool})
)`;

export function ofServer(database: Database, { project_id, id }: ServerRef) {
  return database
    .selectFrom('mcp_server_tools as u')
    .where('u.project_id', '=', project_id)
    .where('u.mcp_server_id', '=', id);
}

const blocking = warningCodes.filter(blocksApproval);

/** It cannot be approved as it is. */
const isBlocked = sql<boolean>`exists (
  select from json_array_elements(u.warnings) as w where w ->> 'code' = any (${blocking}::text[])
)`;

/** Without the definitions, which may be large. `after`: names that sort after it. Null names: all that are pending. */
export async function selectPending(
  database: Database,
  server: ServerRef,
  { names = null, after = '', limit }: { names?: string[] | null; after?: string; limit: number },
) {
  return ofServer(database, server)
    .select(['upstream_name', 'hash', 'stored_bytes', isBlocked.as('is_blocked')])
    .where(isPending)
    .where('upstream_name', '>', after)
    .$if(names !== null, (rows) => rows.where(sql<boolean>`upstream_name = any (${names}::text[])`))
    .orderBy('upstream_name')
    .limit(limit)
    .execute();
}

export type PendingRow = Awaited<ReturnType<typeof selectPending>>[number];

/** Of a piece of them: inPieces(). */
export async function selectDefinitions(database: Database, server: ServerRef, names: string[]) {
  return ofServer(database, server)
    .select([
      'upstream_name',
      'hash',
      'stored_bytes',
      'warnings',
      'approved',
      hasTool.as('has_tool'),
      // There was no room for it.
      sql<Record<string, unknown>>`coalesce(u.definition, json_build_object('name', u.upstream_name))`.as('definition'),
    ])
    .where(sql<boolean>`upstream_name = any (${names}::text[])`)
    .orderBy('upstream_name')
    .execute();
}

export type DefinitionRow = Awaited<ReturnType<typeof selectDefinitions>>[number];

/** New tools whose hints say that they change nothing, about which there is no warning and no person has decided anything. */
export async function selectReadOnlyNames(database: Database, server: ServerRef, limit: number): Promise<string[]> {
  const rows = await ofServer(database, server)
    .select('upstream_name')
    .where(isPending)
    .where('approved_hash', 'is', null)
    .where(sql<boolean>`cardinality(u.rejected_hashes) = 0 and json_array_length(u.warnings) = 0
      and (u.definition -> 'annotations' -> 'readOnlyHint')::text = 'true'`)
    .orderBy('upstream_name')
    .limit(limit)
    .execute();
  return rows.map(({ upstream_name }) => upstream_name);
}

export async function markApproved(database: Database, { project_id, id }: ServerRef, names: string[]): Promise<void> {
  await sql`
    update mcp_server_tools u set approved = definition, approved_hash = hash
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
      sql<ToolView | null>`u.approved #> '{_meta,toolgate/view}'`.as('view'),
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
