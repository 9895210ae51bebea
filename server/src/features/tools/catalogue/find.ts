// Finds tools: one by its ID or its name, where an ID wins because a name may look like one; the pages of a list; names, for analytics.

import type { CustomTool } from '@toolgate/contract/custom-tools/custom-tool.ts';
import { isToolName } from '@toolgate/contract/custom-tools/rules.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import type { Database } from '../../../database/tables.ts';
import { refuse } from '../../../errors/errors.ts';
import { pageOfTools, selectTool, selectToolNames, type ToolFilter } from './store.ts';
import { showTool, type ToolRow } from './tool.ts';

/** `select` reads the tool of the project with this id, or this name. */
export async function findTool<Row extends ToolRow>(
  id_or_name: string,
  select: (by: 'id' | 'name') => Promise<Row | undefined>,
): Promise<Row | undefined> {
  if (!mayBeTool(id_or_name)) return undefined;
  const byId = id_or_name.startsWith('tool_') ? await select('id') : undefined;
  return byId ?? select('name');
}

/** No id and no name is longer or has other characters. */
export const mayBeTool = (id_or_name: string) => isToolName(id_or_name);

export async function requireTool(database: Database, project_id: string, id_or_name: string): Promise<ToolRow> {
  const row = await findTool(id_or_name, (by) => selectTool(database, project_id, by, id_or_name));
  if (!row) throw refuse.notFound();
  return row;
}

export async function listTools(
  app: App,
  caller: Caller,
  filter: ToolFilter,
  query: PageQuery,
): Promise<Page<CustomTool>> {
  const page = await pageOfTools(app.database, projectOf(caller).id, filter, query);
  return makePage(
    page,
    page.rows.map((row) => showTool(row, app.now())),
  );
}

/** Ids that the project does not have (any more) are left out. */
export async function namesOfTools(app: App, project_id: string, ids: readonly string[]): Promise<Map<string, string>> {
  return new Map((await selectToolNames(app.database, project_id, ids)).map(({ id, name }) => [id, name]));
}
