// tools/list: the tools this caller may call, by name. The first page is serialized once for each change of the project and kind of credential.

import type { ToolCaller } from '../access/caller.ts';
import type { App } from '../app.ts';
import { listToolsFor } from '../features/custom-tools/find.ts';
import type { ToolForModel } from '../features/custom-tools/tool-call.ts';
import { RpcError } from './json-rpc.ts';
import { listedSchema } from './listed-schema.ts';
import type { Method } from './method.ts';
import { serverInfoOf } from './server-info.ts';

/** The kinds under which the first page is cached. */
const FIRST_PAGE = { api_key: 'mcp_tools_for_keys', member: 'mcp_tools_for_members' } as const;

/** A tool that was disabled must be gone from the next list: nobody may keep one. Making it costs almost nothing. */
const HINTS = '"ttlMs":0,"cacheScope":"private"';

/** The members of a result, as the bytes that go out. */
type ListPage = { bytes: Buffer };

export const listTools: Method = async (app, caller, { era, params }) => {
  const { cursor } = params;
  const page = cursor === undefined ? await firstPage(app, caller) : await loadPage(app, caller, readCursor(cursor));
  if (era === 'legacy') return { before: '{', kept: page.bytes, after: '}' };
  const { meta_entry } = serverInfoOf(caller.project);
  return { before: '{"resultType":"complete",', kept: page.bytes, after: `,${HINTS},"_meta":{${meta_entry}}}` };
};

/** Most clients ask for no other. */
async function firstPage(app: App, caller: ToolCaller): Promise<ListPage> {
  const project_id = caller.project.id;
  const kind = FIRST_PAGE[caller.kind];
  const known = app.cache.get<ListPage>(kind, project_id);
  if (known) return known;
  const load = async () => ({ project_id, value: await loadPage(app, caller, '') });
  return (await app.cache.getOrLoad(kind, project_id, load)) as ListPage;
}

async function loadPage(app: App, caller: ToolCaller, after: string): Promise<ListPage> {
  const { tools, has_more } = await listToolsFor(app, caller, after);
  return { bytes: Buffer.from(pageText(tools, has_more)) };
}

/** `"tools":[…]`, and the cursor of the next page when there is one. */
export function pageText(tools: ToolForModel[], has_more: boolean): string {
  const text = `"tools":[${tools.map(describe).join(',')}]`;
  const last = tools.at(-1);
  return has_more && last ? `${text},"nextCursor":"${Buffer.from(last.name).toString('base64url')}"` : text;
}

/** A cursor is the last name seen, so that a page begins right even when tools came or went in between. */
export function readCursor(cursor: unknown): string {
  const last = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : '';
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(last)) throw new RpcError('invalid_params', 'Invalid cursor', { status: 200 });
  return last;
}

function describe(tool: ToolForModel): string {
  const { name, title, description, input_schema, output_schema, annotations, definition_hash } = tool;
  return JSON.stringify({
    name,
    title: title ?? undefined,
    description: description ?? undefined,
    inputSchema: listedSchema(input_schema ?? { type: 'object' }),
    outputSchema: output_schema ? listedSchema(output_schema) : undefined,
    annotations: annotations ?? undefined,
    _meta: { 'toolgate/definition_hash': definition_hash },
  });
}
