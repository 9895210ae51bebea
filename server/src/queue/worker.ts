// Takes jobs of one kind, does them side by side, and writes down how each ended in the transaction that ends it.
// A worker that stalled past its lease finds its jobs taken by somebody else, and records nothing.

import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { isDatabaseUnavailable } from '../database/connection.ts';
import { type World as TransactWorld, transact } from '../database/transact.ts';
import { backoff } from './backoff.ts';
import type { JobNotifier } from './job-notifier.ts';
import { endJobs, type Job, releaseJobs, takeJobs } from './jobs.ts';

export type World = TransactWorld & {
  now(): number;
  log: Logger;
  job_notifier: JobNotifier;
};

export type Work<W, Input, Result> = {
  kind: string;
  /** How many this process does at once. */
  at_once: number;
  /** How many with one fairness key are under way at once, over all replicas. */
  per_group: number;
  /** How many of one lane are under way at once, over all replicas. */
  per_lane: number;
  /** What the jobs need, in one query for all. A subject left out has nothing to be done any more. */
  load(world: W, jobs: Job[]): Promise<Map<string, Input>>;
  /** The work itself, outside of any transaction. If it throws, it is tried again after a growing pause. */
  run(world: W, input: Input): Promise<Result & { again_at: number | null }>;
  /** Writes the results down, in the transaction that ends their jobs. */
  settle(world: W, results: Result[]): Promise<void>;
  /** Writes down that these broke so often that nobody tries them again. Without it they are tried for ever. */
  abandon?(world: W, subjects: string[]): Promise<void>;
};

export type Worker = {
  /** Does all that is due now; resolves when nothing is due and nothing under way. */
  runDue(): Promise<void>;
  /** Goes on by itself: woken by new jobs, and looking once a second in case a call was lost. */
  start(): void;
  /** Takes no more, lets what is under way finish for a few seconds, gives the rest back. */
  stop(): Promise<void>;
};

const POLL_MS = 1000;
const GATHER_MS = 5;
const AWAY_PAUSE_MS = 250;
const GRACE_MS = 5000;
const SETTLED_AT_ONCE = 500;
const MAX_CURSORS = 10_000;
/** About nine hours of trying. */
const MOST_FAILURES = 20;

type Done<Result> = {
  job: Job;
  again_at: number | null;
  failures: number;
  result: Result | null;
  is_abandoned?: boolean;
};

type State<W, Input, Result> = {
  world: W;
  work: Work<W, Input, Result>;
  under_way: Map<string, Job>;
  done: Done<Result>[];
  /** Whose jobs were taken last, and for each key from which lane: the next are those behind. */
  after_key: string;
  after_lanes: LRUCache<string, string>;
  is_taking: boolean;
  was_asked: boolean;
  is_settling: boolean;
  is_stopping: boolean;
  waiting: (() => void)[];
};

export function createWorker<W extends World, Input, Result>(
  world: W,
  work: Work<W, Input, Result>,
  grace_ms = GRACE_MS,
): Worker {
  const state: State<W, Input, Result> = {
    world,
    work,
    under_way: new Map(),
    done: [],
    after_key: '',
    after_lanes: new LRUCache({ max: MAX_CURSORS }),
    is_taking: false,
    was_asked: false,
    is_settling: false,
    is_stopping: false,
    waiting: [],
  };
  let stopListening = () => {};
  let timer: NodeJS.Timeout | undefined;
  let woken: NodeJS.Timeout | undefined;
  return {
    async runDue() {
      await take(state);
      await untilQuiet(state);
    },
    start() {
      // Changes come in bursts: one look for all of them.
      stopListening = world.job_notifier.listen(() => {
        woken ??= setTimeout(() => {
          woken = undefined;
          takeSoon(state);
        }, GATHER_MS);
      });
      timer = setInterval(() => takeSoon(state), POLL_MS);
      takeSoon(state);
    },
    async stop() {
      state.is_stopping = true;
      stopListening();
      clearInterval(timer);
      clearTimeout(woken);
      await Promise.race([untilQuiet(state), sleep(grace_ms, undefined, { ref: false })]);
      const left = [...state.under_way.values()];
      state.under_way.clear();
      tellIfQuiet(state);
      if (left.length > 0) await releaseJobs(world.database, work.kind, left).catch(() => {}); // the lease will end
    },
  };
}

function takeSoon<W extends World, I, R>(state: State<W, I, R>): void {
  take(state).catch((error: unknown) => {
    if (!isDatabaseUnavailable(error))
      state.world.log.error({ err: error, kind: state.work.kind }, 'no jobs could be taken');
  });
}

/** One taking at a time; whoever asks meanwhile makes it look once more. */
async function take<W extends World, I, R>(state: State<W, I, R>): Promise<void> {
  state.was_asked = true;
  if (state.is_taking) return;
  state.is_taking = true;
  try {
    while (state.was_asked && !state.is_stopping) {
      state.was_asked = false;
      await takeRound(state);
    }
  } finally {
    state.is_taking = false;
    tellIfQuiet(state);
  }
}

async function takeRound<W extends World, I, R>(state: State<W, I, R>): Promise<void> {
  const { world, work } = state;
  const { kind, per_group, per_lane } = work;
  for (;;) {
    const room = work.at_once - state.under_way.size;
    if (room <= 0 || state.is_stopping) return;
    const { after_key, after_lanes } = state;
    const wanted = { kind, room, per_group, per_lane, after_key, after_lanes, now: world.now() };
    const { jobs, last_key, may_have_more } = await takeJobs(world.database, wanted);
    state.after_key = last_key;
    for (const { fairness_key, lane } of jobs) after_lanes.set(fairness_key, lane);
    if (jobs.length > 0) begin(state, jobs);
    if (!may_have_more) return;
  }
}

function begin<W extends World, I, R>(state: State<W, I, R>, jobs: Job[]): void {
  const { world, work } = state;
  for (const job of jobs) state.under_way.set(job.subject, job);
  const loading = work.load(world, jobs);
  for (const job of jobs) {
    runAndSettle(state, job, loading).catch((error: unknown) =>
      world.log.error({ err: error, kind: work.kind }, 'how a job ended could not be written down'),
    );
  }
}

async function runAndSettle<W extends World, I, R>(
  state: State<W, I, R>,
  job: Job,
  loading: Promise<Map<string, I>>,
): Promise<void> {
  const done = await runOne(state, job, loading);
  // It was given back when the worker stopped: how it ends is somebody else's to write down.
  if (state.under_way.get(job.subject) !== job) return;
  state.done.push(done);
  await settle(state);
}

async function runOne<W extends World, I, R>(
  { world, work }: State<W, I, R>,
  job: Job,
  loading: Promise<Map<string, I>>,
): Promise<Done<R>> {
  try {
    const input = (await loading).get(job.subject);
    if (input === undefined) return { job, again_at: null, failures: 0, result: null };
    const result = await work.run(world, input);
    return { job, again_at: result.again_at, failures: 0, result };
  } catch (error) {
    return broken(world, work, job, error);
  }
}

/** While the database is away nothing is learnt about the job itself. */
function broken<W extends World, I, R>(world: W, work: Work<W, I, R>, job: Job, error: unknown): Done<R> {
  const failures = job.failures + (isDatabaseUnavailable(error) ? 0 : 1);
  const is_abandoned = work.abandon !== undefined && failures >= MOST_FAILURES;
  const what = { err: error, kind: work.kind, subject: job.subject, failures };
  world.log.error(what, is_abandoned ? 'a job broke too often; it is given up' : 'a job broke; it is tried again');
  const again_at = is_abandoned ? null : world.now() + backoff(Math.max(failures, 1));
  return { job, again_at, failures, result: null, is_abandoned };
}

/** Whatever ended while the last batch was written down makes up the next one. */
async function settle<W extends World, I, R>(state: State<W, I, R>): Promise<void> {
  if (state.is_settling) return;
  state.is_settling = true;
  try {
    while (state.done.length > 0) {
      const batch = state.done.splice(0, SETTLED_AT_ONCE);
      await settleBatch(state, batch);
      for (const { job } of batch) {
        if (state.under_way.get(job.subject) === job) state.under_way.delete(job.subject);
      }
      if (!state.is_stopping) takeSoon(state);
    }
  } finally {
    state.is_settling = false;
    tellIfQuiet(state);
  }
}

/** One that cannot be written down must not take the others with it: they were done, and would be done again. */
async function settleBatch<W extends World, I, R>(state: State<W, I, R>, batch: Done<R>[]): Promise<void> {
  const { world, work } = state;
  for (;;) {
    try {
      return await writeDown(state, batch);
    } catch (error) {
      const isAway = isDatabaseUnavailable(error);
      if (isAway && state.is_stopping) return; // their leases run out
      if (isAway) {
        await sleep(AWAY_PAUSE_MS);
        continue;
      }
      const [only, ...more] = batch;
      if (more.length > 0) {
        for (const each of batch) await settleBatch(state, [each]);
      } else if (only && only.result !== null) {
        await settleBatch(state, [broken(world, work, only.job, error)]);
      } else {
        world.log.error({ err: error, kind: work.kind }, 'how a job ended could not be written down');
      }
      return;
    }
  }
}

async function writeDown<W extends World, I, R>({ world, work }: State<W, I, R>, batch: Done<R>[]): Promise<void> {
  await transact(world, async (world) => {
    const ours = await endJobs(world.database, work.kind, batch);
    const results = batch.flatMap(({ job, result }) => (result !== null && ours.has(job.subject) ? [result] : []));
    if (results.length > 0) await work.settle(world, results);
    const abandoned = batch.flatMap(({ job, is_abandoned }) =>
      is_abandoned && ours.has(job.subject) ? [job.subject] : [],
    );
    if (abandoned.length > 0) await work.abandon?.(world, abandoned);
  });
}

function isQuiet({ under_way, is_taking, is_settling }: State<never, never, never>): boolean {
  return under_way.size === 0 && !is_taking && !is_settling;
}

function untilQuiet<W, I, R>(state: State<W, I, R>): Promise<void> {
  return new Promise((done) => {
    state.waiting.push(done);
    tellIfQuiet(state);
  });
}

function tellIfQuiet<W, I, R>(state: State<W, I, R>): void {
  if (!isQuiet(state as never)) return;
  for (const done of state.waiting.splice(0)) done();
}
