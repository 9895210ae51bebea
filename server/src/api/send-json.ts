// Sends JSON text as a 200 response of a route or a tool call. It writes the headers in one call, without Fastify's reply, which would
// store each of them first (docs/design/building.md).

import type { FastifyReply } from 'fastify';
import { freeMemory } from '../outbound/free-memory.ts';
import { responseHeaders } from './response-headers.ts';

/** They are sent in their order, without being put together. */
export type TextParts = readonly (string | Uint8Array)[];

/** The memory of large parts is freed when they are sent, unless they are cached. */
export function sendJson(reply: FastifyReply, parts: TextParts, is_cached = false): FastifyReply {
  const { raw, request } = reply.hijack();
  const headers = responseHeaders(request);
  headers['content-type'] = 'application/json; charset=utf-8';
  headers['content-length'] = String(parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0));
  raw.writeHead(200, headers);
  if (parts.length > 1) {
    raw.cork();
    for (const part of parts.slice(0, -1)) raw.write(part);
    // `close`: everything was written, or the connection is gone.
    if (!is_cached) raw.once('close', () => freeAll(parts));
  }
  raw.end(parts.at(-1));
  return reply;
}

function freeAll(parts: TextParts): void {
  for (const part of parts) if (typeof part !== 'string') freeMemory(part);
}
