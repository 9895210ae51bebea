// Reads the JSON-RPC id for an error response. A request that is refused before its body was read still gets its id (contract 7).

import type { FastifyRequest } from 'fastify';
import { checkLimits } from '../engines/json-text/parse-strict.ts';
import { MAX_DEPTH, type RequestId, requestIdOf } from './json-rpc.ts';

/** Limits what an unauthenticated client can make the server read. */
const MAX_BYTES = 64 * 1024;

export async function readRequestId({ body, raw }: FastifyRequest): Promise<RequestId | null> {
  try {
    const bytes = Buffer.isBuffer(body) ? body : await readUpToMax(raw);
    return bytes.length > MAX_BYTES ? null : parseRequestId(bytes.toString('utf8'));
  } catch {
    // Not JSON, too deep or too large, or the client disconnected: the error has no id.
    return null;
  }
}

function parseRequestId(text: string): RequestId | null {
  checkLimits(text, { max_depth: MAX_DEPTH });
  return requestIdOf(JSON.parse(text));
}

async function readUpToMax(raw: FastifyRequest['raw']): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length > MAX_BYTES) break;
  }
  // The rest must be drained, or the next request on this connection would never be read.
  raw.resume();
  return Buffer.concat(chunks);
}
