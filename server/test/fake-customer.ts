// A customer's HTTPS API on 127.0.0.1: it records every request and answers, or misbehaves, as a test sets for a path.

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { makeAuthority } from './certificates.ts';

export type ReceivedRequest = {
  method: string;
  path: string;
  /** Without the question mark. */
  query: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The name the client asked for in TLS; false where it named none. */
  server_name: string | false;
  /** It came over a TLS session that was made in an earlier connection. */
  is_resumed: boolean;
};

export type CustomerAnswer = {
  status?: number;
  headers?: Record<string, string>;
  /** Text and bytes go as they are, anything else as JSON. */
  body?: unknown;
  /** Send this part so many times: an answer larger than anybody should read. */
  repeat?: { part: Buffer; times: number };
  /** Wait for this before anything is sent. */
  hold?: Promise<unknown>;
  delay_ms?: number;
  /** Never answer. */
  hang?: true;
  /** Send the headers, then a space every so many milliseconds, without end. */
  drip_ms?: number;
  /** Reset the TCP connection instead of answering. */
  reset?: true;
  /** Bytes instead of an HTTP answer; the connection ends behind them. */
  raw?: string | Buffer;
};

export type Customer = Awaited<ReturnType<typeof startCustomer>>;

/** Pass `testAuthority.certificate` to whoever shall trust the fake customers. */
export const testAuthority = makeAuthority();
const strangerAuthority = makeAuthority('nobody trusts this authority');

export async function startCustomer({
  trusted = true,
  names = ['localhost'],
}: {
  trusted?: boolean;
  names?: string[];
} = {}) {
  const answers = new Map<string, CustomerAnswer | ((request: ReceivedRequest) => CustomerAnswer)>();
  const requests: ReceivedRequest[] = [];
  const counts = { connections: 0 };
  const tls: ServerOptions = (trusted ? testAuthority : strangerAuthority).issue(names);

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    try {
      for await (const part of incoming) parts.push(part);
    } catch {
      return; // The client went away in the middle of its request.
    }
    const [path = '', query = ''] = (incoming.url ?? '').split(/\?(.*)/s);
    const request: ReceivedRequest = {
      method: incoming.method ?? '',
      path,
      query,
      headers: incoming.headers,
      body: Buffer.concat(parts),
      server_name: (incoming.socket as TLSSocket & { servername: string | false }).servername,
      is_resumed: (incoming.socket as TLSSocket).isSessionReused(),
    };
    requests.push(request);
    const answer = answers.get(path) ?? answers.get('*') ?? {};
    await reply(response, typeof answer === 'function' ? answer(request) : answer);
  }
  const server = createServer({ ...tls, keepAliveTimeout: 60_000 }, (incoming, response) => {
    serve(incoming, response).catch((error: Error) => response.destroy(error));
  });
  server.on('connection', () => {
    counts.connections += 1;
  });
  server.on('tlsClientError', () => {}).on('clientError', (_error, socket) => socket.destroy());
  const port = await listen(server);

  return {
    url: `https://127.0.0.1:${port}`,
    /** As an entry of TOOLGATE_EGRESS_ALLOW. */
    address: `127.0.0.1:${port}`,
    port,
    requests,
    counts,
    /** What to answer at this path; `*` is any other path. Nothing set: 200 {"ok":true}. */
    answer(path: string, answer: CustomerAnswer | ((request: ReceivedRequest) => CustomerAnswer)): void {
      answers.set(path, answer);
    },
    at: (path: string) => requests.filter((request) => request.path === path),
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A port that accepts connections and never says a word. */
export async function startSilentPort(): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket.on('error', () => {}));
  });
  const port = await listen(server);
  return {
    port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A port on 127.0.0.1 where nobody listens. */
export async function deadPort(): Promise<number> {
  const server = createTcpServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function reply(response: ServerResponse, answer: CustomerAnswer): Promise<void> {
  const { status = 200, headers = {}, body = { ok: true }, repeat, hold, delay_ms, hang, drip_ms, reset, raw } = answer;
  response.on('error', () => {});
  if (hang) return;
  await hold;
  if (delay_ms !== undefined) await new Promise((resolve) => setTimeout(resolve, delay_ms));
  if (reset) return resetConnection(response.socket);
  if (raw !== undefined) {
    response.socket?.end(raw);
    return;
  }
  const is_raw = typeof body === 'string' || Buffer.isBuffer(body);
  response.writeHead(status, { 'content-type': is_raw ? 'text/plain' : 'application/json', ...headers });
  if (drip_ms !== undefined) {
    response.flushHeaders();
    const timer = setInterval(() => response.write(' '), drip_ms);
    response.on('close', () => clearInterval(timer));
    return;
  }
  if (repeat) return repeatPart(response, repeat.part, repeat.times);
  if (status === 204) response.end();
  else response.end(is_raw ? body : JSON.stringify(body));
}

function repeatPart(response: ServerResponse, part: Buffer, times: number): void {
  let left = times;
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left -= 1;
      if (!response.write(part)) return;
    }
    response.end();
  };
  response.on('drain', more);
  more();
}

/** A TLS socket cannot reset; the TCP socket under it can. */
function resetConnection(socket: Socket | null): void {
  const under = (socket as (Socket & { _parent?: Socket }) | null)?._parent ?? socket;
  under?.resetAndDestroy();
}
