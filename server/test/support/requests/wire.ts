// A way out of its own, and origins at its other end that do as a test likes with each connection.

import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { createServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { parseAllowList } from '../../../src/outbound/allow-list.ts';
import { type OutboundRequest, SendError } from '../../../src/outbound/messages.ts';
import { createSend, type SendOptions } from '../../../src/outbound/send.ts';
import { type CustomerResponse, startCustomer, testAuthority } from '../peers/fake-customer.ts';

const open: (() => unknown)[] = [];

/** What is closed when the test file ends, or the test that was the first to open something, the last first. */
export const closing = {
  push(close: () => unknown): void {
    if (open.length === 0)
      after(async () => {
        for (const closeOne of open.splice(0).reverse()) await closeOne();
      });
    open.push(close);
  },
};

/** A way out of its own to one origin on 127.0.0.1, with a clock that stands still until it is set. */
export function openTo(port: number, options: Partial<SendOptions> = {}) {
  const clock = { now: 0 };
  const { allowed } = parseAllowList(`127.0.0.1:${port}`);
  const send = createSend({ allow: allowed, ca: [testAuthority.certificate], now: () => clock.now, ...options });
  closing.push(() => send.close());
  const ask = async (fields: Partial<OutboundRequest> = {}) => {
    const { body } = await send({
      origin: `https://127.0.0.1:${port}`,
      path: '/',
      method: 'GET',
      headers: {},
      timeout_ms: 10_000,
      max_response_bytes: 1_000,
      isolation_key: 'prj_a',
      ...fields,
    });
    return body.toString();
  };
  return { ask, clock, close: () => send.close() };
}

export const kindOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'answered',
    (error: unknown) => (error instanceof SendError ? error.kind : String(error)),
  );

/** A customer that answers like this everywhere. */
export async function startResponding(response: CustomerResponse, names = ['localhost']) {
  const customer = await startCustomer({ names });
  closing.push(() => customer.close());
  customer.respond('*', response);
  return customer;
}

/** An origin that does as it likes with each request, which must have no body: `sockets` are its connections. */
export async function startWire(reply: (socket: TLSSocket, request: number) => void, options: TlsOptions = {}) {
  const sockets: TLSSocket[] = [];
  let requests = 0;
  const server = createServer({ ...testAuthority.issue(['localhost']), ...options }, (socket) => {
    sockets.push(socket);
    socket.on('error', () => {}).on('data', () => reply(socket, ++requests));
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, sockets };
}

export const responseOf = (body: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
