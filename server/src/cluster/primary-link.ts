// A worker's connection to its primary process.

import cluster from 'node:cluster';
import type { MetricValues } from '../metrics/metrics.ts';
import type { ToPrimary, ToWorker } from './messages.ts';

type Start = Extract<ToWorker, { kind: 'start' }>;

export type PrimaryLink = {
  start: Start;
  /** Tells the primary that this worker serves requests. */
  sendReady(): void;
  onJobs(listener: () => void): void;
  onReplace(listener: () => void): void;
  /** Sets how the primary gets the metrics of this worker. */
  setCollector(collect: () => Promise<MetricValues>): void;
  /** Returns the metrics of all workers, and of those that ended. */
  collectAll(): Promise<MetricValues[]>;
  /** Before this worker ends. */
  sendFinal(): Promise<void>;
};

/** Null in a process that is no worker. Resolves with the first message of the primary. */
export async function findPrimary(): Promise<PrimaryLink | null> {
  if (!cluster.isWorker) return null;
  // The primary replaces its workers on SIGHUP. Sent to the whole process group, it must not end them.
  process.on('SIGHUP', () => {});
  // Messages may come before somebody listens for them.
  const received = { jobs: false, replace: false };
  const listeners = { jobs: () => {}, replace: () => {} };
  const waiting = new Map<number, (collected: MetricValues[]) => void>();
  let collect = async (): Promise<MetricValues> => [];
  let last_id = 0;

  const start = await new Promise<Start>((started) =>
    process.on('message', (message: ToWorker) => {
      if (message.kind === 'start') started(message);
      else if (message.kind === 'metrics') waiting.get(message.id)?.(message.collected);
      else if (message.kind === 'collect')
        sendCollected(message.id).catch(() => {}); // the primary waits no longer than a second
      else {
        received[message.kind] = true;
        listeners[message.kind]();
      }
    }),
  );

  async function sendCollected(id: number): Promise<void> {
    send({ kind: 'collected', id, values: await collect() });
  }

  const listenTo = (kind: 'jobs' | 'replace') => (listener: () => void) => {
    listeners[kind] = listener;
    if (received[kind]) listener();
  };

  return {
    start,
    sendReady: () => send({ kind: 'ready' }),
    onJobs: listenTo('jobs'),
    onReplace: listenTo('replace'),
    setCollector(collector) {
      collect = collector;
    },
    async collectAll() {
      const values = await collect();
      last_id += 1;
      const id = last_id;
      const collected = new Promise<MetricValues[]>((done) => waiting.set(id, done));
      send({ kind: 'metrics', id, values });
      return collected.finally(() => waiting.delete(id));
    },
    async sendFinal() {
      const values = await collect();
      await new Promise<void>((sent) => send({ kind: 'final', values }, sent));
    },
  };
}

/** A primary that has ended does not read it; this process ends then too. */
function send(message: ToPrimary, sent: () => void = () => {}): void {
  if (process.connected) process.send?.(message, undefined, {}, () => sent());
  else sent();
}
