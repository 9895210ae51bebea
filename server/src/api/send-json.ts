// Sends JSON text as a 200 response to a tool call. It writes the headers in one call, without Fastify's reply, which would
// store each of them first (decision 0073).

import type { FastifyReply } from 'fastify';
import { responseHeaders } from './response-headers.ts';

export function sendJson(reply: FastifyReply, text: string): FastifyReply {
  const { raw, request } = reply.hijack();
  const headers = responseHeaders(request);
  headers['content-type'] = 'application/json; charset=utf-8';
  headers['content-length'] = String(Buffer.byteLength(text));
  raw.writeHead(200, headers);
  raw.end(text);
  return reply;
}
