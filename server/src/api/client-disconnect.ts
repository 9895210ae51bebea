// Tells a verb that the client closed its connection and will not read the response.

import type { FastifyReply } from 'fastify';

/** Aborts when the connection closes before the response was written. Fastify's own signal aborts when the body was read. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
