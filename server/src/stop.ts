// Stops the process on a signal: not ready, then draining, then the requests in progress, then jobs and database.

import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextIteration, setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Server } from './api/route.ts';
import type { Config } from './config.ts';

type Running = {
  server: Server;
  log: Logger;
  limits: Config['stop'];
  /** Closes everything except the server. */
  close(): Promise<void>;
};

/** A person at a terminal waits: new requests are refused at once, and requests in progress get less time. */
const INTERRUPT_TIMEOUT_MS = 10_000;
/** Longer than the time after which an embedded PostgreSQL is killed. */
const CLOSE_WITHIN_MS = 20_000;
const EMPTY_BACKLOG_WITHIN_MS = 500;
const CLOSE_IDLE_EVERY_MS = 50;
const HEADERS_WITHIN_MS = 1_000;

export type Signals = {
  /** The first one that arrived. */
  received(): NodeJS.Signals | null;
  /** Calls the listener with the first signal, also when it arrived before. */
  listen(listener: (signal: NodeJS.Signals) => void): void;
};

/** To be called first: a signal during the start must not end the process before it has stopped an embedded PostgreSQL. */
export function catchSignals(names: NodeJS.Signals[]): Signals {
  let received: NodeJS.Signals | null = null;
  let listener = (_signal: NodeJS.Signals) => {};
  const once = (signal: NodeJS.Signals) => {
    // Repeated signals are ignored.
    if (received !== null) return;
    received = signal;
    listener(signal);
  };
  for (const name of names) process.on(name, once);
  return {
    received: () => received,
    listen(given) {
      listener = given;
      if (received !== null) given(received);
    },
  };
}

type Reason = NodeJS.Signals | 'replaced';

/** Returns a function that stops this process because another one takes over. */
export function stopOnSignal(running: Running, signals: Signals): { replace(): void } {
  let isStopping = false;
  const once = (reason: Reason) => {
    if (isStopping) return;
    isStopping = true;
    stop(running, reason).catch((error: unknown) => {
      running.log.fatal({ err: error }, 'the stop failed');
      process.exit(1);
    });
  };
  signals.listen(once);
  return { replace: () => once('replaced') };
}

async function stop({ server, log, limits, close }: Running, reason: Reason): Promise<void> {
  const isInterrupt = reason === 'SIGINT';
  const drain_ms = isInterrupt ? 0 : limits.drain_ms;
  const timeout_ms = isInterrupt ? Math.min(limits.timeout_ms, INTERRUPT_TIMEOUT_MS) : limits.timeout_ms;
  // Every response now closes its connection, so that no client sends a request on a connection that is about to be closed.
  server.is_stopping = true;
  if (reason === 'replaced') {
    log.info({ drain_ms, timeout_ms }, 'stopping: another worker takes over');
    server.is_replaced = true;
    await finishRequests(server, log, { timeout_ms, idle_ms: drain_ms });
  } else {
    log.info({ signal: reason, drain_ms, timeout_ms }, 'stopping: /readyz now returns 503');
    await sleep(drain_ms);
    await finishRequests(server, log, { timeout_ms, idle_ms: 0 });
  }
  setTimeout(() => {
    log.warn({ waited_ms: CLOSE_WITHIN_MS }, 'the database does not close; exiting without it');
    process.exit(0);
  }, CLOSE_WITHIN_MS).unref();
  await close();
  log.info('stopped');
  process.exit(0);
}

type FinishLimits = {
  timeout_ms: number;
  /** How long an idle connection may still send a request. */
  idle_ms: number;
};

/** Accepts no more connections, and waits until the last response is sent. */
async function finishRequests(server: Server, log: Logger, { timeout_ms, idle_ms }: FinishLimits): Promise<void> {
  const http = server.server;
  const closeIdle = setTimeout(() => {
    // Connections without a request are closed, idle or new.
    http.headersTimeout = HEADERS_WITHIN_MS;
    // Immediates run right after reading: at a timer, a connection that looks idle may have a request that was not read yet.
    idle = setInterval(() => setImmediate(() => http.closeIdleConnections()), CLOSE_IDLE_EVERY_MS);
  }, idle_ms);
  let idle: NodeJS.Timeout | undefined;
  // An aborted request was not acknowledged, so its client knows that its effect is uncertain.
  const limit = setTimeout(() => {
    log.warn({ waited_ms: timeout_ms }, 'requests in progress are aborted');
    http.closeAllConnections();
  }, idle_ms + timeout_ms);
  await closeListener(http);
  for (const timer of [closeIdle, idle, limit]) clearTimeout(timer);
  await server.close();
}

/**
 * Resolves when all connections are closed. Closing the listening socket makes the kernel reset connections in its backlog. So
 * new connections are accepted, but not read, until an iteration of the event loop finds none, and are read after the
 * listening socket is closed.
 */
async function closeListener(http: Server['server']): Promise<void> {
  const held: Socket[] = [];
  const hold = (socket: Socket) => {
    held.push(socket);
    // node:http starts to read in the next tick, before any byte arrives: pause it there.
    process.nextTick(() => socket.pause());
  };
  http.on('connection', hold);
  const deadline = performance.now() + EMPTY_BACKLOG_WITHIN_MS;
  let before: number;
  do {
    before = held.length;
    await nextIteration();
  } while (held.length > before && performance.now() < deadline);
  // Not the close() of http.Server, which would also stop the check of headersTimeout.
  const closed = new Promise<void>((done) => NetServer.prototype.close.call(http, () => done()));
  http.off('connection', hold);
  for (const socket of held) socket.resume();
  await closed;
}
