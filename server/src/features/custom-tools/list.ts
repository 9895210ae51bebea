// Lists the tools of a project.

import { type Caller, projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import type { Page, PageQuery } from '../../database/page.ts';
import { pageOfTools, type ToolFilter } from './store.ts';
import { showTool, type ToolAnswer } from './tool.ts';

export async function listTools(
  app: App,
  caller: Caller,
  filter: ToolFilter,
  query: PageQuery,
): Promise<Page<ToolAnswer>> {
  const page = await pageOfTools(app.database, projectOf(caller).id, filter, query);
  return { ...page, data: page.data.map((row) => showTool(row, app.now())) };
}
