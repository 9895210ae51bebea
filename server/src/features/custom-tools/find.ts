// The tools of a project, one of them, its versions, and those a model may see.

import { type Caller, projectOf, type ToolCaller } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import type { Page, PageQuery } from '../../database/page.ts';
import { refuse } from '../../errors.ts';
import { pageOfTools, selectListing, selectListingSizes, selectTool, type ToolFilter } from './store.ts';
import { type Definition, showTool, type ToolAnswer, type ToolVersionAnswer } from './tool.ts';
import type { ToolForModel } from './tool-call.ts';
import { pageOfVersions, selectVersion, type VersionRow } from './version-store.ts';

/** Many clients never ask for a second page. */
const MAX_LISTED = 500;
const MAX_LISTED_BYTES = 2 ** 20;

/** Enabled ones whose names come after `after`; those that need a member only for a member. */
export async function listToolsFor(
  app: App,
  caller: ToolCaller,
  after: string,
): Promise<{ tools: ToolForModel[]; has_more: boolean }> {
  const { id: project_id, quota_group_id } = caller.project;
  const range = { with_member: caller.kind === 'member', after };
  return app.permits.run(quota_group_id, async () => {
    const sizes = await selectListingSizes(app.database, project_id, range, MAX_LISTED + 1);
    const count = pageLength(sizes);
    const last = sizes[count - 1];
    const tools = last ? await selectListing(app.database, project_id, { ...range, last: last.name }) : [];
    return { tools, has_more: sizes.length > count };
  });
}

/** As many as fit, and always one. */
function pageLength(sizes: { stored_bytes: number }[]): number {
  let bytes = 0;
  const end = sizes.findIndex(({ stored_bytes }, place) => {
    bytes += stored_bytes;
    return place === MAX_LISTED || (place > 0 && bytes > MAX_LISTED_BYTES);
  });
  return end === -1 ? sizes.length : end;
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
