// Stops the process when it is told to: not ready, then draining, then the requests in progress, then jobs and database.

import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep, setImmediate as tick } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Server } from './api/route.ts';
import type { Config } from './config.ts';

type Running = {
  server: Server;
  log: Logger;
  limits: Config['stop'];
  /** Ends everything but the server. */
  close(): Promise<void>;
};

/** A person at a terminal waits: new requests are refused at once, and those in progress have not long. */
const INTERRUPT_TIMEOUT_MS = 10_000;
/** An embedded PostgreSQL that does not stop is killed before that. */
const CLOSE_WITHIN_MS = 20_000;
const EMPTY_BACKLOG_WITHIN_MS = 500;
const CLOSE_IDLE_EVERY_MS = 50;
const HEADERS_WITHIN_MS = 1_000;

/** Once, however often the signal comes. */
export function stopOnSignal(running: Running): void {
  let isStopping = false;
  const once = (signal: NodeJS.Signals) => {
    if (isStopping) return;
    isStopping = true;
    stop(running, signal).catch((error: unknown) => {
      running.log.fatal({ err: error }, 'the stop failed');
      process.exit(1);
    });
  };
  process.on('SIGTERM', once);
  process.on('SIGINT', once);
}

async function stop({ server, log, limits, close }: Running, signal: NodeJS.Signals): Promise<void> {
  const isInterrupt = signal === 'SIGINT';
  const drain_ms = isInterrupt ? 0 : limits.drain_ms;
  const timeout_ms = isInterrupt ? Math.min(limits.timeout_ms, INTERRUPT_TIMEOUT_MS) : limits.timeout_ms;
  log.info({ signal, drain_ms, timeout_ms }, 'stopping: not ready any more');
  // Every answer now closes its connection, so that no client sends a request on one that is about to be closed.
  server.is_stopping = true;
  await sleep(drain_ms);
  await finishRequests(server, log, timeout_ms);
  setTimeout(() => {
    log.warn({ waited_ms: CLOSE_WITHIN_MS }, 'the database does not close; it is left as it is');
    process.exit(0);
  }, CLOSE_WITHIN_MS).unref();
  await close();
  log.info('stopped');
  process.exit(0);
}

/** Accepts no more connections, and waits until the last answer is out. */
async function finishRequests(server: Server, log: Logger, timeout_ms: number): Promise<void> {
  const http = server.server;
  // A connection on which no request comes is closed, idle or new.
  http.headersTimeout = HEADERS_WITHIN_MS;
  const idle = setInterval(() => http.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
  // What a request that is broken off would have changed is not acknowledged yet.
  const limit = setTimeout(() => {
    log.warn({ waited_ms: timeout_ms }, 'requests that do not end are broken off');
    http.closeAllConnections();
  }, timeout_ms);
  await closeListener(http);
  clearInterval(idle);
  clearTimeout(limit);
  await server.close();
}

/**
 * Resolves when all connections are closed. With the listening socket, the kernel resets the connections that it has
 * established and nobody has accepted yet. So new ones are accepted, but not read, until a turn of the event loop finds
 * none: a client that waits for an answer opens no other. They are read when the listening socket is closed.
 */
async function closeListener(http: Server['server']): Promise<void> {
  const held: Socket[] = [];
  const hold = (socket: Socket) => {
    held.push(socket);
    // node:http has just begun to read; that begins in the next tick, before any byte comes.
    process.nextTick(() => socket.pause());
  };
  http.on('connection', hold);
  const deadline = performance.now() + EMPTY_BACKLOG_WITHIN_MS;
  let before: number;
  do {
    before = held.length;
    await tick();
  } while (held.length > before && performance.now() < deadline);
  // Not http.Server's own close(), which would also end the check of headersTimeout.
  const closed = new Promise<void>((done) => NetServer.prototype.close.call(http, () => done()));
  http.off('connection', hold);
  for (const socket of held) socket.resume();
  await closed;
}
