// The customer's side of the benches, a process of its own: an HTTPS API with one fixed response, a receiver of webhooks that
// notes how old each event is, a path that never responds, and one for each way to misbehave, files of so many MB, and MCP servers.

import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { brokenResponses } from './broken-responses.ts';
import { respondToMcp } from './mcp-responses.ts';

const orders = JSON.stringify({
  orders: [{ id: 'ord_1', status: 'paid', total: 4200, currency: 'EUR' }],
  has_more: false,
});
/** The load generator finds what it expects at its beginning. */
const filePart = Buffer.alloc(100_000, 'ord_1 ');
function* fileOf(length: number) {
  for (let sent = 0; sent < length; sent += filePart.length) yield filePart.subarray(0, length - sent);
}

let ages: number[] = [];
let received = 0;

const tls = JSON.parse(readFileSync(process.argv[2] as string, 'utf8')) as { key: string; cert: string };
const server: Server = createServer({ ...tls, keepAliveTimeout: 60_000 }, (request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    if (request.url?.startsWith('/hook')) {
      const { timestamp } = JSON.parse(Buffer.concat(parts).toString()) as { timestamp: string };
      ages.push(Date.now() - Date.parse(timestamp));
      received += 1;
      response.writeHead(204).end();
    } else if (request.url?.startsWith('/broken/')) {
      brokenResponses[decodeURIComponent(request.url.slice('/broken/'.length))]?.(response, request);
    } else if (request.url?.startsWith('/file/')) {
      // A tool may add a query.
      const length = Number.parseInt(request.url.slice('/file/'.length), 10) * 1e6;
      response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': length });
      Readable.from(fileOf(length)).pipe(response);
    } else if (request.url?.startsWith('/mcp/')) {
      respondToMcp(request.url, Buffer.concat(parts), response, orders);
    } else if (request.url !== '/hang') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': orders.length });
      response.end(orders);
    }
  });
});

process.on('message', (message: 'received' | 'take ages') => {
  process.send?.(message === 'received' ? { received } : { ages });
  if (message === 'take ages') ages = [];
});
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
