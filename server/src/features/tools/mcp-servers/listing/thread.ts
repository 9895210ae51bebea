// Starts the thread that reads the lists of MCP servers, and passes their pages to it. It ends when there was no list for a while.

import { Worker } from 'node:worker_threads';
import { threadEnvironment } from '../../../../engines/threads/environment.ts';
import { busy } from '../../../../errors/errors.ts';
import { McpProblem } from '../../../../mcp-client/message.ts';
import type { UnreadResource } from '../../../../mcp-client/resources.ts';
import type { ListingResponse, Page, ParsedPage, Piece, Responses, StoredView, Task } from './worker.ts';

/** Of the thread itself: a page while it is parsed, and the text of one page for each list. */
const MEMORY_MB = 1_024;
const KEPT_MS = 60_000;

/** One list of one server. Close it in any case. */
export type Listing = {
  /** Rejects with an McpProblem. */
  readPage(page: Omit<Page, 'message'> & { unread: Buffer | string }): Promise<ParsedPage>;
  /** A view that the page needs. */
  readView(view: UnreadResource): Promise<StoredView>;
  /** The next piece of the page, when its views were read, until one is the last. */
  next(): Promise<Piece>;
  close(): void;
};

type Thread = { worker: Worker; waiting: Map<number, PromiseWithResolvers<Responses>>; open: number };

/** Of one app. */
type Own = { thread: Thread | null; last_id: number; idle: NodeJS.Timeout | undefined };

export type Listings = { open(): Listing; close(): Promise<void> };

export function createListings(): Listings {
  const own: Own = { thread: null, last_id: 0, idle: undefined };
  return { open: () => openListing(own), close: () => endThread(own) };
}

function openListing(own: Own): Listing {
  own.thread ??= startThread(own);
  const used = own.thread;
  own.last_id += 1;
  const listing = own.last_id;
  used.open += 1;
  clearTimeout(own.idle);
  used.worker.ref();
  const ask = <T extends Responses>(task: Task, moved: ArrayBuffer[] = []): Promise<T> => {
    // It ended in between.
    if (own.thread !== used) return Promise.reject(busy());
    const asked = Promise.withResolvers<Responses>();
    used.waiting.set(listing, asked);
    used.worker.postMessage(task, moved);
    return asked.promise as Promise<T>;
  };
  return {
    readPage({ unread, ...page }) {
      const { message, moved } = handedOver(unread);
      return ask({ listing, kind: 'page', message, ...page }, moved);
    },
    readView({ unread, ...view }) {
      const { message, moved } = unread === null ? { message: null, moved: [] } : handedOver(unread);
      return ask({ listing, kind: 'view', message, ...view }, moved);
    },
    next: () => ask({ listing, kind: 'next' }),
    close() {
      used.worker.postMessage({ listing, kind: 'close' } satisfies Task);
      used.open -= 1;
      if (used.open > 0) return;
      used.worker.unref();
      if (own.thread === used) own.idle = setTimeout(dropThread, KEPT_MS, own).unref();
    },
  };
}

/** A copy, which is handed over: others may use the memory of a small buffer. */
function handedOver(unread: Buffer | string) {
  const message = typeof unread === 'string' ? unread : new Uint8Array(unread);
  return { message, moved: typeof message === 'string' ? [] : [message.buffer] };
}

function startThread(own: Own): Thread {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    execArgv: [],
    env: threadEnvironment(),
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  const started: Thread = { worker, waiting: new Map(), open: 0 };
  worker.on('message', (reply: ListingResponse) => {
    const asked = started.waiting.get(reply.listing);
    started.waiting.delete(reply.listing);
    if ('problem' in reply) asked?.reject(new McpProblem(reply.problem.kind, reply.problem.message));
    else asked?.resolve(reply);
  });
  // Out of memory, or a bug: the lists that it was reading fail, and the next one starts another.
  worker.on('error', (error) => {
    if (own.thread === started) own.thread = null;
    const isFull = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
    for (const asked of started.waiting.values()) asked.reject(isFull ? busy() : error);
    started.waiting.clear();
  });
  return started;
}

async function endThread(own: Own): Promise<void> {
  clearTimeout(own.idle);
  const ended = own.thread;
  own.thread = null;
  await ended?.worker.terminate();
}

function dropThread(own: Own): void {
  endThread(own).catch(() => {});
}
