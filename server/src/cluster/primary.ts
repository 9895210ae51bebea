// The primary process: starts the workers that share the port, replaces those that end, and passes signals on. It serves no
// requests. With the embedded store it owns PostgreSQL.

import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
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
  is_stopping: boolean;
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
  /** Replaces one worker after the other, each when its successor serves requests. */
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
  let restarting: Promise<void> | null = null;
  return {
    async start() {
      await fork(state, true).ready;
      const others = Array.from({ length: state.is_stopping ? 0 : options.workers - 1 }, () => fork(state));
      await Promise.allSettled(others.map(({ ready }) => ready));
    },
    restart() {
      restarting ??= replaceAll(state).finally(() => {
        restarting = null;
      });
      return restarting;
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
    has_jobs: false,
    ready_at: Number.POSITIVE_INFINITY,
    ready: new Promise((resolve, reject) => {
      worker.on('message', (message: ToPrimary) => message.kind === 'ready' && resolve());
      worker.once('exit', () => reject(new Error('a worker ended before it served requests')));
    }),
    ended: new Promise((resolve) => worker.once('exit', () => resolve())),
  };
  state.members.set(worker.id, member);
  send(worker, { kind: 'start', connection: state.options.connection, is_first });
  worker.on('message', (message: ToPrimary) => receive(state, member, message));
  worker.once('exit', (code, signal) => replaceEnded(state, member, { code, signal, is_first }));
  member.ready.then(
    () => {
      member.is_ready = true;
      member.ready_at = performance.now();
      assignJobs(state);
    },
    () => {}, // reported by 'exit'
  );
  return member;
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
  const answer = (collected: MetricValues[]) => send(worker, { kind: 'metrics', id: message.id, collected });
  collecting.then(answer, () => answer([message.values]));
}

/** One worker at a time runs the background jobs. One that is stopping takes no more. */
function assignJobs({ members, is_stopping }: State): void {
  const running = [...members.values()].filter((member) => member.is_ready && !member.is_stopping);
  const [first] = running;
  if (is_stopping || !first || running.some(({ has_jobs }) => has_jobs)) return;
  first.has_jobs = true;
  send(first.worker, { kind: 'jobs' });
}

type End = { code: number | null; signal: string | null; is_first: boolean };

function replaceEnded(state: State, member: Member, { code, signal, is_first }: End): void {
  const { members, metrics, options } = state;
  members.delete(member.worker.id);
  metrics.retire(member.worker.id);
  assignJobs(state);
  const has_failed_to_start = is_first && !member.is_ready;
  if (state.is_stopping || member.is_stopping || has_failed_to_start) return;
  state.failures = performance.now() - member.ready_at > STABLE_AFTER_MS ? 0 : state.failures + 1;
  const delay_ms = state.failures === 0 ? 0 : Math.min(MAX_BACKOFF_MS, 250 * 2 ** state.failures);
  options.log.error({ pid: member.worker.process.pid, code, signal, delay_ms }, 'a worker ended and is replaced');
  setTimeout(() => {
    if (!state.is_stopping) fork(state);
  }, delay_ms);
}

async function replaceAll(state: State): Promise<void> {
  const { options, members } = state;
  options.log.info('the workers are replaced one by one');
  try {
    for (const old of [...members.values()]) {
      if (state.is_stopping) return;
      if (members.has(old.worker.id)) await replace(state, old);
    }
    options.log.info('all workers were replaced');
  } catch (error) {
    options.log.error({ err: error }, 'a new worker does not start: the old ones go on');
  }
}

async function replace(state: State, old: Member): Promise<void> {
  const next = fork(state);
  // If it fails, it is not replaced: the old one goes on.
  next.is_stopping = true;
  await next.ready;
  next.is_stopping = false;
  if (state.is_stopping) return;
  old.is_stopping = true;
  assignJobs(state);
  send(old.worker, { kind: 'replace' });
  await old.ended;
}

async function stopAll(state: State, signal: NodeJS.Signals): Promise<void> {
  const { members, options } = state;
  state.is_stopping = true;
  const all = [...members.values()];
  for (const { worker } of all) worker.process.kill(signal);
  const { drain_ms, timeout_ms } = options.stop;
  const timeout = sleep(drain_ms + timeout_ms + STOP_MARGIN_MS, undefined, { ref: false });
  await Promise.race([Promise.all(all.map(({ ended }) => ended)), timeout]);
  for (const { worker } of members.values()) worker.process.kill('SIGKILL');
}

function send(worker: Worker, message: ToWorker): void {
  // A worker that has just ended does not get it; its 'exit' follows.
  if (worker.isConnected()) worker.send(message, () => {});
}
