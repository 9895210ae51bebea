// Whether the one who asked is still there.

import type { FastifyReply } from 'fastify';

/** Fires when the connection closes before the answer was written. The request's own signal fires once its body is read. */
export function goneSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
