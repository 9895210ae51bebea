// A TCP proxy to the test database that can be cut (connections break, new ones are refused), frozen (no data passes) or left
// half-open (no data passes on the open connections, new ones work).

import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { after } from 'node:test';
import { freePort } from './free-port.ts';

export type DatabaseProxy = {
  /** The URL of the database through the proxy. */
  url: string;
  cut(): Promise<void>;
  freeze(): void;
  leaveHalfOpen(): void;
  restore(): Promise<void>;
};

export async function startDatabaseProxy(database_url: string): Promise<DatabaseProxy> {
  const target = readTarget(database_url);
  const port = await freePort();
  const sockets = new Set<Socket>();
  const silent = new WeakSet<Socket>();
  let frozen = false;
  let server: Server | undefined;

  function forward(from: Socket, to: Socket): void {
    sockets.add(from);
    from.on('data', (data) => frozen || silent.has(from) || to.write(data));
    from.on('error', () => {}); // followed by 'close'
    from.on('close', () => {
      sockets.delete(from);
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
  after(cut);
  return {
    url: database_url.replace(/@[^/]*\//, `@127.0.0.1:${port}/`).replace(/\?.*/, ''),
    cut,
    freeze() {
      frozen = true;
    },
    leaveHalfOpen() {
      for (const socket of sockets) silent.add(socket);
    },
    restore,
  };
}

function readTarget(database_url: string) {
  const { hostname, port, searchParams } = new URL(database_url.replace('@/', '@localhost/'));
  const folder = searchParams.get('host');
  if (folder?.startsWith('/')) return { path: `${folder}/.s.PGSQL.${searchParams.get('port') ?? 5432}` };
  return { host: hostname, port: Number(port || 5432) };
}
