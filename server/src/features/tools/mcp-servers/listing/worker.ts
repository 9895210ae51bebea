// The thread that reads the lists of MCP servers: parses a page, and gives its tools away in pieces. Each listing has at most one task here,
// and a task reads at most one page or prepares one piece, so that a large list delays another by no more than that.

import { isUtf8 } from 'node:buffer';
import { parentPort } from 'node:worker_threads';
import { yieldToMainThread } from '../../../../engines/threads/priority.ts';
import {
  isObject,
  McpProblem,
  type McpProblemKind,
  type MessageLimits,
  readMessages,
} from '../../../../mcp-client/message.ts';
import type { NewListed } from '../listed-store.ts';
import { MAX_LISTED_TOOLS, PIECE_BYTES } from '../pieces.ts';
import { type Facts, readDefinition } from './read-definition.ts';

export type Task = { listing: number } & (
  | ({ kind: 'page' } & Page)
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

/** `names`: of all tools of the project. `known`: hashes of definitions that need not be stored again. */
export type BeginList = { slug: string; names: readonly string[]; known: readonly string[] };

/** To `page` and `next`. */
export type ListingResponse = { listing: number } & (Piece | { problem: { kind: McpProblemKind; message: string } });

export type Piece = { tools: NewListed[]; is_last: boolean; next_cursor: string | null };

/** Parsing the worst page within these took 0.35 s and 34 MB. */
const PAGE_LIMITS: MessageLimits = { max_depth: 100, max_members: 200_000, max_values: 500_000 };
/** Longer than any that a server needs: it is sent back. */
const MAX_CURSOR_LENGTH = 8_192;

type Listing = {
  facts: Omit<Facts, 'secrets'>;
  secrets: readonly string[];
  /** How many tools it has so far. */
  count: number;
  /** The tools of the page that are not prepared yet, each as JSON: as values they would take three times the memory while a piece is stored. */
  texts: string[];
  /** Prepared, but it did not fit into the last piece. */
  held: NewListed | null;
  next_cursor: string | null;
};

const listings = new Map<number, Listing>();

function begin({ slug, names, known }: BeginList): Listing {
  const facts = { slug, names: new Set(names), known: new Set(known) };
  return { facts, secrets: [], count: 0, texts: [], held: null, next_cursor: null };
}

function readPage(listing: Listing, { message, request_id, secrets }: Page): void {
  const { tools, nextCursor } = resultOf(message, request_id);
  if (!Array.isArray(tools) || !tools.every(isObject)) throw new McpProblem('protocol', 'tools/list returned no list');
  listing.count += tools.length;
  if (listing.count > MAX_LISTED_TOOLS) throw new McpProblem('too_large', 'The tool list is too long');
  const cursor = nextCursor ?? null;
  if (cursor !== null && (typeof cursor !== 'string' || cursor.length > MAX_CURSOR_LENGTH))
    throw new McpProblem('protocol', 'tools/list returned no valid cursor');
  // In the order of the list, from the end.
  listing.texts = tools.map((tool) => JSON.stringify(tool)).reverse();
  listing.secrets = secrets;
  listing.next_cursor = cursor;
}

/** The error of a failure may have no id. */
function resultOf(message: Uint8Array | string, request_id: number): Record<string, unknown> {
  if (typeof message !== 'string' && !isUtf8(message)) throw new McpProblem('protocol', 'The response is not UTF-8');
  const text = typeof message === 'string' ? message : Buffer.from(message.buffer).toString('utf8');
  for (const found of readMessages(text, PAGE_LIMITS)) {
    if (found.kind !== 'reply') continue;
    if ('error' in found.reply)
      throw new McpProblem('protocol', `It refused tools/list: error ${found.reply.error.code}`);
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
    const tool = readDefinition(text, { ...listing.facts, secrets: listing.secrets });
    if (tool) add(tool);
  }
  const is_last = listing.held === null && listing.texts.length === 0;
  return { tools, is_last, next_cursor: listing.next_cursor };
}

const sizeOf = ({ upstream_name, definition, warnings }: NewListed) =>
  upstream_name.length + Buffer.byteLength(definition ?? '') + Buffer.byteLength(warnings ?? '');

const post = (reply: ListingResponse) => parentPort?.postMessage(reply);

function run(task: Task): void {
  const id = task.listing;
  if (task.kind === 'close') return void listings.delete(id);
  if (task.kind === 'page' && task.begin) listings.set(id, begin(task.begin));
  const listing = listings.get(id);
  if (!listing) return;
  try {
    if (task.kind === 'page') readPage(listing, task);
    post({ listing: id, ...takePiece(listing) });
  } catch (error) {
    // Whatever else it is, is a bug, and ends the thread.
    if (!(error instanceof McpProblem)) throw error;
    post({ listing: id, problem: { kind: error.kind, message: error.message } });
  }
}

yieldToMainThread();
parentPort?.on('message', run);
