// Compiles schemas in a worker thread, one at a time and each against a deadline. The thread starts with the first schema.

import { Worker } from 'node:worker_threads';
import { refuse } from '../../../errors.ts';
import type { SchemaObject } from './keywords.ts';
import type { Compiled } from './source.ts';
import { createTurns, type Turn } from './turns.ts';

/** Far above what any schema within the limits takes, the start of the thread included. */
const default_deadline_ms = 10_000;
const max_waiting = { of_project: 50, of_all: 1_000 };

type Job = {
  schema: SchemaObject;
  deadline_ms: number;
  done: (compiled: Compiled) => void;
  fail: (error: Error) => void;
};

const tooComplex: Compiled = { problem: { field: '', message: 'is too complex to be compiled' } };

let worker: Worker | undefined;
let current: { job: Job; deadline: NodeJS.Timeout } | undefined;
const waiting = createTurns<Job>(max_waiting);

/** Refuses with 503 when too many schemas wait already. */
export async function compileOffThread(
  schema: SchemaObject,
  turn: Turn,
  deadline_ms = default_deadline_ms,
): Promise<Compiled> {
  return new Promise((done, fail) => {
    if (!waiting.add(turn, { schema, deadline_ms, done, fail }))
      fail(refuse.serviceUnavailable({ headers: { 'retry-after': '5' } }));
    else if (!current) takeNext();
  });
}

function takeNext(): void {
  const job = waiting.next();
  // An idle thread must not keep the process alive, a busy one must.
  if (!job) {
    worker?.unref();
    return;
  }
  worker ??= startWorker();
  worker.ref();
  current = { job, deadline: setTimeout(giveUp, job.deadline_ms, worker) };
  worker.postMessage(job.schema);
}

function finish(act: (job: Job) => void): void {
  if (!current) return;
  const { job, deadline } = current;
  clearTimeout(deadline);
  current = undefined;
  act(job);
  takeNext();
}

function giveUp(stuck: Worker): void {
  worker = undefined;
  void stuck.terminate();
  finish((job) => job.done(tooComplex));
}

function startWorker(): Worker {
  const started = new Worker(new URL('./worker.ts', import.meta.url), {
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 256, stackSizeMb: 0.9 },
  });
  // A thread that was given up may still have something to say; by then the current job is another's.
  started.on('message', (compiled: Compiled) => {
    if (worker === started) finish((job) => job.done(compiled));
  });
  // Out of memory, or a bug: the thread is gone, and the next schema starts another.
  started.on('error', (error: NodeJS.ErrnoException) => {
    if (worker !== started) return;
    worker = undefined;
    finish((job) => (error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? job.done(tooComplex) : job.fail(error)));
  });
  return started;
}
