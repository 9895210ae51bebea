// Reads the body of an import in a worker thread. Two at once, one for a fairness key; the others wait.

import { Worker } from 'node:worker_threads';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { invalidField, refuse } from '../../../errors/errors.ts';
import { threadEnvironment } from '../../../threads/environment.ts';
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

const running = new Set<string>();
const waiting: { fairness_key: string; start(): void }[] = [];

/** Answers the document_url of a body that has one, and whose document was not fetched yet: no thread waits for that. */
export async function readOffThread(app: App, caller: Caller, upload: Upload): Promise<ReadImport | ToFetch> {
  const { fairness_key } = projectOf(caller);
  await takeThread(fairness_key);
  try {
    return await runWorker({ ...upload, egress_allow: app.egress.allowed(), fairness_key });
  } finally {
    running.delete(fairness_key);
    startNext();
  }
}

async function takeThread(fairness_key: string): Promise<void> {
  const ofGroup = waiting.filter((each) => each.fairness_key === fairness_key);
  if (ofGroup.length >= MAX_WAITING.of_group || waiting.length >= MAX_WAITING.of_all)
    throw refuse.serviceUnavailable({ headers: { 'retry-after': '5' } });
  await new Promise<void>((start) => {
    waiting.push({ fairness_key, start });
    startNext();
  });
}

function startNext(): void {
  if (running.size >= MAX_THREADS) return;
  const place = waiting.findIndex(({ fairness_key }) => !running.has(fairness_key));
  const [next] = place === -1 ? [] : waiting.splice(place, 1);
  if (!next) return;
  running.add(next.fairness_key);
  next.start();
}

async function runWorker(task: Task): Promise<ReadImport | ToFetch> {
  const worker = takeWorker();
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
      keepWorker(worker);
      worker.off('error', onError);
    } else await worker.terminate();
  }
}

/** Starting a thread takes up to 0.5 s of processor time, so one is kept for a while. After a large document it is not: it would keep the memory. */
let kept: { worker: Worker; end: NodeJS.Timeout } | undefined;

function takeWorker(): Worker {
  if (!kept)
    return new Worker(new URL('./worker.ts', import.meta.url), {
      execArgv: [],
      env: threadEnvironment(),
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
  const { worker, end } = kept;
  kept = undefined;
  clearTimeout(end);
  worker.off('error', endKept).ref();
  return worker;
}

function keepWorker(worker: Worker): void {
  endKept();
  worker.unref();
  // It has nothing to do; if it ends all the same, the next import starts another.
  worker.on('error', endKept);
  kept = { worker, end: setTimeout(endKept, KEPT_MS).unref() };
}

function endKept(): void {
  if (!kept) return;
  const { worker, end } = kept;
  kept = undefined;
  clearTimeout(end);
  worker.terminate().catch(() => {});
}
