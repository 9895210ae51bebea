// Lists the versions of a tool and reads one of them.

import { type Caller, projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import type { Page, PageQuery } from '../../database/page.ts';
import { refuse } from '../../errors.ts';
import { selectTool } from './store.ts';
import type { Definition, ToolVersionAnswer } from './tool.ts';
import { pageOfVersions, selectVersion, type VersionRow } from './version-store.ts';

export async function listVersions(
  app: App,
  caller: Caller,
  tool_id: string,
  query: PageQuery,
): Promise<Page<ToolVersionAnswer>> {
  const project_id = projectOf(caller).id;
  if (!(await selectTool(app.database, project_id, tool_id))) throw refuse.notFound();
  const page = await pageOfVersions(app.database, project_id, tool_id, query);
  return { ...page, data: page.data.map(showVersion) };
}

export async function getVersion(
  app: App,
  caller: Caller,
  tool_id: string,
  version: number,
): Promise<ToolVersionAnswer> {
  const row = await selectVersion(app.database, projectOf(caller).id, tool_id, version);
  if (!row) throw refuse.notFound();
  return showVersion(row);
}

const showVersion = (row: VersionRow): ToolVersionAnswer => ({
  object: 'custom_tool_version',
  ...row,
  definition: row.definition as Definition,
});
