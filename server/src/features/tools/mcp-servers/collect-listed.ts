// Stores what an MCP server lists, piece by piece. The thread prepares the next piece when this one is stored, so that neither a long list
// nor a slow database takes memory.

import type { Project } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import type { UnreadPage } from '../../../mcp-client/list-tools.ts';
import { McpProblem } from '../../../mcp-client/message.ts';
import type { UnreadResource } from '../../../mcp-client/resources.ts';
import { selectAllToolNames } from '../catalogue/store.ts';
import {
  deleteUndecided,
  dropDefinitions,
  type NewListed,
  selectKnownHashes,
  selectListedBytes,
  selectListedRows,
  upsertListed,
} from './listed-store.ts';
import { createListings } from './listing/thread.ts';
import type { ParsedPage, Piece } from './listing/worker.ts';
import type { ServerRow } from './mcp-server.ts';
import { MAX_LISTED_TOOLS } from './pieces.ts';
import { lockServerVersion } from './store.ts';
import { findStoredViews, saveView } from './view-store.ts';

/** For all servers of a project, with what was approved of them. */
const MAX_LISTED_BYTES = 16 * 2 ** 20;
/** Of one server, with those that are gone. */
const MAX_NAMES = 2 * MAX_LISTED_TOOLS;

/** The server was changed or deleted while its list was read. */
export class OutdatedSync extends Error {}

/** `names`: of all tools that the server lists. `changed`: how many are new, changed or back. */
export type Collected = { names: Set<string>; changed: number };

export type Collector = Awaited<ReturnType<typeof openCollector>>;

/** Close it in any case. */
export async function openCollector(app: App, project: Project, row: ServerRow) {
  const known = await app.permits.run(project, () => readKnown(app, row));
  const listing = app.stateOf(createListings).open();
  const collected: Collected = { names: new Set(), changed: 0 };
  let room: Room = { bytes: MAX_LISTED_BYTES - known.bytes, names: MAX_NAMES - known.rows };
  const { slug } = row;

  async function save({ tools }: Piece): Promise<void> {
    // A second one of the same name is left out.
    const others = tools.filter(({ upstream_name }) => isNewIn(collected.names, upstream_name));
    const fresh = others.filter(({ definition }) => definition !== null);
    if (fresh.length === 0) return;
    const saved = await app.permits.run(project, () => savePiece(app, row, fresh, room));
    collected.changed += saved.changed;
    room = saved.room;
  }

  return {
    collected,
    /** `secrets`: the credential that the page was requested with, in the forms of redact-secrets.ts. */
    async readPage(page: UnreadPage & { secrets: readonly string[] }): Promise<ParsedPage> {
      const { is_first, ...given } = page;
      if (is_first) collected.names.clear();
      const { names, hashes, views } = known;
      return listing.readPage({ ...given, begin: is_first ? { slug, names, known: hashes, views } : null });
    },
    async readResource(resource: UnreadResource): Promise<void> {
      const { sha256, html } = await listing.readView(resource);
      if (sha256 !== null) await app.permits.run(project, () => saveView(app.database, row, sha256, html));
    },
    async endPage(): Promise<void> {
      let piece: Piece;
      do {
        piece = await listing.next();
        await save(piece);
      } while (!piece.is_last);
    },
    close: listing.close,
  };
}

function isNewIn(names: Set<string>, name: string): boolean {
  if (names.has(name)) return false;
  names.add(name);
  return true;
}

async function readKnown(app: App, row: ServerRow) {
  // After syncs that failed there may be more than one list has. What nobody decided about is read again.
  const count = await selectListedRows(app.database, row);
  if (count > MAX_LISTED_TOOLS) await deleteUndecided(app.database, row);
  return {
    rows: count > MAX_LISTED_TOOLS ? await selectListedRows(app.database, row) : count,
    bytes: await selectListedBytes(app.database, row.project_id),
    names: await selectAllToolNames(app.database, row.project_id),
    hashes: await selectKnownHashes(app.database, row),
    views: await findStoredViews(app.database, row),
  };
}

/** What the project has left for definitions, and the server for names. */
type Room = { bytes: number; names: number };

/** What there is no room for is stored without its definition, and read again by the next sync. */
async function savePiece(
  app: App,
  row: ServerRow,
  tools: NewListed[],
  before: Room,
): Promise<{ changed: number; room: Room }> {
  return transact(app, async (app) => {
    if ((await lockServerVersion(app.database, row)) !== row.version) throw new OutdatedSync();
    const saved = await upsertListed(app.database, row, tools);
    const room = { ...before };
    room.names -= saved.filter(({ old_bytes }) => old_bytes === null).length;
    if (room.names < 0) throw new McpProblem('too_large', 'It has listed too many names');
    const tooLarge: string[] = [];
    for (const { upstream_name, bytes, old_bytes } of saved) {
      const more = bytes - (old_bytes ?? 0);
      if (more > 0 && more > room.bytes) tooLarge.push(upstream_name);
      else room.bytes -= more;
    }
    await dropDefinitions(app.database, row, tooLarge);
    // Calls of approved tools compare with what is listed.
    if (saved.some(({ is_approved }) => is_approved)) app.changes.add(row.project_id);
    return { changed: saved.filter(({ is_changed }) => is_changed).length, room };
  });
}
