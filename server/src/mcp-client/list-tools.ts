// Lists the tools of a server, and reads the resources that they name.

import { mayBeOfRevision, type Peer } from './client.ts';
import { exchangeUnread, newRequestId, type Transport, type UnreadResponse } from './exchange.ts';
import { speaksModern } from './find-revision.ts';
import { McpProblem, SMALL_LIMITS } from './message.ts';
import { type ListedResources, listedResources, readResource, type UnreadResource } from './resources.ts';
import { isLegacy, MODERN, modernHeaders, modernMeta, NEWEST_LEGACY } from './revisions.ts';
import { endSession, openSession, type Session } from './sessions.ts';

export type ListLimits = { max_bytes: number; max_pages: number };

/** One response to `tools/list`, as it came. `request_id`: of the request. `is_first`: a list begins, also when it begins again. */
export type UnreadPage = UnreadResponse & { request_id: number; is_first: boolean };

export type ListOptions = {
  limits: ListLimits;
  /**
   * Reads a page elsewhere: it may take longer than the event loop can wait. Returns the URIs of the resources that it needs, which are
   * read next. Rejects with an McpProblem.
   */
  readPage(page: UnreadPage): Promise<{ next_cursor: string | null; resources: readonly string[] }>;
  readResource(resource: UnreadResource): Promise<void>;
  /** Called when all resources of the page were read. */
  endPage(): Promise<void>;
};

/**
 * All pages. Returns the revision that the server speaks. `hint` is the one that was found before: if it fails in a way that another one
 * would explain, the server is asked which one it speaks. `background` ends a session also when the time is over.
 */
export async function listUpstreamTools(
  { transport, background }: Pick<Peer, 'transport' | 'background'>,
  hint: string | null,
  options: ListOptions,
): Promise<string> {
  const list = async (revision: string): Promise<string> => {
    if (isLegacy(revision)) return listInOwnSession(transport, background, options);
    await listPages(transport, options, null);
    return revision;
  };
  const find = async () => ((await speaksModern(transport)) ? MODERN : NEWEST_LEGACY);
  if (hint === null) return list(await find());
  try {
    return await list(hint);
  } catch (error) {
    if (!(error instanceof McpProblem && mayBeOfRevision(error))) throw error;
    const found = await find();
    if (isLegacy(found) === isLegacy(hint)) throw error;
    return list(found);
  }
}

async function listInOwnSession(transport: Transport, background: Transport, options: ListOptions): Promise<string> {
  const session = await openSession(transport);
  try {
    await listPages(transport, options, session);
    return session.revision;
  } finally {
    endSession(background, session).catch(() => {});
  }
}

async function listPages(transport: Transport, options: ListOptions, session: Session | null): Promise<void> {
  const { limits } = options;
  let listed: ListedResources | undefined;
  let bytes = 0;
  let cursor: string | null = null;
  for (let page = 0; page < limits.max_pages; page += 1) {
    const id = newRequestId();
    const params = { ...(cursor === null ? {} : { cursor }), ...(session ? {} : { _meta: modernMeta({}) }) };
    const { unread } = await exchangeUnread(transport, {
      id,
      method: 'tools/list',
      params,
      headers: session ? session.headers : modernHeaders('tools/list'),
      limits: SMALL_LIMITS,
      is_legacy: session !== null,
    });
    bytes += unread.length;
    if (bytes > limits.max_bytes) throw new McpProblem('too_large', 'The tool list is too long');
    const read: Awaited<ReturnType<ListOptions['readPage']>> = await options.readPage({
      unread,
      request_id: id,
      is_first: page === 0,
    });
    for (const uri of read.resources) {
      listed ??= await listedResources(transport, session);
      await options.readResource({ ...(await readResource(transport, session, uri)), listed: listed.get(uri) ?? null });
    }
    await options.endPage();
    const { next_cursor } = read;
    if (next_cursor === null) return;
    if (next_cursor === cursor) throw new McpProblem('protocol', 'tools/list returned no valid cursor');
    cursor = next_cursor;
  }
  throw new McpProblem('too_large', 'The tool list has too many pages');
}
