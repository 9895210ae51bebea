// The primary process: starts the workers that share the port, replaces those that end, and passes signals on. It serves no
// requests. With the embedded store it owns PostgreSQL.

import cluster, { type Worker } from 'node:cluster';
import type { Logger } from 'pino';
import type { Connection } from '../database/connection.ts';
import type { MetricValues } from '../metrics/metrics.ts';
import { type CollectedMetrics, createCollectedMetrics } from './collected-metrics.ts';
import type { ToPrimary, ToWorker } from './messages.ts';

const MAX_BACKOFF_MS = 30_000;
/** A worker that served requests for so long was not broken from the start. */
const STABLE_AFTER_MS = 3_000;
/** More than a worker needs to close everything. */
const STOP_MARGIN_MS = 30_000;

type Member = {
  worker: Worker;
  is_ready: boolean;
  /** It was told to end. */
  is_stopping: boolean;
  /** During a restart there are two workers for one place: if one of them ends, the other one remains. */
  is_doubled: boolean;
  has_jobs: boolean;
  ready_at: number;
  /** Resolves when it serves requests; rejects when it ends before. */
  ready: Promise<void>;
  ended: Promise<void>;
};

export type PrimaryOptions = {
  workers: number;
  log: Logger;
  /** The embedded PostgreSQL, or null. */
  connection: Connection | null;
  stop: { drain_ms: number; timeout_ms: number };
};

export type Primary = {
  /** Resolves when all workers serve requests; rejects when the first one cannot start. */
  start(): Promise<void>;
  /** Replaces one worker after the other, each when its successor serves requests. A restart that is requested meanwhile follows. */
  restart(): Promise<void>;
  /** Sends the signal to all workers. Resolves when they have ended. */
  stop(signal: NodeJS.Signals): Promise<void>;
};

type State = {
  options: PrimaryOptions;
  members: Map<number, Member>;
  metrics: CollectedMetrics;
  is_stopping: boolean;
  /** Workers that ended soon after their start, one after the other. */
  failures: number;
};

export function createPrimary(options: PrimaryOptions): Primary {
  const state: State = {
    options,
    members: new Map(),
    metrics: createCollectedMetrics(),
    is_stopping: false,
    failures: 0,
  };
  let restarting = Promise.resolve();
  let next: Promise<void> | null = null;
  return {
    async start() {
      await fork(state, true).ready;
      const others = Array.from({ length: state.is_stopping ? 0 : options.workers - 1 }, () => fork(state));
      await Promise.allSettled(others.map(({ ready }) => ready));
    },
    restart() {
      next ??= restarting.then(() => {
        next = null;
        restarting = replaceAll(state);
        return restarting;
      });
      return next;
    },
    stop: (signal) => stopAll(state, signal),
  };
}

function fork(state: State, is_first = false): Member {
  const worker = cluster.fork();
  const member: Member = {
    worker,
    is_ready: false,
    is_stopping: false,
    is_doubled: false,
    has_jobs: false,
    ready_at: Number.POSITIVE_INFINITY,
    ready: new Promise((resolve, reject) => {
      worker.on('message', (message: ToPrimary) => message.kind === 'ready' && resolve());
      onEnd(worker, () => reject(new Error('a worker exited before it served requests')));
    }),
    ended: new Promise((resolve) => onEnd(worker, () => resolve())),
  };
  state.members.set(worker.id, member);
  send(worker, { kind: 'start', connection: state.options.connection, is_first });
  worker.on('message', (message: ToPrimary) => receive(state, member, message));
  onEnd(worker, (end) => replaceEnded(state, member, { ...end, is_first }));
  member.ready.then(
    () => {
      member.is_ready = true;
      member.ready_at = performance.now();
      assignJobs(state);
    },
    () => {}, // reported by replaceEnded()
  );
  return member;
}

type End = { code: number | null; signal: string | null; error?: Error };

/** A process that could not be launched has no 'exit'. Other errors, of a signal or a message, end nothing. */
function onEnd(worker: Worker, listener: (end: End) => void): void {
  worker.once('exit', (code, signal) => listener({ code, signal }));
  worker.on('error', (error) => {
    if (worker.process.pid === undefined) listener({ code: null, signal: null, error });
  });
}

function receive(state: State, { worker }: Member, message: ToPrimary): void {
  const { members, metrics } = state;
  if (message.kind === 'ready') return;
  metrics.take(worker.id, message.values, message.kind === 'collected' ? message.id : undefined);
  if (message.kind !== 'metrics') return;
  const others = [...members.values()].filter((other) => other.is_ready && other.worker !== worker);
  const collecting = metrics.collect(
    others.map((other) => other.worker.id),
    (asked, id) => {
      const member = members.get(asked);
      if (member) send(member.worker, { kind: 'collect', id });
    },
  );
  const respond = (collected: MetricValues[]) => send(worker, { kind: 'metrics', id: message.id, collected });
  collecting.then(respond, () => respond([message.values]));
}

/** One worker at a time runs the background jobs. One that is stopping takes no more. */
function assignJobs({ members, is_stopping }: State): void {
  const running = [...members.values()].filter((member) => member.is_ready && !member.is_stopping);
  const [first] = running;
  if (is_stopping || !first || running.some(({ has_jobs }) => has_jobs)) return;
  first.has_jobs = true;
  send(first.worker, { kind: 'jobs' });
}

function replaceEnded(state: State, member: Member, { is_first, error, ...end }: End & { is_first: boolean }): void {
  const { members, metrics, options } = state;
  members.delete(member.worker.id);
  metrics.retire(member.worker.id);
  assignJobs(state);
  const has_failed_to_start = is_first && !member.is_ready;
  const cause = { pid: member.worker.process.pid, ...end, ...(error && { err: error }) };
  if (has_failed_to_start && error) options.log.error(cause, 'a worker could not be launched');
  if (state.is_stopping || member.is_stopping || has_failed_to_start) return;
  if (member.is_doubled) {
    options.log.error(cause, 'a worker exited during a restart');
    return;
  }
  state.failures = performance.now() - member.ready_at > STABLE_AFTER_MS ? 0 : state.failures + 1;
  forkLater(state, cause);
}

/** After a growing delay when workers end soon after their start. */
function forkLater(state: State, cause: object): void {
  const delay_ms = state.failures === 0 ? 0 : Math.min(MAX_BACKOFF_MS, 250 * 2 ** state.failures);
  state.options.log.error({ ...cause, delay_ms }, 'a worker exited and is replaced');
  setTimeout(() => {
    if (state.is_stopping) return;
    try {
      fork(state);
    } catch (error) {
      // Some errors of a launch are thrown.
      state.failures += 1;
      forkLater(state, { err: error });
    }
  }, delay_ms);
}

async function replaceAll(state: State): Promise<void> {
  const { options, members } = state;
  options.log.info('the workers are being replaced one by one');
  try {
    for (const old of [...members.values()]) {
      if (state.is_stopping) return;
      if (members.has(old.worker.id)) await replace(state, old);
    }
    options.log.info('all workers were replaced');
  } catch (error) {
    options.log.error({ err: error }, 'a new worker does not start: the old ones continue');
  }
}

async function replace(state: State, old: Member): Promise<void> {
  old.is_doubled = true;
  try {
    const next = fork(state);
    next.is_doubled = true;
    await next.ready;
    next.is_doubled = false;
  } catch (error) {
    old.is_doubled = false;
    if (!state.members.has(old.worker.id) && !state.is_stopping) forkLater(state, { err: error });
    throw error;
  }
  if (state.is_stopping) return;
  old.is_stopping = true;
  assignJobs(state);
  send(old.worker, { kind: 'replace' });
  await endOrKill(state, old);
}

async function stopAll(state: State, signal: NodeJS.Signals): Promise<void> {
  state.is_stopping = true;
  const all = [...state.members.values()];
  for (const { worker } of all) worker.process.kill(signal);
  await Promise.all(all.map((member) => endOrKill(state, member)));
}

/** A worker that is frozen does not end by itself. */
async function endOrKill({ options }: State, { worker, ended }: Member): Promise<void> {
  const { drain_ms, timeout_ms } = options.stop;
  const timer = setTimeout(
    () => {
      options.log.error({ pid: worker.process.pid }, 'a worker does not exit and is killed');
      worker.process.kill('SIGKILL');
    },
    drain_ms + timeout_ms + STOP_MARGIN_MS,
  );
  await ended;
  clearTimeout(timer);
}

function send(worker: Worker, message: ToWorker): void {
  // A worker that has just ended does not get it; its 'exit' follows.
  if (worker.isConnected()) worker.send(message, () => {});
}
