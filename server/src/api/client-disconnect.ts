// Ends the calls of a request whose client closed its connection: it will not read the response.

import type { FastifyRequest } from 'fastify';
import { createRequester, type Requester } from '../outbound/requester.ts';

/** The requester of all calls that this request makes. http/after-response.ts lets it leave when the connection closes too early. */
export function requesterOf(request: Pick<FastifyRequest, 'requester'>): Requester {
  request.requester ??= createRequester();
  return request.requester;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the request makes a call. */
    requester: Requester | null;
  }
}
