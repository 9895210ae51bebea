// tools/list: the tools this caller may call, by name. The serialized first page is cached for each project, kind of credential and
// choice of toolsets.

import type { TokenCaller } from '../access/caller.ts';
import { layersKey } from '../access/layers.ts';
import type { App } from '../app.ts';
import { listToolsForModel } from '../features/tools/calls/list-for-model.ts';
import type { ToolForModel } from '../features/tools/calls/tool-call.ts';
import type { ListedUi } from '../features/tools/catalogue/listed-ui.ts';
import { seesPolling } from '../features/tools/tasks/sees-polling.ts';
import { RpcError } from './json-rpc.ts';
import { listedSchema } from './listed-schema.ts';
import type { Method } from './method.ts';
import { searches } from './search-exposure.ts';
import { searchTools } from './search-tools.ts';
import { serverInfoOf } from './server-info.ts';
import { taskResultTool } from './task-result-tool.ts';

/** The cache kinds of the first page. */
const FIRST_PAGE_KIND = {
  api_key: 'mcp_tools_for_keys',
  member: 'mcp_tools_for_members',
  oauth_client: 'mcp_tools_for_keys',
} as const;

/** Clients must not cache the list: a disabled tool must be missing from the next one. A list from our cache costs almost nothing. */
const CACHE_HINTS = '"ttlMs":0,"cacheScope":"private"';

/** The members of a result, serialized. */
type ListPage = { bytes: Buffer };

export const toolsList: Method = async (app, caller, { protocol, params }) => {
  const { cursor } = params;
  const page = cursor === undefined ? await firstPage(app, caller) : await loadPage(app, caller, readCursor(cursor));
  if (protocol === 'legacy') return { parts: ['{', page.bytes, '}'], is_cached: true };
  const { meta_entry } = serverInfoOf(caller.project);
  return {
    parts: ['{"resultType":"complete",', page.bytes, `,${CACHE_HINTS},"_meta":{${meta_entry}}}`],
    is_cached: true,
  };
};

/** Cached, since most clients request no other page. */
async function firstPage(app: App, caller: TokenCaller): Promise<ListPage> {
  const project_id = caller.project.id;
  const kind = FIRST_PAGE_KIND[caller.kind];
  const id = `${project_id}${layersKey(caller.layers)}`;
  const cached = app.cache.get<ListPage>(kind, id);
  if (cached) return cached;
  const load = async () => ({ project_id, value: await loadPage(app, caller, '') });
  return (await app.cache.getOrLoad(kind, id, load)) as ListPage;
}

async function loadPage(app: App, caller: TokenCaller, after: string): Promise<ListPage> {
  const only_listed = await searches(app, caller);
  const { tools, has_more } = await listToolsForModel(app, caller, { after, only_listed });
  const built_in = after === '' ? await builtIn(app, caller, only_listed) : [];
  return { bytes: Buffer.from(pageText(tools, has_more, built_in)) };
}

async function builtIn(app: App, caller: TokenCaller, searches: boolean): Promise<ToolForModel[]> {
  const of_tasks = (await seesPolling(app, caller)) ? [taskResultTool] : [];
  return searches ? [...searchTools, ...of_tasks] : of_tasks;
}

/** `"tools":[…]`, and the cursor of the next page when there is one. `built_in` comes first. */
export function pageText(tools: ToolForModel[], has_more: boolean, built_in: ToolForModel[] = []): string {
  const text = `"tools":[${[...built_in, ...tools].map(describe).join(',')}]`;
  const last = tools.at(-1);
  return has_more && last ? `${text},"nextCursor":"${Buffer.from(last.name).toString('base64url')}"` : text;
}

/** A cursor is the last name of the previous page, so that tools added or deleted in between do not shift the next page. */
export function readCursor(cursor: unknown): string {
  const last = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : '';
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(last))
    throw new RpcError('invalid_params', 'Invalid cursor', { status: 200, reason: 'invalid_cursor' });
  return last;
}

function describe(tool: ToolForModel): string {
  const {
    name,
    title,
    description,
    input_schema,
    file_arguments = [],
    output_schema,
    annotations,
    ui = null,
    definition_hash,
  } = tool;
  const files = file_arguments.length > 0 ? { 'openai/fileParams': file_arguments } : {};
  return JSON.stringify({
    name,
    title: title ?? undefined,
    description: description ?? undefined,
    inputSchema: listedSchema(input_schema ?? { type: 'object' }),
    outputSchema: output_schema ? listedSchema(output_schema) : undefined,
    annotations,
    _meta: { 'toolgate/definition_hash': definition_hash, ...files, ...(ui && uiMeta(ui)) },
  });
}

/** Older hosts read the second name only. */
const uiMeta = ({ view_uri, visibility }: ListedUi) =>
  view_uri === null
    ? { ui: { visibility } }
    : { ui: { resourceUri: view_uri, visibility }, 'ui/resourceUri': view_uri };
