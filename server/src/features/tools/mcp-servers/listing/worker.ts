// The thread that reads the lists of MCP servers: parses a page, and gives its tools away in pieces. Each listing has at most one task here,
// and a task reads at most one page or prepares one piece, so that a large list delays another by no more than that.

import { isUtf8 } from 'node:buffer';
import { parentPort } from 'node:worker_threads';
import type { ToolView } from '@toolgate/contract/mcp-servers/tool-view.ts';
import { yieldToMainThread } from '../../../../engines/threads/priority.ts';
import {
  isObject,
  McpProblem,
  type McpProblemKind,
  type MessageLimits,
  readMessages,
} from '../../../../mcp-client/message.ts';
import type { UnreadResource } from '../../../../mcp-client/resources.ts';
import type { NewListed } from '../listed-store.ts';
import { MAX_LISTED_TOOLS, PIECE_BYTES } from '../pieces.ts';
import { type Facts, readDefinition } from './read-definition.ts';
import { failedView, pinView, viewUriOf } from './read-view.ts';

export type Task = { listing: number } & (
  | ({ kind: 'page' } & Page)
  | ({ kind: 'view' } & UnreadView)
  /** The next piece of the page. */
  | { kind: 'next' }
  | { kind: 'close' }
);

export type Page = {
  message: Uint8Array | string;
  request_id: number;
  /** For the first page of a list. */
  begin: BeginList | null;
  /** The credential that it was requested with, in the forms of redact-secrets.ts. */
  secrets: readonly string[];
};

/** The response to `resources/read`; null: there is none. */
export type UnreadView = Omit<UnreadResource, 'unread'> & { message: Uint8Array | string | null };

/**
 * `names`: of all tools of the project. `known`: hashes of definitions that need not be stored again. `views`: hashes of the views that are
 * stored, and how many bytes the project has left for others.
 */
export type BeginList = {
  slug: string;
  names: readonly string[];
  known: readonly string[];
  views: { known: readonly string[]; room: number };
};

/** `page` has a ParsedPage, `view` a StoredView, `next` a Piece. */
export type ListingResponse = { listing: number } & (
  | Responses
  | { problem: { kind: McpProblemKind; message: string } }
);
export type Responses = ParsedPage | StoredView | Piece;

/** `resources`: the URIs of views that the page names, and that were not read yet. */
export type ParsedPage = { next_cursor: string | null; resources: string[] };

/** `html` is null if it is stored, `sha256` if there is no view. */
export type StoredView = { sha256: string | null; html: Uint8Array | null };

export type Piece = { tools: NewListed[]; is_last: boolean };

/** Parsing the worst page within these took 0.35 s and 34 MB. */
const PAGE_LIMITS: MessageLimits = { max_depth: 100, max_members: 200_000, max_values: 500_000 };
/** Of one server. */
const MAX_VIEWS = 100;
/** Longer than any that a server needs: it is sent back. */
const MAX_CURSOR_LENGTH = 8_192;

type Listing = {
  facts: Omit<Facts, 'secrets' | 'views'>;
  views: Map<string, ToolView>;
  stored_views: { known: Set<string>; room: number };
  secrets: readonly string[];
  /** How many tools it has so far. */
  count: number;
  /** The tools of the page that are not prepared yet, each as JSON: as values they would take three times the memory while a piece is stored. */
  texts: string[];
  /** Prepared, but it did not fit into the last piece. */
  held: NewListed | null;
};

const listings = new Map<number, Listing>();

function begin({ slug, names, known, views }: BeginList): Listing {
  const facts = { slug, names: new Set(names), known: new Set(known) };
  const stored_views = { known: new Set(views.known), room: views.room };
  return { facts, views: new Map(), stored_views, secrets: [], count: 0, texts: [], held: null };
}

function readPage(listing: Listing, { message, request_id, secrets }: Page): ParsedPage {
  const { tools, nextCursor } = resultOf('tools/list', message, request_id);
  if (!Array.isArray(tools) || !tools.every(isObject)) throw new McpProblem('protocol', 'tools/list returned no list');
  listing.count += tools.length;
  if (listing.count > MAX_LISTED_TOOLS) throw new McpProblem('too_large', 'The tool list is too long');
  const cursor = nextCursor ?? null;
  if (cursor !== null && (typeof cursor !== 'string' || cursor.length > MAX_CURSOR_LENGTH))
    throw new McpProblem('protocol', 'tools/list returned no valid cursor');
  // In the order of the list, from the end.
  listing.texts = tools.map((tool) => JSON.stringify(tool)).reverse();
  listing.secrets = secrets;
  return { next_cursor: cursor, resources: viewsToRead(listing, tools) };
}

function viewsToRead({ views, secrets }: Listing, tools: Record<string, unknown>[]): string[] {
  const uris = new Set(tools.map((tool) => viewUriOf(tool, secrets) ?? ''));
  const unread = [...uris].filter((uri) => uri !== '' && !views.has(uri));
  const taken = unread.slice(0, Math.max(0, MAX_VIEWS - views.size));
  for (const uri of unread.slice(taken.length)) views.set(uri, failedView(uri, 'too_many').pin);
  return taken;
}

function readView(listing: Listing, view: UnreadView): StoredView {
  const { known, room } = listing.stored_views;
  const { pin, html } = pinnedView(view, listing.secrets);
  const isStored = pin.sha256 !== null && known.has(pin.sha256);
  if (!isStored && html !== null && html.length > room) {
    listing.views.set(view.uri, failedView(view.uri, 'storage_full').pin);
    return { sha256: null, html: null };
  }
  listing.views.set(view.uri, pin);
  if (isStored || html === null || pin.sha256 === null) return { sha256: pin.sha256, html: null };
  known.add(pin.sha256);
  listing.stored_views.room -= html.length;
  return { sha256: pin.sha256, html };
}

function pinnedView({ uri, message, request_id, is_too_large, listed }: UnreadView, secrets: readonly string[]) {
  if (message === null) return failedView(uri, is_too_large ? 'too_large' : 'not_readable');
  try {
    return pinView(uri, resultOf('resources/read', message, request_id), { listed, secrets });
  } catch (error) {
    if (!(error instanceof McpProblem)) throw error;
    return failedView(uri, error.kind === 'too_large' ? 'too_large' : 'not_readable');
  }
}

/** The error of a failure may have no id. */
function resultOf(method: string, message: Uint8Array | string, request_id: number): Record<string, unknown> {
  if (typeof message !== 'string' && !isUtf8(message)) throw new McpProblem('protocol', 'The response is not UTF-8');
  const text = typeof message === 'string' ? message : Buffer.from(message.buffer).toString('utf8');
  for (const found of readMessages(text, PAGE_LIMITS)) {
    if (found.kind !== 'reply') continue;
    if ('error' in found.reply)
      throw new McpProblem('protocol', `It refused ${method}: error ${found.reply.error.code}`);
    if (found.id === request_id) return found.reply.result;
  }
  throw new McpProblem('protocol', 'There is no JSON-RPC response to the request');
}

/** As many tools as have PIECE_BYTES together, before or after they are prepared; at least one. */
function takePiece(listing: Listing): Piece {
  const tools: NewListed[] = [];
  let bytes = 0;
  let read = 0;
  const add = (tool: NewListed) => {
    bytes += sizeOf(tool);
    if (tools.length > 0 && bytes > PIECE_BYTES) listing.held = tool;
    else tools.push(tool);
  };
  const { held } = listing;
  listing.held = null;
  if (held) add(held);
  while (listing.held === null && read < PIECE_BYTES) {
    const text = listing.texts.pop();
    if (text === undefined) break;
    read += text.length;
    const tool = readDefinition(text, { ...listing.facts, secrets: listing.secrets, views: listing.views });
    if (tool) add(tool);
  }
  const is_last = listing.held === null && listing.texts.length === 0;
  return { tools, is_last };
}

const sizeOf = ({ upstream_name, definition, warnings }: NewListed) =>
  upstream_name.length + Buffer.byteLength(definition ?? '') + Buffer.byteLength(warnings ?? '');

const post = (reply: ListingResponse) => parentPort?.postMessage(reply);

function respond(listing: Listing, task: Exclude<Task, { kind: 'close' }>): Responses {
  if (task.kind === 'page') return readPage(listing, task);
  return task.kind === 'view' ? readView(listing, task) : takePiece(listing);
}

function run(task: Task): void {
  const id = task.listing;
  if (task.kind === 'close') return void listings.delete(id);
  if (task.kind === 'page' && task.begin) listings.set(id, begin(task.begin));
  const listing = listings.get(id);
  if (!listing) return;
  try {
    post({ listing: id, ...respond(listing, task) });
  } catch (error) {
    // Whatever else it is, is a bug, and ends the thread.
    if (!(error instanceof McpProblem)) throw error;
    post({ listing: id, problem: { kind: error.kind, message: error.message } });
  }
}

yieldToMainThread();
parentPort?.on('message', run);
