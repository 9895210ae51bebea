// A dedicated connection that receives notifications, reads the database's clock, and detects within 2 s that the database is
// unavailable. Its last response says until when all notifications have arrived.

import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Clock, createClock } from './clock.ts';
import { type Connection, connectClient, createSockets, type Sockets } from './connection.ts';
import { setForSession } from './session-settings.ts';

export const CHANGES_CHANNEL = 'toolgate_changes';
export const JOBS_CHANNEL = 'toolgate_jobs';
const PING_EVERY_MS = 250;
const RESPONSE_TIMEOUT_MS = 1000;
const LATE_TIMER_MS = 100;
const MORE_TIME_MS = 300;
const RETRY_AFTER_MS = 200;
/** A broken connection that is replaced within this time was lost alone: the database is up. */
const RECONNECT_WITHIN_MS = 500;

export type Watch = {
  isUp(): boolean;
  /** When the database last responded, by the monotonic clock. */
  respondedAt(): number;
  /** Epoch milliseconds by the database's clock: one clock for all replicas. */
  now(): number;
  stop(): Promise<void>;
};

export type WatchEvents = {
  /** A project changed on some replica. */
  onChange(project_id: string): void;
  /** Jobs of this kind were enqueued on some replica. */
  onJobs(kind: string): void;
  /** Connected (again): notifications may have been lost before, so cached data may be stale. */
  onUp(): void;
  /** All notifications that were sent before this moment of the monotonic clock have arrived. */
  onCurrent(moment: number): void;
  /** The connection was lost, and with it maybe notifications. */
  onLost(): void;
  /** No response in time, or no new connection: other connections may hang too. */
  onDown(error: unknown): void;
};

/** Resolves once the database is up; watches until stopped. */
export async function watchDatabase(connection: Connection, events: WatchEvents): Promise<Watch> {
  const stopping = new AbortController();
  const state = {
    up: false,
    responded_at: performance.now(),
    is_timeout: false,
    clock: createClock(),
    sockets: createSockets(),
  };
  const first = await connect(connection, events, state);
  const watching = watchUntil(stopping.signal, first, connection, events, state);
  return {
    isUp: () => state.up,
    respondedAt: () => state.responded_at,
    now: state.clock.now,
    async stop() {
      stopping.abort();
      await watching;
    },
  };
}

type State = { up: boolean; responded_at: number; is_timeout: boolean; clock: Clock; sockets: Sockets };

async function watchUntil(
  stopping: AbortSignal,
  first: pg.Client,
  connection: Connection,
  events: WatchEvents,
  state: State,
) {
  let client: pg.Client | null = first;
  let timer: NodeJS.Timeout | undefined;
  const down = (error: unknown) => {
    clearTimeout(timer);
    if (!state.up) return;
    state.up = false;
    events.onDown(error);
  };
  while (!stopping.aborted) {
    try {
      client ??= await connect(connection, events, state);
      clearTimeout(timer);
      await pingUntilLost(client, stopping, state, events);
    } catch (error) {
      state.sockets.destroyAll();
      const was_broken = client !== null && !state.is_timeout;
      if (client) events.onLost();
      client = null;
      if (was_broken) {
        timer = setTimeout(() => down(error), RECONNECT_WITHIN_MS);
      } else {
        down(error);
        await sleep(RETRY_AFTER_MS, undefined, { signal: stopping }).catch(() => {});
      }
    }
  }
  clearTimeout(timer);
  await client?.end().catch(() => {});
}

async function connect(connection: Connection, events: WatchEvents, state: State): Promise<pg.Client> {
  const client = await connectClient(connection, { sockets: state.sockets, is_unknown: true });
  client.on('notification', ({ channel, payload }) =>
    channel === JOBS_CHANNEL ? events.onJobs(payload ?? '') : events.onChange(payload ?? ''),
  );
  try {
    await inTime(state, () => setForSession(client));
    await inTime(state, () => client.query(`listen ${CHANGES_CHANNEL}; listen ${JOBS_CHANNEL}`));
    events.onUp();
    await ping(client, state, events);
  } catch (error) {
    state.sockets.destroyAll();
    throw error;
  }
  state.up = true;
  return client;
}

async function pingUntilLost(
  client: pg.Client,
  stopping: AbortSignal,
  state: State,
  events: WatchEvents,
): Promise<void> {
  const lost = new AbortController();
  client.once('end', () => lost.abort());
  const stop = AbortSignal.any([stopping, lost.signal]);
  while (!stopping.aborted) {
    await sleep(PING_EVERY_MS, undefined, { signal: stop }).catch(() => {});
    if (stopping.aborted) return;
    await ping(client, state, events);
  }
}

async function ping(client: pg.Client, state: State, events: WatchEvents): Promise<void> {
  const sent = performance.now();
  const { rows } = await inTime(state, () =>
    client.query<{ ms: number }>('select extract(epoch from clock_timestamp())::float8 * 1000 as ms'),
  );
  state.responded_at = performance.now();
  if (rows[0]) state.clock.sync(rows[0].ms, sent, state.responded_at);
  events.onCurrent(sent);
}

/** Makes the query fail when there is no response in time: a half-open connection reports nothing by itself. */
async function inTime<T>(state: State, query: () => Promise<T>): Promise<T> {
  state.is_timeout = false;
  const timer = startResponseTimer(RESPONSE_TIMEOUT_MS, () => {
    state.is_timeout = true;
    state.sockets.destroyAll();
  });
  try {
    return await query();
  } finally {
    timer.cancel();
  }
}

/**
 * Calls `onTimeout` unless cancelled in time. A timer that fires late means that this process was blocked: the response may be
 * unread in the socket, so it gets a little more time. Not all of it: on a busy machine many timers are late, and requests wait.
 */
export function startResponseTimer(ms: number, onTimeout: () => void): { cancel(): void } {
  let due = performance.now() + ms;
  let timer = setTimeout(check, ms);
  function check(): void {
    const now = performance.now();
    if (now - due < LATE_TIMER_MS) onTimeout();
    else {
      const more_ms = Math.min(ms, MORE_TIME_MS);
      due = now + more_ms;
      timer = setTimeout(check, more_ms);
    }
  }
  return { cancel: () => clearTimeout(timer) };
}
