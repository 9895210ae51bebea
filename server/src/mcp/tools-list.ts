// tools/list: the tools this caller may call, by name. Serialized once for each change of the project and kind of credential.

import type { ToolCaller } from '../access/caller.ts';
import type { App } from '../app.ts';
import { listToolsFor } from '../features/custom-tools/find.ts';
import type { ToolForModel } from '../features/custom-tools/tool-call.ts';
import { RpcError } from './json-rpc.ts';
import type { Method } from './method.ts';
import { serverInfoOf } from './server-info.ts';

/** The kinds under which a listing is remembered. */
const LISTING = { api_key: 'mcp_tools_for_keys', member: 'mcp_tools_for_members' } as const;

/** Many clients never ask for a second page. */
const PAGE = 500;

/** A tool that was disabled must be gone from the next list: nobody may keep one. Making it costs almost nothing. */
const HINTS = '"ttlMs":0,"cacheScope":"private"';

/** `first` is the first page as the bytes that go out: most clients ask for no other. */
type Listing = { names: string[]; texts: string[]; first: Buffer };

export const listTools: Method = async (app, caller, { era, params }) => {
  const listing = await listingFor(app, caller);
  const { cursor } = params;
  const kept = cursor === undefined ? listing.first : Buffer.from(pageText(listing, startAfter(listing, cursor)));
  if (era === 'legacy') return { before: '{', kept, after: '}' };
  const { meta_entry } = serverInfoOf(caller.project);
  return { before: '{"resultType":"complete",', kept, after: `,${HINTS},"_meta":{${meta_entry}}}` };
};

async function listingFor(app: App, caller: ToolCaller): Promise<Listing> {
  const project_id = caller.project.id;
  const kind = LISTING[caller.kind];
  const known = app.cache.recall<Listing>(kind, project_id);
  if (known) return known;
  const load = async () => ({ project_id, value: makeListing(await listToolsFor(app, caller)) });
  return (await app.cache.load(kind, project_id, load)) as Listing;
}

export function makeListing(tools: ToolForModel[]): Listing {
  const sorted = tools.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const listing = { names: sorted.map(({ name }) => name), texts: sorted.map(describe) };
  return { ...listing, first: Buffer.from(pageText(listing, 0)) };
}

/** The members of a result: `"tools":[…]`, and the cursor of the next page when there is one. */
export function pageText({ names, texts }: Omit<Listing, 'first'>, start: number): string {
  const text = `"tools":[${texts.slice(start, start + PAGE).join(',')}]`;
  const last = names[start + PAGE - 1];
  return names.length > start + PAGE && last
    ? `${text},"nextCursor":"${Buffer.from(last).toString('base64url')}"`
    : text;
}

/** A cursor is the last name seen, so that a page begins right even when tools came or went in between. */
export function startAfter({ names }: Listing, cursor: unknown): number {
  const last = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : '';
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(last)) throw new RpcError('invalid_params', 'Invalid cursor', { status: 200 });
  const next = names.findIndex((name) => name > last);
  return next === -1 ? names.length : next;
}

function describe(tool: ToolForModel): string {
  const { name, title, description, input_schema, output_schema, annotations, definition_hash } = tool;
  return JSON.stringify({
    name,
    title: title ?? undefined,
    description: description ?? undefined,
    inputSchema: input_schema ?? { type: 'object' },
    outputSchema: output_schema ?? undefined,
    annotations: annotations ?? undefined,
    _meta: { 'toolgate/definition_hash': definition_hash },
  });
}
