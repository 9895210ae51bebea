// SQL of the HTML that tools of MCP servers name as their views. A definition, and a tool of the project, names it by its hash.

import { sql } from 'kysely';
import type { Database } from '../../../database/tables.ts';
import type { ServerRef } from './tool-store.ts';

/** For all servers of a project. */
const MAX_VIEW_BYTES = 64 * 2 ** 20;

/** What nothing names is deleted before. */
export async function findStoredViews(database: Database, server: ServerRef) {
  const known = await selectHashes(database, server);
  const isCleaned = known.length > 0 && (await deleteUnused(database, server)) > 0;
  return {
    known: isCleaned ? await selectHashes(database, server) : known,
    room: MAX_VIEW_BYTES - (await selectBytes(database, server)),
  };
}

async function selectHashes(database: Database, { project_id, id }: ServerRef): Promise<string[]> {
  const rows = await database
    .selectFrom('mcp_server_views')
    .select('sha256')
    .where('project_id', '=', project_id)
    .where('mcp_server_id', '=', id)
    .execute();
  return rows.map(({ sha256 }) => sha256);
}

async function selectBytes(database: Database, { project_id }: ServerRef): Promise<number> {
  const { bytes } = await database
    .selectFrom('mcp_server_views')
    .select((of) => of.fn.sum<string>('size').as('bytes'))
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
}

/** A sync that is under way stores a view before the definition that names it. */
async function deleteUnused(database: Database, { project_id, id }: ServerRef): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    with used as materialized (
      select u.definition #>> '{_meta,toolgate/view,sha256}' as sha256 from mcp_server_tools u
      where u.project_id = ${project_id} and u.mcp_server_id = ${id}
      union select u.approved #>> '{_meta,toolgate/view,sha256}' from mcp_server_tools u
      where u.project_id = ${project_id} and u.mcp_server_id = ${id}
      union select t.source #>> '{view,sha256}' from custom_tools t
      where t.project_id = ${project_id} and t.source ->> 'mcp_server_id' = ${id}
    )
    delete from mcp_server_views v
    where v.project_id = ${project_id} and v.mcp_server_id = ${id} and v.seen_at < clock_timestamp() - interval '10 minutes'
      and not exists (select from used where used.sha256 = v.sha256)`.execute(database);
  return Number(numAffectedRows);
}

/** Null: it is stored. */
export async function saveView(
  database: Database,
  { project_id, id }: ServerRef,
  sha256: string,
  html: Uint8Array | null,
): Promise<void> {
  if (html === null)
    await sql`
      update mcp_server_views set seen_at = clock_timestamp()
      where project_id = ${project_id} and mcp_server_id = ${id} and sha256 = ${sha256}`.execute(database);
  else
    await sql`
      insert into mcp_server_views as v (project_id, mcp_server_id, sha256, html, size)
      select ${project_id}, s.id, ${sha256}, ${Buffer.from(html)}, ${html.length}
      from mcp_servers s where s.project_id = ${project_id} and s.id = ${id}
      on conflict (project_id, mcp_server_id, sha256) do update set seen_at = clock_timestamp()`.execute(database);
}

export async function selectViewHtml(
  database: Database,
  { project_id, id }: ServerRef,
  sha256: string,
): Promise<Buffer | undefined> {
  const row = await database
    .selectFrom('mcp_server_views')
    .select('html')
    .where('project_id', '=', project_id)
    .where('mcp_server_id', '=', id)
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return row?.html;
}
