// Compiles schemas in a worker thread, one at a time and each against a deadline. The thread starts with the first schema, and
// ends when there was nothing to compile for a while.

import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { refuse } from '../errors/errors.ts';
import { threadEnvironment } from '../threads/environment.ts';
import { createCompileQueue, type Requester } from './compile-queue.ts';
import type { ThreadJob, ThreadMessage } from './compile-worker.ts';
import type { Compiled, Finds } from './generate-code.ts';
import type { SchemaObject } from './keywords.ts';

/** Of CPU time for one schema, from the moment the thread can work on it. A busy machine is no fault of the schema. */
const compile_deadline_ms = 1_000;
/** Wall-clock time, in multiples of the deadline: then the caller is asked to retry. */
const max_wait_factor = 10;
/** For the thread to load its modules, which is no fault of the schema that waits for it. */
const start_deadline_ms = 30_000;
/** The thread holds 20 MB, and takes 0.15 s of processor time to start. */
const kept_ms = 10_000;
const max_waiting = { of_group: 50, of_all: 1_000 };

type Job = ThreadJob & {
  purpose: Requester['purpose'];
  deadline_ms: number;
  done: (compiled: Compiled) => void;
  fail: (error: Error) => void;
};

const tooComplex: Compiled = { problem: { field: '', message: 'is too complex to be compiled' } };

/** `cpu_ms` is what the thread had used when it became ready or finished its last schema. */
type CompileThread = { worker: Worker; is_ready: boolean; cpu_ms: number };

let thread: CompileThread | undefined;
let idle: NodeJS.Timeout | undefined;
let current: { job: Job; deadline: NodeJS.Timeout } | undefined;
const queue = createCompileQueue<Job>(max_waiting);

/** Refuses with 503 when too many schemas wait already. */
export async function compileOffThread(
  schema: SchemaObject,
  requester: Requester & { finds?: Finds },
  deadline_ms = compile_deadline_ms,
): Promise<Compiled> {
  const { purpose, finds = 'first' } = requester;
  return new Promise((done, fail) => {
    if (!queue.add(requester, { schema, finds, purpose, deadline_ms, done, fail })) fail(tryLater());
    else if (!current) startNext();
  });
}

const tryLater = () => refuse.serviceUnavailable({ headers: { 'retry-after': '5' } });

function startNext(): void {
  const job = queue.next();
  clearTimeout(idle);
  // An idle thread must not keep the process alive, a busy one must.
  if (!job) {
    thread?.worker.unref();
    idle = setTimeout(endThread, kept_ms).unref();
    return;
  }
  thread ??= startThread();
  thread.worker.ref();
  if (thread.is_ready) sendToThread(thread, job);
  else current = { job, deadline: setTimeout(abandon, start_deadline_ms, failForNow) };
}

function sendToThread(owner: CompileThread, job: Job): void {
  const latest = performance.now() + job.deadline_ms * max_wait_factor;
  current = { job, deadline: setTimeout(checkDeadline, job.deadline_ms, owner, job, latest) };
  const { schema, finds }: ThreadJob = job;
  owner.worker.postMessage({ schema, finds });
}

/** Gives a schema the rest of its CPU time if other work kept the thread waiting. */
function checkDeadline(owner: CompileThread, job: Job, latest: number): void {
  usedCpu(owner.worker).then((cpu_ms) => {
    if (current?.job !== job) return; // finished meanwhile
    const rest_ms = job.deadline_ms - (cpu_ms - owner.cpu_ms);
    if (rest_ms <= 0) abandon(refuseSlow);
    else if (performance.now() >= latest) abandon(failForNow);
    else current.deadline = setTimeout(checkDeadline, Math.max(rest_ms, 10), owner, job, latest);
  }, job.fail);
}

/** In milliseconds. A thread that does not say so within a second is inside one long operation, and so used all of it. */
async function usedCpu(worker: Worker): Promise<number> {
  const usage = worker.cpuUsage().then(({ user, system }) => (user + system) / 1000);
  return Promise.race([usage, sleep(1_000, Number.POSITIVE_INFINITY, { ref: false })]);
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
  endThread();
  finish(settle);
}

function endThread(): void {
  thread?.worker.terminate().catch(() => {}); // it is replaced either way
  thread = undefined;
}

function startThread(): CompileThread {
  const worker = new Worker(new URL('./compile-worker.ts', import.meta.url), {
    execArgv: [],
    env: threadEnvironment(),
    resourceLimits: { maxOldGenerationSizeMb: 256, stackSizeMb: 0.9 },
  });
  const started: CompileThread = { worker, is_ready: false, cpu_ms: 0 };
  worker.on('message', ({ compiled, cpu_ms }: ThreadMessage) => {
    // An abandoned thread may still post a result; by then the current job is another's.
    if (thread !== started) return;
    started.cpu_ms = cpu_ms;
    if (compiled) return finish((job) => job.done(compiled));
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
