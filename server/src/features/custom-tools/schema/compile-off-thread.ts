// Compiles schemas in a worker thread, one at a time and each against a deadline. The thread starts with the first schema.

import { Worker } from 'node:worker_threads';
import { refuse } from '../../../errors.ts';
import { createCompileQueue, type Requester } from './compile-queue.ts';
import type { Compiled } from './generate-code.ts';
import type { SchemaObject } from './keywords.ts';

/** For one schema, from the moment the thread can work on it. */
const compile_deadline_ms = 1_000;
/** For the thread to load its modules, which is no fault of the schema that waits for it. */
const start_deadline_ms = 30_000;
const max_waiting = { of_group: 50, of_all: 1_000 };

type Job = {
  schema: SchemaObject;
  purpose: Requester['purpose'];
  deadline_ms: number;
  done: (compiled: Compiled) => void;
  fail: (error: Error) => void;
};

const tooComplex: Compiled = { problem: { field: '', message: 'is too complex to be compiled' } };

type CompileThread = { worker: Worker; is_ready: boolean };

let thread: CompileThread | undefined;
let current: { job: Job; deadline: NodeJS.Timeout } | undefined;
const queue = createCompileQueue<Job>(max_waiting);

/** Refuses with 503 when too many schemas wait already. */
export async function compileOffThread(
  schema: SchemaObject,
  requester: Requester,
  deadline_ms = compile_deadline_ms,
): Promise<Compiled> {
  return new Promise((done, fail) => {
    if (!queue.add(requester, { schema, purpose: requester.purpose, deadline_ms, done, fail })) fail(tryLater());
    else if (!current) startNext();
  });
}

const tryLater = () => refuse.serviceUnavailable({ headers: { 'retry-after': '5' } });

function startNext(): void {
  const job = queue.next();
  // An idle thread must not keep the process alive, a busy one must.
  if (!job) {
    thread?.worker.unref();
    return;
  }
  thread ??= startThread();
  thread.worker.ref();
  if (thread.is_ready) sendToThread(thread, job);
  else current = { job, deadline: setTimeout(abandon, start_deadline_ms, failForNow) };
}

function sendToThread({ worker }: CompileThread, job: Job): void {
  current = { job, deadline: setTimeout(abandon, job.deadline_ms, refuseSlow) };
  worker.postMessage(job.schema);
}

const failForNow = (job: Job) => job.fail(tryLater());

/** What a call waits for compiled in time once, when it was saved: now the machine is slow, not the schema. */
const refuseSlow = (job: Job) => (job.purpose === 'call' ? failForNow(job) : job.done(tooComplex));

function finish(settle: (job: Job) => void): void {
  if (!current) return;
  const { job, deadline } = current;
  clearTimeout(deadline);
  current = undefined;
  settle(job);
  startNext();
}

/** At the deadline: the thread is ended with what it does, and the next schema starts another. */
function abandon(settle: (job: Job) => void): void {
  thread?.worker.terminate().catch(() => {}); // it is replaced either way
  thread = undefined;
  finish(settle);
}

function startThread(): CompileThread {
  const worker = new Worker(new URL('./compile-worker.ts', import.meta.url), {
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 256, stackSizeMb: 0.9 },
  });
  const started: CompileThread = { worker, is_ready: false };
  worker.on('message', (message: 'ready' | Compiled) => {
    // An abandoned thread may still post a result; by then the current job is another's.
    if (thread !== started) return;
    if (message !== 'ready') return finish((job) => job.done(message));
    started.is_ready = true;
    if (!current) return;
    clearTimeout(current.deadline);
    sendToThread(started, current.job);
  });
  // Out of memory, or a bug: the thread is gone, and the next schema starts another.
  worker.on('error', (error: NodeJS.ErrnoException) => {
    if (thread !== started) return;
    thread = undefined;
    finish((job) => (error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? job.done(tooComplex) : job.fail(error)));
  });
  return started;
}
