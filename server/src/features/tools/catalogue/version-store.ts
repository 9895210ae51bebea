// SQL of the versions of custom tools.

import { sql } from 'kysely';
import { type PageQuery, readPage } from '../../../database/page.ts';
import type { Database, Row } from '../../../database/tables.ts';
import { definitionOf, type ToolRow } from './tool.ts';

const versionColumns = [
  'id',
  'tool_id',
  'version',
  'definition',
  'definition_hash',
  'created_by',
  'created_at',
] as const;

export type VersionRow = Pick<Row<'custom_tool_versions'>, (typeof versionColumns)[number]>;

const MAX_VERSIONS_OF_TOOL = 100;
/** For all versions of all tools of a project. */
const MAX_VERSIONS = 20_000;
const MAX_VERSION_BYTES = 32 * 2 ** 20;

/** Stores the current definition of each tool as a version; deletes old versions beyond the limits. */
export async function insertVersions(
  database: Database,
  project_id: string,
  tools: ToolRow[],
  created_by: string,
): Promise<void> {
  if (tools.length === 0) return;
  const rows = tools.map((tool) => ({
    id: `${tool.id}_v${tool.version}`,
    project_id,
    tool_id: tool.id,
    version: tool.version,
    definition: JSON.stringify(definitionOf(tool)),
    definition_hash: tool.definition_hash,
    created_by,
  }));
  await database.insertInto('custom_tool_versions').values(rows).execute();
  // A new tool has only its current version, and the size of current versions is limited already.
  const updated = tools.filter(({ version }) => version > 1);
  if (updated.length > 0) await deleteOldVersions(database, project_id, updated);
}

/** Keeps the newest versions, up to the limits, and the current version of each tool. */
async function deleteOldVersions(database: Database, project_id: string, tools: ToolRow[]): Promise<void> {
  const ids = tools.map(({ id }) => id);
  const oldest = tools.map(({ version }) => version - MAX_VERSIONS_OF_TOOL);
  await sql`
    delete from custom_tool_versions old
    where old.project_id = ${project_id}
      and old.id in (
        select each.id from custom_tool_versions each
        join unnest(${ids}::text[], ${oldest}::integer[]) as saved (tool_id, oldest) on saved.tool_id = each.tool_id
        where each.project_id = ${project_id} and each.version <= saved.oldest
        union all
        select id from (
          select id, sum(stored_bytes) over newest_first as bytes, row_number() over newest_first as position
          from custom_tool_versions where project_id = ${project_id}
          window newest_first as (order by created_at desc, id desc rows unbounded preceding)
        ) kept
        where bytes > ${MAX_VERSION_BYTES} or position > ${MAX_VERSIONS}
      )
      and not exists (
        select from custom_tools tool
        where tool.id = old.tool_id and tool.project_id = ${project_id} and tool.version = old.version
      )
  `.execute(database);
}

export async function pageOfVersions(database: Database, project_id: string, tool_id: string, query: PageQuery) {
  return readPage(ofTool(database, project_id, tool_id), 'custom_tool_versions', query, 'stored_bytes');
}

export async function selectVersion(
  database: Database,
  project_id: string,
  tool_id: string,
  version: number,
): Promise<VersionRow | undefined> {
  return ofTool(database, project_id, tool_id).where('version', '=', version).executeTakeFirst();
}

function ofTool(database: Database, project_id: string, tool_id: string) {
  return database
    .selectFrom('custom_tool_versions')
    .select(versionColumns)
    .where('project_id', '=', project_id)
    .where('tool_id', '=', tool_id);
}
