// The views (MCP Apps) of the tools that a caller may call: which there are, and their HTML. Each is a resource of the MCP endpoint with a
// URI in `ui://`, whose host says where it comes from: here the slug of an MCP server.

import type { SourceView } from '@toolgate/contract/custom-tools/tool-source.ts';
import type { TokenCaller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { selectViewHtml } from '../mcp-servers/view-store.ts';
import { selectView, selectViews } from './store.ts';

export type ListedView = SourceView & { name: string; title: string | null };

const PAGE = 500;

/** Sorted by URI; `after` is the last one of the page before. Copies of a tool have one view. */
export async function listViews(
  app: App,
  caller: TokenCaller,
  after: string,
): Promise<{ views: ListedView[]; has_more: boolean }> {
  const { project } = caller;
  const range = { after, limit: PAGE + 1 };
  const rows = await app.permits.run(project, () => selectViews(app.database, project.id, seenBy(caller), range));
  const views = new Map<string, ListedView>();
  for (const { name, title, source } of rows.slice(0, PAGE)) {
    const view = source?.view;
    if (view && !views.has(view.uri)) views.set(view.uri, { ...view, name, title });
  }
  return { views: [...views.values()], has_more: rows.length > PAGE };
}

/** All but the hash, and the hash. */
const VIEW_URI = /^(ui:\/\/[^/]+\/[^/]+\/)[0-9a-f]{12}$/;

/** Null: there is none, or the caller cannot call a tool that has it. */
export async function findView(
  app: App,
  caller: TokenCaller,
  uri: string,
): Promise<{ view: SourceView; html: string } | null> {
  const start = VIEW_URI.exec(uri)?.[1];
  if (start === undefined) return null;
  const { project } = caller;
  return app.permits.run(project, async () => {
    const source = (await selectView(app.database, project.id, seenBy(caller), start))?.source;
    if (!source?.view) return null;
    const server = { project_id: project.id, id: source.mcp_server_id };
    const html = await selectViewHtml(app.database, server, source.view.sha256);
    return html ? { view: source.view, html: html.toString() } : null;
  });
}

/** Those that a search finds too, not only those that are listed. */
const seenBy = ({ kind, layers }: TokenCaller) => ({ with_member: kind === 'member', layers });
