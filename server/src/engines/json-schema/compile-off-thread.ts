// Compiles schemas in a worker thread, one at a time and each against a deadline. The thread starts with the first schema, and
// ends when there was nothing to compile for a while.

import { Worker } from 'node:worker_threads';
import { threadEnvironment } from '../threads/environment.ts';
import { type CompileQueue, createCompileQueue, type Requester } from './compile-queue.ts';
import type { ThreadJob, ThreadMessage } from './compile-worker.ts';
import { type Deadline, startDeadline } from './cpu-deadline.ts';
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
  current: { job: Job; deadline: Deadline } | undefined;
  queue: CompileQueue<Job>;
  busy: () => Error;
};

export type Compiler = {
  /** Rejects as busy when too many schemas wait already, or the machine is too slow for now. */
  compile(schema: SchemaObject, requester: Requester & { finds?: Finds }, deadline_ms?: number): Promise<Compiled>;
  close(): Promise<void>;
};

/** `busy`: what the caller is told who should try again later. */
export function createCompiler(busy: () => Error): Compiler {
  const queue = createCompileQueue<Job>(max_waiting);
  const own: Own = { thread: undefined, idle: undefined, current: undefined, queue, busy };
  return {
    compile(schema, requester, deadline_ms = compile_deadline_ms) {
      const { purpose, finds = 'first' } = requester;
      return new Promise((done, fail) => {
        if (!queue.add(requester, { schema, finds, purpose, deadline_ms, done, fail })) fail(busy());
        else if (!own.current) startNext(own);
      });
    },
    async close() {
      clearTimeout(own.idle);
      await endThread(own);
    },
  };
}

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
  else own.current = { job, deadline: startDeadlineOfStart(own) };
}

function startDeadlineOfStart(own: Own): Deadline {
  const timer = setTimeout(abandon, start_deadline_ms, own, failForNow(own));
  return { clear: () => clearTimeout(timer) };
}

function sendToThread(own: Own, thread: CompileThread, job: Job): void {
  const usedCpu = async () => {
    const { user, system } = await thread.worker.cpuUsage();
    return (user + system) / 1000 - thread.cpu_ms;
  };
  const limits = { cpu_ms: job.deadline_ms, wall_ms: job.deadline_ms * max_wait_factor };
  const deadline = startDeadline(usedCpu, limits, (limit) =>
    abandon(own, limit === 'cpu' ? refuseSlow(own) : failForNow(own)),
  );
  own.current = { job, deadline };
  const { schema, finds }: ThreadJob = job;
  thread.worker.postMessage({ schema, finds });
}

const failForNow = (own: Own) => (job: Job) => job.fail(own.busy());

/** What a call waits for compiled in time once, when it was saved: now the machine is slow, not the schema. */
const refuseSlow = (own: Own) => (job: Job) => (job.purpose === 'call' ? failForNow(own)(job) : job.done(tooComplex));

function finish(own: Own, settle: (job: Job) => void): void {
  if (!own.current) return;
  const { job, deadline } = own.current;
  deadline.clear();
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
    own.current.deadline.clear();
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
