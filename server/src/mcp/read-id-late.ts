// A refusal before the body was read still answers with the request's id (contract 7): the body is read then, and only then.

import type { FastifyRequest } from 'fastify';
import { checkLimits } from '../json/parse-strict.ts';
import { DEEPEST, idOf, type RequestId } from './json-rpc.ts';

/** Nobody without a credential makes us read more. */
const MOST_BYTES = 64 * 1024;

export async function readIdLate({ body, raw }: FastifyRequest): Promise<RequestId | null> {
  try {
    const bytes = Buffer.isBuffer(body) ? body : await readSome(raw);
    return bytes.length > MOST_BYTES ? null : readId(bytes.toString('utf8'));
  } catch {
    // Not JSON, too deep or too large, or the client went away: an error without an id is all there is to say.
    return null;
  }
}

function readId(text: string): RequestId | null {
  checkLimits(text, { max_depth: DEEPEST });
  return idOf(JSON.parse(text));
}

async function readSome(raw: FastifyRequest['raw']): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length > MOST_BYTES) break;
  }
  // What is left must still leave the connection, or the next request on it would never be seen.
  raw.resume();
  return Buffer.concat(chunks);
}
