// A TCP proxy that can be cut (connections break, new ones are refused), frozen (no data passes) or left half-open (no data
// passes on the open connections, new ones work). The last two work for single connections too: those that sent a given text.

import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';
import { after } from 'node:test';
import { freePort } from '../servers/free-port.ts';

export type TcpProxy = {
  port: number;
  cut(): Promise<void>;
  freeze(): void;
  leaveHalfOpen(): void;
  restore(): Promise<void>;
  /** Breaks the connections that sent the marker. */
  cutMarked(): void;
  leaveMarkedHalfOpen(): void;
  /** Leaves the next connection that sends the marker half-open, from that packet on. */
  loseNextMarker(): void;
};

/** Cut after the tests. */
export async function startTcpProxy(target: NetConnectOpts, marker?: string): Promise<TcpProxy> {
  const proxy = await openTcpProxy(target, marker);
  after(proxy.cut);
  return proxy;
}

/** A connection is marked once one packet of its client has the marker. */
export async function openTcpProxy(target: NetConnectOpts, marker?: string): Promise<TcpProxy> {
  const port = await freePort();
  const sockets = new Set<Socket>();
  const silent = new WeakSet<Socket>();
  const marked = new Set<Socket>();
  let frozen = false;
  let loses_marker = false;
  let server: Server | undefined;

  function forward(from: Socket, to: Socket): void {
    sockets.add(from);
    from.on('data', (data) => {
      if (marker !== undefined && data.includes(marker)) {
        for (const socket of [from, to]) {
          marked.add(socket);
          if (loses_marker) silent.add(socket);
        }
        loses_marker = false;
      }
      if (!frozen && !silent.has(from)) to.write(data);
    });
    from.on('error', () => {}); // followed by 'close'
    from.on('close', () => {
      sockets.delete(from);
      marked.delete(from);
      // A frozen proxy does not close the other side either.
      if (!frozen && !silent.has(from)) to.destroy();
    });
  }

  async function restore(): Promise<void> {
    // Lost data is not sent later: open connections break, as after a real failure.
    for (const socket of sockets) if (frozen || silent.has(socket)) socket.destroy();
    frozen = false;
    if (server?.listening) return;
    server = createServer((client) => {
      const upstream = connect(target);
      forward(client, upstream);
      forward(upstream, client);
    }).listen(port, '127.0.0.1');
    await once(server, 'listening');
  }

  async function cut(): Promise<void> {
    server?.close();
    for (const socket of sockets) socket.destroy();
    if (server?.listening) await once(server, 'close');
  }

  await restore();
  return {
    port,
    cut,
    freeze() {
      frozen = true;
    },
    leaveHalfOpen() {
      for (const socket of sockets) silent.add(socket);
    },
    restore,
    cutMarked() {
      for (const socket of marked) socket.destroy();
    },
    leaveMarkedHalfOpen() {
      for (const socket of marked) silent.add(socket);
    },
    loseNextMarker() {
      loses_marker = true;
    },
  };
}
