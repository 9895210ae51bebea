// SQL of the views that tools name, among the tools that a caller may call.

import { sql } from 'kysely';
import type { Database } from '../../../database/tables.ts';
import { type SeenTools, seenTools } from '../catalogue/listing-store.ts';

const uriOf = sql<string>`(custom_tools.source #>> '{view,uri}') collate "C"`;

/** Tools of MCP servers that have a view with a URI that sorts after `after`. */
export async function selectViews(
  database: Database,
  project_id: string,
  seen: SeenTools,
  { after, limit }: { after: string; limit: number },
) {
  return seenTools(database, project_id, seen)
    .select(['name', 'title', 'source'])
    .where('source', 'is not', null)
    .where(sql<boolean>`${uriOf} > ${after}`)
    .orderBy(uriOf)
    .limit(limit)
    .execute();
}

/** Whatever the hash at the end of its URI: hosts keep the definitions of tools. */
export async function selectView(database: Database, project_id: string, seen: SeenTools, start: string) {
  return seenTools(database, project_id, seen)
    .select('source')
    .where('source', 'is not', null)
    .where(sql<boolean>`starts_with(${uriOf}, ${start})`)
    .orderBy('updated_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}
