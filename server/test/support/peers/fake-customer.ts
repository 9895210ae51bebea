// A customer's HTTPS API on 127.0.0.1: it records every request and responds, or misbehaves, as a test defines for a path.

import {
  createServer as createPlainServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import { createServer as createTcpServer, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { listenOnFreePort } from '../servers/free-port.ts';
import { makeAuthority } from './certificates.ts';

export type ReceivedRequest = {
  method: string;
  path: string;
  /** Without the question mark. */
  query: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The TLS server name (SNI); false without one. */
  server_name: string | false;
  /** The connection resumed an earlier TLS session. */
  is_resumed: boolean;
  /** The common name of the client certificate, if one was asked for and sent. */
  client: string | null;
};

export type CustomerResponse = {
  status?: number;
  headers?: OutgoingHttpHeaders;
  /** Text and bytes are sent unchanged, other values as JSON. */
  body?: unknown;
  /** Sends this part repeatedly: a response that is too large. */
  repeat?: { part: Buffer; times: number };
  /** Waits for this before the response is sent. */
  hold?: Promise<unknown>;
  delay_ms?: number;
  /** Never responds. */
  hang?: true;
  /** Sends the headers, then a space at this interval, endlessly. */
  drip_ms?: number;
  /** Resets the TCP connection instead of responding. */
  reset?: true;
  /** Bytes instead of an HTTP response, after which the connection is closed. */
  raw?: string | Buffer;
};

export type Customer = Awaited<ReturnType<typeof startCustomer>>;

/** A client that must trust the fake customers needs `testAuthority.certificate`. */
export const testAuthority = makeAuthority();
const untrustedAuthority = makeAuthority('untrusted authority');

export async function startCustomer({
  trusted = true,
  names = ['localhost'],
  is_plain = false,
  tls: other,
}: {
  trusted?: boolean;
  names?: string[];
  /** Serves plain HTTP. */
  is_plain?: boolean;
  /** Instead of a certificate of the test authority. With `requestCert` it asks for a client certificate. */
  tls?: ServerOptions;
} = {}) {
  const responses = new Map<string, CustomerResponse | ((request: ReceivedRequest) => CustomerResponse)>();
  const requests: ReceivedRequest[] = [];
  const counts = { connections: 0 };
  const tls: ServerOptions = other ?? (trusted ? testAuthority : untrustedAuthority).issue(names);

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    try {
      for await (const part of incoming) parts.push(part);
    } catch {
      return; // The client disconnected during its request.
    }
    const [path = '', query = ''] = (incoming.url ?? '').split(/\?(.*)/s);
    const request: ReceivedRequest = {
      method: incoming.method ?? '',
      path,
      query,
      headers: incoming.headers,
      body: Buffer.concat(parts),
      server_name: !is_plain && (incoming.socket as TLSSocket & { servername: string | false }).servername,
      is_resumed: !is_plain && (incoming.socket as TLSSocket).isSessionReused(),
      client: tls.requestCert ? clientOf(incoming.socket as TLSSocket) : null,
    };
    requests.push(request);
    const chosen = responses.get(path) ?? responses.get('*') ?? {};
    await reply(response, typeof chosen === 'function' ? chosen(request) : chosen);
  }
  const onRequest = (incoming: IncomingMessage, response: ServerResponse) => {
    serve(incoming, response).catch((error: Error) => response.destroy(error));
  };
  const server = is_plain
    ? createPlainServer({ keepAliveTimeout: 60_000 }, onRequest)
    : createServer({ ...tls, keepAliveTimeout: 60_000 }, onRequest);
  server.on('connection', () => {
    counts.connections += 1;
  });
  server.on('tlsClientError', () => {}).on('clientError', (_error, socket) => socket.destroy());
  const port = await listenOnFreePort(server);

  return {
    url: `${is_plain ? 'http' : 'https'}://127.0.0.1:${port}`,
    /** As an entry of TOOLGATE_EGRESS_ALLOW. */
    address: `127.0.0.1:${port}`,
    port,
    requests,
    counts,
    /** Sets the response for this path; `*` is any other path. The default is 200 {"ok":true}. */
    respond(path: string, response: CustomerResponse | ((request: ReceivedRequest) => CustomerResponse)): void {
      responses.set(path, response);
    },
    at: (path: string) => requests.filter((request) => request.path === path),
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** One without a certificate has an empty object. */
function clientOf(socket: TLSSocket): string | null {
  const { CN = null } = socket.getPeerCertificate().subject ?? {};
  return CN === null ? null : String(CN);
}

/** A port that accepts connections and never sends a byte. */
export async function startSilentPort(): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket.on('error', () => {}));
  });
  const port = await listenOnFreePort(server);
  return {
    port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function reply(response: ServerResponse, given: CustomerResponse): Promise<void> {
  const { status = 200, headers = {}, body = { ok: true }, repeat, hold, delay_ms, hang, drip_ms, reset, raw } = given;
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

/** Only the TCP socket below a TLS socket can be reset. */
function resetConnection(socket: Socket | null): void {
  const under = (socket as (Socket & { _parent?: Socket }) | null)?._parent ?? socket;
  under?.resetAndDestroy();
}
