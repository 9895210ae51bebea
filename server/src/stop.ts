// Stops the process on a signal: not ready, then draining, then the requests in progress, then jobs and database.

import cluster from 'node:cluster';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Server } from './api/route.ts';
import type { Config } from './config/config.ts';

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
const QUIET_WITHIN_MS = 2_000;
/**
 * After this time without a new connection, clients that wait for a response before they connect again are all held. A worker gets
 * its connections from the primary process, one after the other: those that wait there would be reset.
 */
const NO_CONNECTION_FOR_MS = cluster.isWorker ? 300 : 100;
/** An iteration of the event loop that took no longer did nothing. */
const QUIET_MS = 0.2;
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
  const open = listConnections(running.server.server);
  let isStopping = false;
  const once = (reason: Reason) => {
    if (isStopping) return;
    isStopping = true;
    stop({ ...running, open }, reason).catch((error: unknown) => {
      running.log.fatal({ err: error }, 'the stop failed');
      process.exit(1);
    });
  };
  signals.listen(once);
  return { replace: () => once('replaced') };
}

/** Those that are open now, at any time. */
function listConnections(http: Server['server']): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  http.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return open;
}

type Open = { open: ReadonlySet<Socket> };

async function stop({ server, log, limits, open, close }: Running & Open, reason: Reason): Promise<void> {
  const isInterrupt = reason === 'SIGINT';
  const drain_ms = isInterrupt ? 0 : limits.drain_ms;
  const timeout_ms = isInterrupt ? Math.min(limits.timeout_ms, INTERRUPT_TIMEOUT_MS) : limits.timeout_ms;
  // Every response now closes its connection, so that no client sends a request on a connection that is about to be closed.
  server.is_stopping = true;
  if (reason === 'replaced') {
    log.info({ drain_ms, timeout_ms }, 'stopping: another worker takes over');
    server.is_replaced = true;
    await finishRequests(server, log, { open, timeout_ms, idle_ms: drain_ms });
  } else {
    log.info({ signal: reason, drain_ms, timeout_ms }, 'stopping: /readyz now returns 503');
    await sleep(drain_ms);
    // A client that keeps a connection uses it without a question: it may do so for as long again, and is then told to close it.
    await finishRequests(server, log, { open, timeout_ms, idle_ms: Math.min(drain_ms, timeout_ms / 2) });
  }
  setTimeout(() => {
    log.warn({ waited_ms: CLOSE_WITHIN_MS }, 'the database does not close; exiting without it');
    process.exit(0);
  }, CLOSE_WITHIN_MS).unref();
  await close();
  log.info('stopped');
  process.exit(0);
}

type FinishLimits = Open & {
  timeout_ms: number;
  /** How long an idle connection may still send a request. */
  idle_ms: number;
};

/** Accepts no more connections, and waits until the last response is sent. */
async function finishRequests(server: Server, log: Logger, { open, timeout_ms, idle_ms }: FinishLimits): Promise<void> {
  const http = server.server;
  const over = new AbortController();
  // An aborted request was not acknowledged, so its client knows that its effect is uncertain.
  const limit = setTimeout(() => {
    log.warn({ waited_ms: timeout_ms }, 'requests in progress are aborted');
    http.closeAllConnections();
  }, timeout_ms);
  const closingIdle = closeIdle(http, { open, idle_ms }, over.signal);
  await closeListener(http);
  over.abort();
  clearTimeout(limit);
  await closingIdle;
  await server.close();
}

/**
 * After `idle_ms` connections without a request are closed, idle or new. Not while a client is slow to read its response: node:http
 * counts a connection as idle when its response has ended, and closing it discards what was not sent yet.
 */
async function closeIdle(
  http: Server['server'],
  { open, idle_ms }: Omit<FinishLimits, 'timeout_ms'>,
  over: AbortSignal,
): Promise<void> {
  await sleep(idle_ms, undefined, { signal: over }).catch(() => {});
  http.headersTimeout = HEADERS_WITHIN_MS;
  while (!over.aborted) {
    const deadline = performance.now() + QUIET_WITHIN_MS;
    await new Promise<void>((done) =>
      whenQuiet(
        () => true,
        deadline,
        () => {
          if (!isSending(open)) http.closeIdleConnections();
          done();
        },
      ),
    );
    await sleep(CLOSE_IDLE_EVERY_MS, undefined, { signal: over }).catch(() => {});
  }
}

const isSending = (open: ReadonlySet<Socket>) => [...open].some(({ writableLength }) => writableLength > 0);

/**
 * Resolves when all connections are closed. Closing the listening socket makes the kernel reset connections in its backlog. So
 * new connections are accepted, but not read, until none came for a while, and are read after the listening socket is closed.
 */
async function closeListener(http: Server['server']): Promise<void> {
  const held: Socket[] = [];
  let held_at = performance.now();
  const hold = (socket: Socket) => {
    held.push(socket);
    held_at = performance.now();
    // node:http starts to read in the next tick, before any byte arrives: pause it there.
    process.nextTick(() => socket.pause());
  };
  http.on('connection', hold);
  // Not the close() of http.Server, which would also stop the check of headersTimeout.
  const { close } = NetServer.prototype;
  // Compiles it: that takes long enough for a connection to arrive.
  close.call(new NetServer(), () => {});
  const closed = new Promise<void>((done) => {
    const isReady = (now: number) => now - held_at >= NO_CONNECTION_FOR_MS;
    whenQuiet(isReady, performance.now() + QUIET_WITHIN_MS, () => {
      close.call(http, () => done());
      http.off('connection', hold);
      const release = () => {
        for (const socket of held) socket.resume();
      };
      // Not before the other workers have closed theirs: whoever gets a response may connect again.
      if (cluster.isWorker) setTimeout(release, NO_CONNECTION_FOR_MS);
      else release();
    });
  });
  await closed;
}

/**
 * Calls `act` right after an iteration of the event loop that did nothing, once `isReady`; at the deadline in any case. In such a
 * moment everything that has arrived was accepted and read. After an iteration that ran a request that is not so: the loop
 * looks for connections and bytes before it runs what it found, and accepts one connection at a time.
 */
function whenQuiet(isReady: (now: number) => boolean, deadline: number, act: () => void): void {
  let began_at = 0;
  const begin = () => {
    began_at = performance.now();
    setImmediate(check);
  };
  const check = () => {
    const now = performance.now();
    if ((now - began_at < QUIET_MS && isReady(now)) || now > deadline) act();
    // A process that does not give up the CPU is more likely to lose it right here.
    else setTimeout(begin, 1);
  };
  begin();
}
