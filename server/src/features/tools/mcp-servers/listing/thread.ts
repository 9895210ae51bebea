// Starts the thread that reads the lists of MCP servers, and passes their pages to it. It ends when there was no list for a while.

import { Worker } from 'node:worker_threads';
import { refuse } from '../../../../errors/errors.ts';
import { McpProblem } from '../../../../mcp-client/message.ts';
import { threadEnvironment } from '../../../../threads/environment.ts';
import type { Page, Piece, Reply, Task } from './worker.ts';

/** Of the thread itself: a page while it is parsed, and the text of one page for each list. */
const MEMORY_MB = 1_024;
const KEPT_MS = 60_000;

/** One list of one server. Close it in any case. */
export type Listing = {
  /** Returns the first piece of the page. Rejects with an McpProblem. */
  readPage(page: Omit<Page, 'message'> & { unread: Buffer | string }): Promise<Piece>;
  /** The next piece of the page, until one is the last. */
  next(): Promise<Piece>;
  close(): void;
};

type Thread = { worker: Worker; waiting: Map<number, PromiseWithResolvers<Piece>>; open: number };

let thread: Thread | null = null;
let last_id = 0;
let idle: NodeJS.Timeout | undefined;

export function openListing(): Listing {
  thread ??= startThread();
  const used = thread;
  last_id += 1;
  const listing = last_id;
  used.open += 1;
  clearTimeout(idle);
  used.worker.ref();
  const ask = (task: Task, moved: ArrayBuffer[] = []) => {
    // It ended in between.
    if (thread !== used) return Promise.reject(busy());
    const asked = Promise.withResolvers<Piece>();
    used.waiting.set(listing, asked);
    used.worker.postMessage(task, moved);
    return asked.promise;
  };
  return {
    readPage({ unread, ...page }) {
      // A copy, which is handed over: others may use the memory of a small buffer.
      const message = typeof unread === 'string' ? unread : new Uint8Array(unread);
      const moved = typeof message === 'string' ? [] : [message.buffer];
      return ask({ listing, kind: 'page', message, ...page }, moved);
    },
    next: () => ask({ listing, kind: 'next' }),
    close() {
      used.worker.postMessage({ listing, kind: 'close' } satisfies Task);
      used.open -= 1;
      if (used.open > 0) return;
      used.worker.unref();
      if (thread === used) idle = setTimeout(endThread, KEPT_MS).unref();
    },
  };
}

const busy = () => refuse.serviceUnavailable({ headers: { 'retry-after': '5' } });

function startThread(): Thread {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    execArgv: [],
    env: threadEnvironment(),
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  const started: Thread = { worker, waiting: new Map(), open: 0 };
  worker.on('message', (reply: Reply) => {
    const asked = started.waiting.get(reply.listing);
    started.waiting.delete(reply.listing);
    if ('problem' in reply) asked?.reject(new McpProblem(reply.problem.kind, reply.problem.message));
    else asked?.resolve(reply);
  });
  // Out of memory, or a bug: the lists that it was reading fail, and the next one starts another.
  worker.on('error', (error) => {
    if (thread === started) thread = null;
    const isFull = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
    for (const asked of started.waiting.values()) asked.reject(isFull ? busy() : error);
    started.waiting.clear();
  });
  return started;
}

function endThread(): void {
  thread?.worker.terminate().catch(() => {});
  thread = null;
}
