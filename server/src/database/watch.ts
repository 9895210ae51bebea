// A dedicated connection that receives notifications, reads the database's clock, and detects within 1.5 s that the database is
// unavailable.

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Clock, createClock } from './clock.ts';
import { type Connection, clientConfig, createSockets, type Sockets } from './connection.ts';

export const CHANGES_CHANNEL = 'toolgate_changes';
export const JOBS_CHANNEL = 'toolgate_jobs';
const PING_EVERY_MS = 300;
const PING_TIMEOUT_MS = 1200;
const LATE_TIMER_MS = 100;
const RETRY_AFTER_MS = 200;

export type Watch = {
  isUp(): boolean;
  /** Epoch milliseconds by the database's clock: one clock for all replicas. */
  now(): number;
  stop(): Promise<void>;
};

export type WatchEvents = {
  /** A project changed on some replica. */
  onChange(project_id: string): void;
  /** Jobs were enqueued on some replica. */
  onJobs(): void;
  /** Connected (again): notifications may have been lost before, so cached data may be stale. */
  onUp(): void;
  onDown(error: unknown): void;
};

/** Resolves once the database is up; watches until stopped. */
export async function watchDatabase(connection: Connection, events: WatchEvents): Promise<Watch> {
  const stopping = new AbortController();
  const state = { up: false, clock: createClock(), sockets: createSockets() };
  const first = await connect(connection, events, state);
  events.onUp();
  const watching = watchUntil(stopping.signal, first, connection, events, state);
  return {
    isUp: () => state.up,
    now: state.clock.now,
    async stop() {
      stopping.abort();
      await watching;
    },
  };
}

type State = { up: boolean; clock: Clock; sockets: Sockets };

async function watchUntil(
  stopping: AbortSignal,
  first: pg.Client,
  connection: Connection,
  events: WatchEvents,
  state: State,
) {
  let client: pg.Client | null = first;
  while (!stopping.aborted) {
    try {
      if (!client) {
        client = await connect(connection, events, state);
        events.onUp();
      }
      await pingUntilLost(client, stopping, state);
    } catch (error) {
      state.sockets.destroyAll();
      client = null;
      if (state.up) {
        state.up = false;
        events.onDown(error);
      }
      await sleep(RETRY_AFTER_MS, undefined, { signal: stopping }).catch(() => {});
    }
  }
  await client?.end().catch(() => {});
}

async function connect(connection: Connection, events: WatchEvents, state: State): Promise<pg.Client> {
  const client = new pg.Client(clientConfig(connection, state.sockets));
  client.on('error', () => {}); // the next ping fails
  client.on('notification', ({ channel, payload }) =>
    channel === JOBS_CHANNEL ? events.onJobs() : events.onChange(payload ?? ''),
  );
  try {
    await client.connect();
    await client.query(`listen ${CHANGES_CHANNEL}; listen ${JOBS_CHANNEL}`);
    await ping(client, state);
  } catch (error) {
    state.sockets.destroyAll();
    throw error;
  }
  state.up = true;
  return client;
}

async function pingUntilLost(client: pg.Client, stopping: AbortSignal, state: State): Promise<void> {
  const lost = new AbortController();
  client.once('end', () => lost.abort());
  const stop = AbortSignal.any([stopping, lost.signal]);
  while (!stopping.aborted) {
    await sleep(PING_EVERY_MS, undefined, { signal: stop }).catch(() => {});
    if (stopping.aborted) return;
    await ping(client, state);
  }
}

async function ping(client: pg.Client, state: State): Promise<void> {
  const timer = startResponseTimer(PING_TIMEOUT_MS, () => state.sockets.destroyAll());
  try {
    const sent = performance.now();
    const { rows } = await client.query<{ ms: number }>(
      'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
    );
    if (rows[0]) state.clock.sync(rows[0].ms, sent, performance.now());
  } finally {
    timer.cancel();
  }
}

/**
 * Calls `onTimeout` unless cancelled in time. A timer that fires late means that this process was blocked: the response may be
 * unread in the socket, so the timer starts again.
 */
export function startResponseTimer(ms: number, onTimeout: () => void): { cancel(): void } {
  let due = performance.now() + ms;
  let timer = setTimeout(check, ms);
  function check(): void {
    const now = performance.now();
    if (now - due < LATE_TIMER_MS) onTimeout();
    else {
      due = now + ms;
      timer = setTimeout(check, ms);
    }
  }
  return { cancel: () => clearTimeout(timer) };
}
