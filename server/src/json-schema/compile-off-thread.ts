// Compiles schemas in a worker thread, one at a time and each against a deadline. The thread starts with the first schema, and
// ends when there was nothing to compile for a while.

import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { refuse } from '../errors/errors.ts';
import { threadEnvironment } from '../threads/environment.ts';
import { type CompileQueue, createCompileQueue, type Requester } from './compile-queue.ts';
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

/** Of one app. */
type Own = {
  thread: CompileThread | undefined;
  idle: NodeJS.Timeout | undefined;
  current: { job: Job; deadline: NodeJS.Timeout } | undefined;
  queue: CompileQueue<Job>;
};

export type Compiler = {
  /** Refuses with 503 when too many schemas wait already. */
  compile(schema: SchemaObject, requester: Requester & { finds?: Finds }, deadline_ms?: number): Promise<Compiled>;
  close(): Promise<void>;
};

export function createCompiler(): Compiler {
  const queue = createCompileQueue<Job>(max_waiting);
  const own: Own = { thread: undefined, idle: undefined, current: undefined, queue };
  return {
    compile(schema, requester, deadline_ms = compile_deadline_ms) {
      const { purpose, finds = 'first' } = requester;
      return new Promise((done, fail) => {
        if (!queue.add(requester, { schema, finds, purpose, deadline_ms, done, fail })) fail(tryLater());
        else if (!own.current) startNext(own);
      });
    },
    async close() {
      clearTimeout(own.idle);
      await endThread(own);
    },
  };
}

const tryLater = () => refuse.serviceUnavailable({ headers: { 'retry-after': '5' } });

function startNext(own: Own): void {
  const job = own.queue.next();
  clearTimeout(own.idle);
  // An idle thread must not keep the process alive, a busy one must.
  if (!job) {
    own.thread?.worker.unref();
    own.idle = setTimeout(dropThread, kept_ms, own).unref();
    return;
  }
  own.thread ??= startThread(own);
  own.thread.worker.ref();
  if (own.thread.is_ready) sendToThread(own, own.thread, job);
  else own.current = { job, deadline: setTimeout(abandon, start_deadline_ms, own, failForNow) };
}

function sendToThread(own: Own, thread: CompileThread, job: Job): void {
  const latest = performance.now() + job.deadline_ms * max_wait_factor;
  const check = () => checkDeadline(own, thread, job, latest);
  own.current = { job, deadline: setTimeout(check, job.deadline_ms) };
  const { schema, finds }: ThreadJob = job;
  thread.worker.postMessage({ schema, finds });
}

/** Gives a schema the rest of its CPU time if other work kept the thread waiting. */
function checkDeadline(own: Own, thread: CompileThread, job: Job, latest: number): void {
  usedCpu(thread.worker).then((cpu_ms) => {
    if (own.current?.job !== job) return; // finished meanwhile
    const rest_ms = job.deadline_ms - (cpu_ms - thread.cpu_ms);
    const checkAgain = () => checkDeadline(own, thread, job, latest);
    if (rest_ms <= 0) abandon(own, refuseSlow);
    else if (performance.now() >= latest) abandon(own, failForNow);
    else own.current.deadline = setTimeout(checkAgain, Math.max(rest_ms, 10));
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

function finish(own: Own, settle: (job: Job) => void): void {
  if (!own.current) return;
  const { job, deadline } = own.current;
  clearTimeout(deadline);
  own.current = undefined;
  settle(job);
  startNext(own);
}

/** At the deadline: the thread is ended with what it does, and the next schema starts another. */
function abandon(own: Own, settle: (job: Job) => void): void {
  dropThread(own);
  finish(own, settle);
}

async function endThread(own: Own): Promise<void> {
  const ended = own.thread;
  own.thread = undefined;
  await ended?.worker.terminate();
}

/** Nobody waits for its end: it is replaced either way. */
function dropThread(own: Own): void {
  endThread(own).catch(() => {});
}

function startThread(own: Own): CompileThread {
  const worker = new Worker(new URL('./compile-worker.ts', import.meta.url), {
    execArgv: [],
    env: threadEnvironment(),
    resourceLimits: { maxOldGenerationSizeMb: 256, stackSizeMb: 0.9 },
  });
  const started: CompileThread = { worker, is_ready: false, cpu_ms: 0 };
  worker.on('message', ({ compiled, cpu_ms }: ThreadMessage) => {
    // An abandoned thread may still post a result; by then the current job is another's.
    if (own.thread !== started) return;
    started.cpu_ms = cpu_ms;
    if (compiled) return finish(own, (job) => job.done(compiled));
    started.is_ready = true;
    if (!own.current) return;
    clearTimeout(own.current.deadline);
    sendToThread(own, started, own.current.job);
  });
  // Out of memory, or a bug: the thread is gone, and the next schema starts another.
  worker.on('error', (error: NodeJS.ErrnoException) => {
    if (own.thread !== started) return;
    own.thread = undefined;
    finish(own, (job) => (error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? job.done(tooComplex) : job.fail(error)));
  });
  return started;
}
