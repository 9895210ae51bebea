// The customer's API for the benches: an HTTPS origin on loopback with one fixed response, or none at all.

import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { makeAuthority } from '../server/test/certificates.ts';

export const authority = makeAuthority();

const answer = JSON.stringify({
  orders: [{ id: 'ord_1', status: 'paid', total: 4200, currency: 'EUR' }],
  has_more: false,
});

export type Upstream = { address: string; origin: string; close(): void };

export async function startUpstream({ hangs = false } = {}): Promise<Upstream> {
  const server = createServer({ ...authority.issue(['localhost']), keepAliveTimeout: 60_000 }, (incoming, response) => {
    incoming.resume().on('end', () => {
      if (hangs) return;
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length });
      response.end(answer);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address,
    origin: `https://${address}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
