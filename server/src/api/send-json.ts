// The answer to a tool call: 200 and JSON that is text already. Its head is written here, past Fastify and node:http, which
// take each header apart again: a tenth of a whole call (decision 0046).

import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { responseHeaders } from './response-headers.ts';

export function sendJson(reply: FastifyReply, text: string): FastifyReply {
  const { raw, request, server } = reply.hijack();
  const headers = responseHeaders(request);
  headers['content-type'] = 'application/json; charset=utf-8';
  headers['content-length'] = String(Buffer.byteLength(text));
  // The connection is closed behind the answer where the client asked for that, or the server is stopping: rare, and Node knows how.
  if (!raw.shouldKeepAlive || headers.connection !== undefined) raw.writeHead(200, headers);
  else writeHead(raw, headers, server.server.keepAliveTimeout);
  raw.end(text);
  return reply;
}

function writeHead(raw: ServerResponse, headers: Record<string, string>, keep_alive_ms: number): void {
  let lines = '';
  for (const name in headers) lines += `${name}: ${headers[name]}\r\n`;
  const kept = `connection: keep-alive\r\nkeep-alive: timeout=${Math.floor(keep_alive_ms / 1000)}\r\n`;
  // What node:http would have put there itself; it goes out in one piece with the body.
  (raw as ServerResponse & { _header: string })._header =
    `HTTP/1.1 200 OK\r\n${lines}date: ${httpDate()}\r\n${kept}\r\n`;
}

let lastSecond = 0;
let lastDate = '';

/** Made once a second. */
function httpDate(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== lastSecond) {
    lastSecond = second;
    lastDate = new Date(second * 1000).toUTCString();
  }
  return lastDate;
}
