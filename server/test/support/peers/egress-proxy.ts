// A proxy on 127.0.0.1 that supports CONNECT: it notes what it is asked for, and connects, refuses or misbehaves, as a test defines.

import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { listenOnFreePort } from '../servers/free-port.ts';
import { testAuthority } from './fake-customer.ts';

export type ProxyBehavior = {
  /** Instead of a connection. */
  status?: number;
  /** Never responds. */
  hang?: true;
  /** After its response, before what the host sends. */
  first_bytes?: string;
  /** Connects to this port of 127.0.0.1, whatever it is asked for. */
  port?: number;
};

export type TestProxy = Awaited<ReturnType<typeof startEgressProxy>>;

export async function startEgressProxy({ is_secure = false }: { is_secure?: boolean } = {}) {
  const asked: { authority: string; authorization: string | undefined }[] = [];
  const open = new Set<Socket>();
  let behavior: ProxyBehavior = {};

  function onConnect(request: IncomingMessage, socket: Socket): void {
    open.add(socket.on('error', () => {}).on('close', () => open.delete(socket)));
    const authority = request.url ?? '';
    asked.push({ authority, authorization: request.headers['proxy-authorization'] });
    const { status, hang, first_bytes = '', port = Number(/:(\d+)$/.exec(authority)?.[1]) } = behavior;
    socket.on('end', () => socket.destroy()); // HTTP servers leave it half open
    if (hang) return void socket.resume();
    if (status !== undefined) return void socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    const there = connect(port, '127.0.0.1', () => {
      socket.write(`HTTP/1.1 200 Connection established\r\n\r\n${first_bytes}`);
      there.pipe(socket).pipe(there);
    });
    there.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('close', () => there.destroy());
  }

  const server = is_secure ? createSecureServer(testAuthority.issue(['localhost'])) : createServer();
  const port = await listenOnFreePort(server.on('connect', onConnect));
  return {
    port,
    url: `${is_secure ? 'https' : 'http'}://127.0.0.1:${port}`,
    asked,
    /** How many connections through it are open. */
    open: () => open.size,
    behave(next: ProxyBehavior): void {
      behavior = next;
    },
    async close(): Promise<void> {
      for (const socket of open) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
