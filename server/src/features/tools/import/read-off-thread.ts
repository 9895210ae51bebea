// Reads the body of an import in a worker thread. Two at once, one for a fairness key; the others wait.

import { Worker } from 'node:worker_threads';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { threadEnvironment } from '../../../engines/threads/environment.ts';
import { busy, invalidField, refuse } from '../../../errors/errors.ts';
import type { ToFetch } from './read-body.ts';
import type { ReadTool } from './read-operations.ts';
import type { Message, ReadResult, Task } from './worker.ts';

const MAX_THREADS = 2;
const MAX_WAITING = { of_group: 8, of_all: 64 };
/** Far above what a document of 20 MiB takes; an end for one that was made to take longer. */
const DEADLINE_MS = 120_000;
const MEMORY_MB = 1_024;
const KEPT_MS = 60_000;
const SMALL_BYTES = 2 ** 20;

export type ReadImport = ReadResult & { tools: ReadTool[] };

export type Upload = Pick<Task, 'bytes' | 'content_type' | 'fetched'>;

/** Of one app. */
type Own = {
  /** Fairness keys. */
  running: Set<string>;
  waiting: { fairness_key: string; start(): void }[];
  /** Starting a thread takes up to 0.5 s of processor time, so one is kept for a while. After a large document it is not: it would keep the memory. */
  kept: { worker: Worker; end: NodeJS.Timeout; drop(): void } | undefined;
  close(): Promise<void>;
};

function createOwn(): Own {
  const own: Own = { running: new Set(), waiting: [], kept: undefined, close: () => endKept(own) };
  return own;
}

/** Fetches the document_url of a body that has one, and whose document was not fetched yet: no thread waits for that. */
export async function readOffThread(app: App, caller: Caller, upload: Upload): Promise<ReadImport | ToFetch> {
  const { fairness_key } = projectOf(caller);
  const own = app.stateOf(createOwn);
  await takeThread(own, fairness_key);
  try {
    return await runWorker(own, { ...upload, egress_allow: app.egress.allowed(), fairness_key });
  } finally {
    own.running.delete(fairness_key);
    startNext(own);
  }
}

async function takeThread(own: Own, fairness_key: string): Promise<void> {
  const { waiting } = own;
  const ofGroup = waiting.filter((each) => each.fairness_key === fairness_key);
  if (ofGroup.length >= MAX_WAITING.of_group || waiting.length >= MAX_WAITING.of_all) throw busy();
  await new Promise<void>((start) => {
    waiting.push({ fairness_key, start });
    startNext(own);
  });
}

function startNext({ running, waiting }: Own): void {
  if (running.size >= MAX_THREADS) return;
  const place = waiting.findIndex(({ fairness_key }) => !running.has(fairness_key));
  const [next] = place === -1 ? [] : waiting.splice(place, 1);
  if (!next) return;
  running.add(next.fairness_key);
  next.start();
}

async function runWorker(own: Own, task: Task): Promise<ReadImport | ToFetch> {
  const worker = takeWorker(own);
  const tooMuch = (what: string) =>
    invalidField('document', `takes too much ${what} to read: select some operations with include or exclude`, {
      reason: 'document_too_large',
    });
  const { promise, resolve, reject } = Promise.withResolvers<ReadImport | ToFetch>();
  const deadline = setTimeout(() => reject(tooMuch('time')), DEADLINE_MS);
  const tools: ReadTool[] = [];
  let isAlive = false;
  const onMessage = (message: Message) => {
    if ('tools' in message) return void tools.push(...message.tools);
    isAlive = true;
    if ('result' in message) resolve('document_url' in message.result ? message.result : { ...message.result, tools });
    else reject(refuse[message.refusal](message.details ? { details: message.details } : {}));
  };
  const onError = (error: NodeJS.ErrnoException) =>
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch('memory') : error);
  const onExit = () => reject(new Error('the thread that read an import ended without a result'));
  worker.on('message', onMessage).on('error', onError).on('exit', onExit);
  worker.postMessage(task);
  try {
    return await promise;
  } finally {
    clearTimeout(deadline);
    worker.off('message', onMessage).off('exit', onExit);
    if (isAlive && task.bytes.length + (task.fetched?.length ?? 0) <= SMALL_BYTES) {
      keepWorker(own, worker);
      worker.off('error', onError);
    } else await worker.terminate();
  }
}

function takeWorker(own: Own): Worker {
  if (!own.kept)
    return new Worker(new URL('./worker.ts', import.meta.url), {
      execArgv: [],
      env: threadEnvironment(),
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
  const { worker, end, drop } = own.kept;
  own.kept = undefined;
  clearTimeout(end);
  worker.off('error', drop).ref();
  return worker;
}

function keepWorker(own: Own, worker: Worker): void {
  const drop = () => {
    endKept(own).catch(() => {});
  };
  drop();
  worker.unref();
  // It has nothing to do; if it ends all the same, the next import starts another.
  worker.on('error', drop);
  own.kept = { worker, drop, end: setTimeout(drop, KEPT_MS).unref() };
}

async function endKept(own: Own): Promise<void> {
  if (!own.kept) return;
  const { worker, end } = own.kept;
  own.kept = undefined;
  clearTimeout(end);
  await worker.terminate();
}
