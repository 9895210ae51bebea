// Reads resources of an MCP server, while its tools are listed.

import { exchange, exchangeUnread, newRequestId, type Transport } from './exchange.ts';
import { isObject, McpProblem, SMALL_LIMITS } from './message.ts';
import { modernHeaders, modernMeta } from './revisions.ts';
import type { Session } from './sessions.ts';

/** The response to `resources/read`, as it came; null: there is none. `listed`: what the list of resources says in `_meta` about it. */
export type UnreadResource = {
  uri: string;
  request_id: number;
  unread: Buffer | string | null;
  is_too_large: boolean;
  listed: Record<string, unknown> | null;
};

/** What the server responds is read elsewhere. Rejects with a SendError, or the McpProblem of a refused credential. */
export async function readResource(
  transport: Transport,
  session: Session | null,
  uri: string,
): Promise<Omit<UnreadResource, 'listed'>> {
  const request_id = newRequestId();
  const request = requestOf(session, 'resources/read', { uri }, uri);
  try {
    const { unread } = await exchangeUnread(transport, { ...request, id: request_id });
    return { uri, request_id, unread, is_too_large: false };
  } catch (error) {
    if (!isOfResource(error)) throw error;
    return { uri, request_id, unread: null, is_too_large: error.kind === 'too_large' };
  }
}

/** A server that lists tools, but not a resource, is still a server: its tools are read. */
const isOfResource = (error: unknown): error is McpProblem =>
  error instanceof McpProblem && error.kind !== 'unauthorized' && error.kind !== 'session_lost';

function requestOf(session: Session | null, method: string, params: Record<string, unknown>, name?: string) {
  return {
    method,
    params: { ...params, ...(session ? {} : { _meta: modernMeta({}) }) },
    headers: session ? session.headers : modernHeaders(method, name),
    limits: SMALL_LIMITS,
    is_legacy: session !== null,
  };
}

export type ListedResources = ReadonlyMap<string, Record<string, unknown>>;

const MAX_PAGES = 20;

/** `_meta` by URI: what holds for a resource that says nothing itself. Servers need not list resources. */
export async function listedResources(transport: Transport, session: Session | null): Promise<ListedResources> {
  const found = new Map<string, Record<string, unknown>>();
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const result = await resourcesPage(transport, session, cursor);
    for (const resource of result?.resources ?? [])
      if (isObject(resource) && typeof resource.uri === 'string' && isObject(resource._meta))
        found.set(resource.uri, resource._meta);
    const next = result?.nextCursor ?? null;
    if (next === null || next === cursor) break;
    cursor = next;
  }
  return found;
}

/** Null: there is none. */
async function resourcesPage(
  transport: Transport,
  session: Session | null,
  cursor: string | null,
): Promise<{ resources: unknown[]; nextCursor: string | null } | null> {
  const request = requestOf(session, 'resources/list', cursor === null ? {} : { cursor });
  try {
    const { reply } = await exchange(transport, { ...request, id: newRequestId() });
    if ('error' in reply || !Array.isArray(reply.result.resources)) return null;
    const { resources, nextCursor } = reply.result;
    return { resources, nextCursor: typeof nextCursor === 'string' ? nextCursor : null };
  } catch (error) {
    if (!isOfResource(error)) throw error;
    return null;
  }
}
