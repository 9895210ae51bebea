// SQL of toolsets.

import type { ToolsetChange } from '@toolgate/contract/toolsets/toolset.ts';
import { type ExpressionBuilder, sql } from 'kysely';
import { type PageQuery, readPage } from '../../../database/page.ts';
import type { Change, Database, Row, Tables } from '../../../database/tables.ts';
import { type ToolsetRow, toolsetColumns } from './toolset.ts';

/** A toolset that never had a tool has no row. */
const toolCount = (of: ExpressionBuilder<Tables, 'toolsets'>) =>
  of.fn
    .coalesce(
      of
        .selectFrom('toolset_counts')
        .select('toolset_counts.tool_count')
        .whereRef('toolset_counts.toolset_id', '=', 'toolsets.id'),
      sql<number>`0`,
    )
    .as('tool_count');

function ofProject(database: Database, project_id: string) {
  return database
    .selectFrom('toolsets')
    .select([...toolsetColumns.map((column) => `toolsets.${column}` as const), toolCount])
    .where('toolsets.project_id', '=', project_id);
}

export async function insertToolset(
  database: Database,
  toolset: Omit<Row<'toolsets'>, 'created_at' | 'updated_at'>,
): Promise<void> {
  await database.insertInto('toolsets').values(toolset).execute();
}

export async function pageOfToolsets(database: Database, project_id: string, query: PageQuery) {
  return readPage(ofProject(database, project_id), 'toolsets', query);
}

export async function selectToolset(
  database: Database,
  project_id: string,
  id: string,
): Promise<ToolsetRow | undefined> {
  return ofProject(database, project_id).where('toolsets.id', '=', id).executeTakeFirst();
}

/** To change it. A tool that joins it at the same time refers to it, and has the project locked: it must not wait for this lock. */
export async function lockToolset(database: Database, project_id: string, id: string): Promise<ToolsetRow | undefined> {
  return ofProject(database, project_id).where('toolsets.id', '=', id).forNoKeyUpdate('toolsets').executeTakeFirst();
}

/** To delete it: nothing can begin to refer to it. */
export async function lockToolsetToDelete(
  database: Database,
  project_id: string,
  id: string,
): Promise<ToolsetRow | undefined> {
  return ofProject(database, project_id).where('toolsets.id', '=', id).forUpdate('toolsets').executeTakeFirst();
}

export async function updateToolsetRow(
  database: Database,
  project_id: string,
  id: string,
  change: Change<'toolsets', Exclude<keyof ToolsetChange, 'slug' | 'expected_updated_at'>>,
): Promise<void> {
  await database
    .updateTable('toolsets')
    .set({ ...change, updated_at: sql`clock_timestamp()` })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute();
}

export async function deleteToolsetRow(database: Database, project_id: string, id: string): Promise<void> {
  await database.deleteFrom('toolsets').where('project_id', '=', project_id).where('id', '=', id).execute();
}
