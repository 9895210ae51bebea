// A dedicated connection that receives notifications, reads the database's clock, and detects within 2 s that the database is
// unavailable, or takes no writes any more. Its last response says until when all notifications have arrived. It is never on another
// server than the one that requests write to: their changes would not be known here.

import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, createClock } from './clock.ts';
import type { Connection } from './connection.ts';
import { connectToPrimary, type Primary, RESPONSE_TIMEOUT_MS } from './primary.ts';
import { startResponseTimer } from './response-timer.ts';
import { isWrongServer, otherServer, readOnly, SERVER_STATE, type ServerState } from './server-state.ts';
import { setForSession } from './session-settings.ts';
import type { Sockets } from './sockets.ts';
import { createWriter, type Writer } from './writer.ts';

export const CHANGES_CHANNEL = 'toolgate_changes';
export const JOBS_CHANNEL = 'toolgate_jobs';
const PING_EVERY_MS = 250;
const RETRY_AFTER_MS = 200;
/** A broken connection that is replaced within this time was lost alone: the database is up. */
const RECONNECT_WITHIN_MS = 500;

export type Watch = {
  isUp(): boolean;
  /** When the database last responded, by the monotonic clock. */
  respondedAt(): number;
  /** Epoch milliseconds by the database's clock: one clock for all replicas. */
  now(): number;
  /** Another connection has led to another server, or to one that takes no writes. */
  suspect(): void;
  stop(): Promise<void>;
};

export type WatchEvents = {
  /** A project changed on some replica. */
  onChange(project_id: string): void;
  /** Jobs of this kind were enqueued on some replica. */
  onJobs(kind: string): void;
  /** Connected (again): notifications may have been lost before, so cached data may be stale. */
  onUp(server: string): void;
  /** All notifications that were sent before this moment of the monotonic clock have arrived. */
  onCurrent(moment: number): void;
  /** The connection was lost, and with it maybe notifications. */
  onLost(): void;
  /** No response in time, no new connection, or no writes: other connections may hang, or lead to a server that has lost its role. */
  onDown(error: unknown): void;
};

/** `direct` receives notifications; `connection` is that of requests, which may be the same. */
export type Watched = { direct: Connection; connection: Connection };

/** Resolves once the database is up; watches until stopped. */
export async function watchDatabase({ direct, connection }: Watched, events: WatchEvents): Promise<Watch> {
  const stopping = new AbortController();
  const state: State = {
    up: false,
    responded_at: performance.now(),
    is_timeout: false,
    clock: createClock(),
    suspicion: new AbortController(),
    writer: connection === direct ? null : createWriter(connection),
    writer_error: null,
    is_checking: false,
  };
  const first = await connect(direct, events, state);
  const watching = watchUntil(stopping.signal, first, direct, events, state);
  return {
    isUp: () => state.up,
    respondedAt: () => state.responded_at,
    now: state.clock.now,
    suspect: () => state.suspicion.abort(),
    async stop() {
      stopping.abort();
      await watching;
      state.writer?.close();
    },
  };
}

type State = {
  up: boolean;
  responded_at: number;
  is_timeout: boolean;
  clock: Clock;
  suspicion: AbortController;
  /** Null: requests use the same URL. */
  writer: Writer | null;
  writer_error: unknown;
  is_checking: boolean;
};

async function watchUntil(
  stopping: AbortSignal,
  first: Primary,
  direct: Connection,
  events: WatchEvents,
  state: State,
) {
  let primary: Primary | null = first;
  let timer: NodeJS.Timeout | undefined;
  const down = (error: unknown) => {
    clearTimeout(timer);
    if (!state.up) return;
    state.up = false;
    events.onDown(error);
  };
  while (!stopping.aborted) {
    try {
      primary ??= await connect(direct, events, state);
      clearTimeout(timer);
      await pingUntilLost(primary, stopping, state, events);
    } catch (error) {
      primary?.sockets.destroyAll();
      const had_connection = primary !== null;
      const was_broken = had_connection && !state.is_timeout && !isWrongServer(error) && error !== state.writer_error;
      if (had_connection) events.onLost();
      primary = null;
      if (was_broken) timer = setTimeout(() => down(error), RECONNECT_WITHIN_MS);
      else down(error);
      // Where new connections lead to is tried at once.
      if (!had_connection) await sleep(RETRY_AFTER_MS, undefined, { signal: stopping }).catch(() => {});
    }
  }
  clearTimeout(timer);
  await primary?.client.end().catch(() => {});
}

async function connect(direct: Connection, events: WatchEvents, state: State): Promise<Primary> {
  const primary = await connectToPrimary(direct);
  const { client, server, sockets } = primary;
  client.on('notification', ({ channel, payload }) =>
    channel === JOBS_CHANNEL ? events.onJobs(payload ?? '') : events.onChange(payload ?? ''),
  );
  state.suspicion = new AbortController();
  state.writer_error = null;
  // Where new connections lead to decides: an open one may be on the server that was left.
  state.writer?.close();
  try {
    await inTime(state, sockets, () => setForSession(client));
    await inTime(state, sockets, () => client.query(`listen ${CHANGES_CHANNEL}; listen ${JOBS_CHANNEL}`));
    await state.writer?.check(server);
    events.onUp(server);
    await ping(primary, state, events);
  } catch (error) {
    sockets.destroyAll();
    throw error;
  }
  state.up = true;
  return primary;
}

async function pingUntilLost(
  primary: Primary,
  stopping: AbortSignal,
  state: State,
  events: WatchEvents,
): Promise<void> {
  const lost = new AbortController();
  primary.client.once('end', () => lost.abort());
  const stop = AbortSignal.any([stopping, lost.signal, state.suspicion.signal]);
  while (!stopping.aborted) {
    await sleep(PING_EVERY_MS, undefined, { signal: stop }).catch(() => {});
    if (stopping.aborted) return;
    if (state.suspicion.signal.aborted) throw otherServer();
    if (state.writer_error !== null) throw state.writer_error;
    checkWriter(primary.server, state);
    await ping(primary, state, events);
  }
}

/** The ping does not wait for it: behind a busy pooler it takes longer. */
function checkWriter(server: string, state: State): void {
  if (state.writer === null || state.is_checking) return;
  state.is_checking = true;
  state.writer
    .check(server)
    .catch((error: unknown) => {
      state.writer_error = error;
    })
    .finally(() => {
      state.is_checking = false;
    });
}

const PING = `select extract(epoch from clock_timestamp())::float8 * 1000 as ms, ${SERVER_STATE}`;

async function ping({ client, sockets }: Primary, state: State, events: WatchEvents): Promise<void> {
  const sent = performance.now();
  const { rows } = await inTime(state, sockets, () => client.query<ServerState & { ms: number }>(PING));
  state.responded_at = performance.now();
  const [row] = rows as [ServerState & { ms: number }];
  if (row.is_read_only) throw readOnly();
  state.clock.sync(row.ms, sent, state.responded_at);
  events.onCurrent(sent);
}

/** Makes the query fail when there is no response in time: a half-open connection reports nothing by itself. */
async function inTime<T>(state: State, sockets: Sockets, query: () => Promise<T>): Promise<T> {
  state.is_timeout = false;
  const timer = startResponseTimer(RESPONSE_TIMEOUT_MS, () => {
    state.is_timeout = true;
    sockets.destroyAll();
  });
  try {
    return await query();
  } finally {
    timer.cancel();
  }
}
