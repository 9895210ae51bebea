// SQL of what a model sees: the enabled tools that every layer of a caller lets through, and which of them are listed.

import { sql } from 'kysely';
import type { Layers } from '../../../access/layers.ts';
import type { Database } from '../../../database/tables.ts';

/** The tools that a caller may call. */
export type SeenTools = {
  with_member: boolean;
  layers: Layers;
  /** Only the listed ones: tools of a `list` toolset of the caller, and pinned tools. */
  only_listed?: boolean;
};

/** Those with names that sort after `after`. */
export type ListingRange = SeenTools & { after: string };

const listedColumns = [
  'name',
  'title',
  'description',
  'method',
  'input_schema',
  'fixed_arguments',
  'output_schema',
  'response',
  'polling',
  'annotations',
  'source',
  'definition_hash',
] as const;

/** Names and sizes only, sorted by name. */
export async function selectListingSizes(
  database: Database,
  project_id: string,
  { after, ...seen }: ListingRange,
  limit: number,
): Promise<{ name: string; stored_bytes: number }[]> {
  return seenTools(database, project_id, seen)
    .select(['name', 'stored_bytes'])
    .where('name', '>', after)
    .orderBy('name')
    .limit(limit)
    .execute();
}

export async function selectListing(
  database: Database,
  project_id: string,
  { after, last, ...seen }: ListingRange & { last: string },
) {
  return seenTools(database, project_id, seen)
    .select(listedColumns)
    .where('name', '>', after)
    .where('name', '<=', last)
    .orderBy('name')
    .execute();
}

/** The same as long as the whole list is: names and definitions of all its pages. */
export async function selectListingHash(database: Database, project_id: string, seen: SeenTools): Promise<string> {
  const { hash } = await seenTools(database, project_id, seen)
    .select(sql<string | null>`md5(string_agg(name || ' ' || definition_hash, ',' order by name))`.as('hash'))
    .executeTakeFirstOrThrow();
  return hash ?? '';
}

/** Of tools that a model may find: not those that only views call. */
export async function selectSeenIds(database: Database, project_id: string, seen: SeenTools): Promise<string[]> {
  const rows = await seenTools(database, project_id, seen).select('id').where(isForModels).execute();
  return rows.map(({ id }) => id);
}

const isForModels = sql<boolean>`coalesce(source ->> 'visibility' like '%"model"%', true)`;

/** In no order. */
export async function selectSeenTools(database: Database, project_id: string, seen: SeenTools, ids: string[]) {
  return seenTools(database, project_id, seen)
    .select(['id', 'name', 'title', 'description', 'input_schema', 'fixed_arguments', 'source'])
    .where('id', 'in', ids)
    .where(isForModels)
    .execute();
}

export function seenTools(
  database: Database,
  project_id: string,
  { with_member, layers, only_listed = false }: SeenTools,
) {
  let tools = database.selectFrom('custom_tools').where('project_id', '=', project_id).where('is_enabled', '=', true);
  for (const { toolset_ids } of layers)
    tools = tools.where((is) =>
      is.exists(
        is
          .selectFrom('toolset_tools as m')
          .where('m.project_id', '=', project_id)
          .whereRef('m.tool_id', '=', 'custom_tools.id')
          .where(sql<boolean>`m.toolset_id = any (${toolset_ids}::text[])`),
      ),
    );
  if (only_listed) {
    const toolset_ids = layers.flatMap((layer) => layer.toolset_ids);
    tools = tools.where((is) =>
      is.exists(
        is
          .selectFrom('toolset_tools as m')
          .innerJoin('toolsets as s', 's.id', 'm.toolset_id')
          .where('m.project_id', '=', project_id)
          .whereRef('m.tool_id', '=', 'custom_tools.id')
          .where(sql<boolean>`m.toolset_id = any (${toolset_ids}::text[])`)
          .where(sql<boolean>`(s.exposure = 'list' or custom_tools.id = any (s.pinned_tool_ids))`),
      ),
    );
  }
  return with_member ? tools : tools.where('require_member', '=', false);
}
