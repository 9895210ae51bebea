// Which tools are in which toolsets, written in the transaction that changes a toolset or a tool.

import { sql } from 'kysely';
import type { App } from '../../../app.ts';
import { arrayWithout } from '../../../database/array-without.ts';
import { lockProjectRow } from '../../../database/lock-project-row.ts';
import type { Database } from '../../../database/tables.ts';

/** What was changed: one toolset, or some tools. */
export type Changed = { toolset_id: string } | { tool_ids: string[] };

/** Locks are taken in one order: tools, toolsets, project. */
export async function saveMembership({ database, now }: App, project_id: string, changed: Changed): Promise<void> {
  await lockProjectRow(database, project_id);
  const toolset_id = 'toolset_id' in changed ? changed.toolset_id : null;
  const tool_ids = 'tool_ids' in changed ? changed.tool_ids : null;
  const at = new Date(now()).toISOString();
  const { rows } = await sql<{ toolset_id: string }>`
    with wanted as (
      select s.id as toolset_id, t.id as tool_id, t.is_read_only
      from toolsets s join custom_tools t
        on t.project_id = s.project_id and (t.id = any (s.tool_ids) or t.tags && s.tags)
      where s.project_id = ${project_id} and (s."only" is null or t.is_read_only)
        and (${toolset_id}::text is null or s.id = ${toolset_id})
        and (${tool_ids}::text[] is null or t.id = any (${tool_ids}))
    ), gone as (
      delete from toolset_tools m
      where m.project_id = ${project_id}
        and (${toolset_id}::text is null or m.toolset_id = ${toolset_id})
        and (${tool_ids}::text[] is null or m.tool_id = any (${tool_ids}))
        and not exists (select from wanted w where w.toolset_id = m.toolset_id and w.tool_id = m.tool_id)
      returning m.toolset_id
    ), saved as (
      insert into toolset_tools as m (toolset_id, tool_id, project_id, joined_at, writable_since)
      select toolset_id, tool_id, ${project_id}, ${at}::timestamptz, case when not is_read_only then ${at}::timestamptz end
      from wanted
      on conflict (project_id, toolset_id, tool_id) do update set writable_since = excluded.writable_since
        where (m.writable_since is null) <> (excluded.writable_since is null)
      returning m.toolset_id
    )
    select toolset_id from gone union select toolset_id from saved`.execute(database);
  await countTools(database, project_id, rows);
}

/** With the project's row locked. For toolsets whose tools have changed. */
async function countTools(
  database: Database,
  project_id: string,
  toolsets: readonly { toolset_id: string }[],
): Promise<void> {
  if (toolsets.length === 0) return;
  const ids = toolsets.map(({ toolset_id }) => toolset_id);
  await sql`
    insert into toolset_counts (toolset_id, project_id, tool_count, writing_count)
    select s.id, s.project_id, count(m.tool_id), count(m.writable_since)
    from toolsets s left join toolset_tools m on m.project_id = s.project_id and m.toolset_id = s.id
    where s.project_id = ${project_id} and s.id = any (${ids})
    group by s.id
    on conflict (toolset_id) do update set
      tool_count = excluded.tool_count, writing_count = excluded.writing_count`.execute(database);
}

/** Whether one of the tools is named by a toolset that has only read-only tools. */
export async function isNamedByReadOnlyToolset(
  database: Database,
  project_id: string,
  tools: readonly { id: string; tags: string[] }[],
): Promise<boolean> {
  const ids = tools.map(({ id }) => id);
  const tags = tools.flatMap((tool) => tool.tags);
  const found = await database
    .selectFrom('toolsets')
    .select('id')
    .where('project_id', '=', project_id)
    .where('only', '=', 'read_only')
    .where(sql<boolean>`(tool_ids && ${ids}::text[] or tags && ${tags}::text[])`)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Call before the tools are deleted. */
export async function removeFromToolsets(database: Database, project_id: string, tool_ids: string[]): Promise<void> {
  await sql`
    update toolsets set
      tool_ids = ${arrayWithout('tool_ids', tool_ids)},
      pinned_tool_ids = ${arrayWithout('pinned_tool_ids', tool_ids)}
    where project_id = ${project_id} and (tool_ids || pinned_tool_ids) && ${tool_ids}::text[]`.execute(database);
  await lockProjectRow(database, project_id);
  const left = await database
    .deleteFrom('toolset_tools')
    .where('project_id', '=', project_id)
    .where('tool_id', 'in', tool_ids)
    .returning('toolset_id')
    .execute();
  await countTools(database, project_id, [...new Map(left.map((row) => [row.toolset_id, row])).values()]);
}
