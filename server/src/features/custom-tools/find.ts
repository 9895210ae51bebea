// The tools of a project, one of them, its versions, and those a model may see.

import { type Caller, projectOf, type ToolCaller } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import type { Page, PageQuery } from '../../database/page.ts';
import { refuse } from '../../errors.ts';
import {
  pageOfTools,
  pageOfVersions,
  selectEnabledTools,
  selectTool,
  selectVersion,
  type ToolFilter,
  type VersionRow,
} from './store.ts';
import { type Definition, showTool, type ToolAnswer, type ToolVersionAnswer } from './tool.ts';
import type { ToolForModel } from './tool-call.ts';

/** Enabled ones; those that need a member only for a member. */
export async function listToolsFor(app: App, caller: ToolCaller): Promise<ToolForModel[]> {
  return selectEnabledTools(app.database, caller.project.id, caller.kind === 'member');
}

export async function listTools(
  app: App,
  caller: Caller,
  filter: ToolFilter,
  query: PageQuery,
): Promise<Page<ToolAnswer>> {
  const page = await pageOfTools(app.database, projectOf(caller).id, filter, query);
  return { ...page, data: page.data.map((row) => showTool(row, app.now())) };
}

export async function getTool(app: App, caller: Caller, id: string): Promise<ToolAnswer> {
  const row = await selectTool(app.database, projectOf(caller).id, id);
  if (!row) throw refuse.notFound();
  return showTool(row, app.now());
}

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
