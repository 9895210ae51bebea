// SQL of what MCP servers list: what a sync compares with, and what it stores.

import type { DefinitionWarning } from '@toolgate/contract/mcp-servers/pending-tool.ts';
import { sql } from 'kysely';
import type { Database } from '../../../database/tables.ts';
import { hasTool, ofServer, type ServerRef } from './tool-store.ts';

/** A tool that a server lists. Its definition and warnings, as JSON, are null if they need not be stored. */
export type NewListed = { upstream_name: string; hash: string; definition: string | null; warnings: string | null };

/** Of definitions that need not be stored again. */
export async function selectKnownHashes(database: Database, server: ServerRef): Promise<string[]> {
  const rows = await ofServer(database, server)
    .select('hash')
    .where(sql<boolean>`(u.definition is not null or (u.approved_hash is null and u.hash = any (u.rejected_hashes)))`)
    .execute();
  return rows.map(({ hash }) => hash);
}

/** How many names the server has, with those that are gone. */
export async function selectListedRows(database: Database, server: ServerRef): Promise<number> {
  const { count } = await ofServer(database, server)
    .select((of) => of.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Of all servers of the project. */
export async function selectListedBytes(database: Database, project_id: string): Promise<number> {
  const { bytes } = await database
    .selectFrom('mcp_server_tools')
    .select((of) => of.fn.sum<string>('stored_bytes').as('bytes'))
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
}

/** Of a definition that was rejected only the hash stays; of a change of an approved tool also what calls must fit. */
const restOf = (row: 'u' | 'excluded') => sql`
  case when u.approved_hash is null then null
    else json_build_object('inputSchema', ${sql.raw(row)}.definition -> 'inputSchema') end`;

/** `old_bytes` is null for a new one. `is_changed`: also if it is new, or was gone. */
type SavedListed = {
  upstream_name: string;
  bytes: number;
  old_bytes: number | null;
  is_changed: boolean;
  is_approved: boolean;
};

/** Those that a server lists now; each is no longer missing. */
export async function upsertListed(
  database: Database,
  { project_id, id }: ServerRef,
  tools: NewListed[],
): Promise<SavedListed[]> {
  const column = (name: keyof NewListed) => tools.map((tool) => tool[name]);
  const { rows } = await sql<SavedListed>`
    with old as materialized (
      select u.upstream_name, u.hash, u.missing_since, u.stored_bytes from mcp_server_tools u
      where u.project_id = ${project_id} and u.mcp_server_id = ${id}
        and u.upstream_name = any (${column('upstream_name')}::text[])
    ), saved as (
      insert into mcp_server_tools as u (project_id, mcp_server_id, upstream_name, definition, hash, warnings)
      select ${project_id}, ${id}, g.upstream_name, g.definition::json, g.hash, g.warnings::json
      from unnest(${column('upstream_name')}::text[], ${column('definition')}::text[], ${column('hash')}::text[],
        ${column('warnings')}::text[]) as g (upstream_name, definition, hash, warnings)
      on conflict (project_id, mcp_server_id, upstream_name) do update
        set definition = case when excluded.hash = any (u.rejected_hashes) then ${restOf('excluded')}
              else excluded.definition end,
          hash = excluded.hash, warnings = excluded.warnings, missing_since = null
      returning u.upstream_name, u.hash, u.stored_bytes, u.approved_hash
    )
    select saved.upstream_name, saved.stored_bytes as bytes, old.stored_bytes as old_bytes,
      old.hash is distinct from saved.hash or old.missing_since is not null as is_changed,
      saved.approved_hash is not null as is_approved
    from saved left join old using (upstream_name)
  `.execute(database);
  return rows;
}

const STORAGE_FULL = JSON.stringify([{ code: 'storage_full', path: '' }] satisfies DefinitionWarning[]);

export async function dropDefinitions(database: Database, { project_id, id }: ServerRef, names: string[]) {
  if (names.length === 0) return;
  await sql`
    update mcp_server_tools set definition = null, warnings = ${STORAGE_FULL}::json
    where project_id = ${project_id} and mcp_server_id = ${id} and upstream_name = any (${names}::text[])
  `.execute(database);
}

/** Pending tools that were never approved or rejected. */
export async function deleteUndecided(database: Database, { project_id, id }: ServerRef): Promise<void> {
  await sql`
    delete from mcp_server_tools
    where project_id = ${project_id} and mcp_server_id = ${id} and approved_hash is null
      and cardinality(rejected_hashes) = 0`.execute(database);
}

/** Sorted; `after` is the last name that was read. */
export async function selectListedNames(database: Database, server: ServerRef, after: string, limit: number) {
  return ofServer(database, server)
    .select(['upstream_name', sql<boolean>`missing_since is not null`.as('is_missing')])
    .where('upstream_name', '>', after)
    .orderBy('upstream_name')
    .limit(limit)
    .execute();
}

/**
 * Those that a person decided about stay, without their definitions: a call of an approved one has its own refusal, and one that was deleted
 * or rejected is not new again.
 */
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
    update mcp_server_tools u
    set missing_since = ${since}::timestamptz, definition = null, warnings = '[]',
      approved = case when ${hasTool} then u.approved end
    where u.project_id = ${project_id} and u.mcp_server_id = ${id} and u.upstream_name = any (${names}::text[])
      and u.missing_since is null`.execute(database);
}

/** The server lists them again, with definitions that are known. */
export async function markBack(database: Database, { project_id, id }: ServerRef, names: string[]): Promise<void> {
  if (names.length === 0) return;
  await sql`
    update mcp_server_tools set missing_since = null
    where project_id = ${project_id} and mcp_server_id = ${id} and upstream_name = any (${names}::text[])
  `.execute(database);
}

/** A server that lists other names at every sync must not fill the table with those that were rejected. */
const MAX_GONE = 1_000;

/** The oldest of those that are no tools. */
export async function deleteLongGone(database: Database, { project_id, id }: ServerRef): Promise<void> {
  await sql`
    delete from mcp_server_tools
    where project_id = ${project_id} and mcp_server_id = ${id} and upstream_name in (
      select u.upstream_name from mcp_server_tools u
      where u.project_id = ${project_id} and u.mcp_server_id = ${id} and u.missing_since is not null and not ${hasTool}
      order by u.missing_since desc, u.upstream_name offset ${MAX_GONE}
    )`.execute(database);
}

/** The oldest are forgotten: a server that changes its tools for ever must not fill the row. */
const MAX_REJECTED = 50;

export async function markRejected(database: Database, { project_id, id }: ServerRef, names: string[]): Promise<void> {
  await sql`
    update mcp_server_tools u
    set rejected_hashes = (rejected_hashes || hash)[greatest(1, cardinality(rejected_hashes) + 2 - ${MAX_REJECTED}::integer):],
      definition = ${restOf('u')}, warnings = '[]'
    where u.project_id = ${project_id} and u.mcp_server_id = ${id} and u.upstream_name = any (${names}::text[])
  `.execute(database);
}
