// Lists the tools of a project.

import type { CustomTool } from '@toolgate/contract/custom-tools/custom-tool.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { pageOfTools, type ToolFilter } from './store.ts';
import { showTool } from './tool.ts';

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
