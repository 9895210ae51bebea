// Sends JSON text as a 200 response to a tool call. It writes the headers in one call, without Fastify's reply, which would
// store each of them first (docs/design/building.md).

import type { FastifyReply } from 'fastify';
import { freeMemory } from '../outbound/free-memory.ts';
import { responseHeaders } from './response-headers.ts';

/** A text in several parts is sent without being put together. The memory of its large parts is freed when they are sent. */
export function sendJson(reply: FastifyReply, text: string | readonly (string | Uint8Array)[]): FastifyReply {
  const { raw, request } = reply.hijack();
  const parts = typeof text === 'string' ? [text] : text;
  const headers = responseHeaders(request);
  headers['content-type'] = 'application/json; charset=utf-8';
  headers['content-length'] = String(parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0));
  raw.writeHead(200, headers);
  for (const part of parts.slice(0, -1)) raw.write(part);
  raw.end(parts.at(-1));
  const bytes = parts.filter((part) => typeof part !== 'string');
  // `close`: everything was written, or the connection is gone.
  if (bytes.length > 0) raw.once('close', () => bytes.forEach(freeMemory));
  return reply;
}
