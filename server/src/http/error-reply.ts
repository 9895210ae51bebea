// The one place where an error becomes the envelope. Whatever is not one of our refusals is a bug: 500, no text leaked.

import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { toRefusal } from '../api/to-refusal.ts';
import type { ApiError } from '../errors.ts';

type ErrorReply = (error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) => void;

export function errorReply(log: Logger): ErrorReply {
  return (error, request, reply) => {
    const refusal = toRefusal(error);
    if (refusal.status >= 500) {
      log.error({ request_id: request.id, code: refusal.code, err: refusal.cause ?? error }, refusal.message);
    }
    request.refusal = refusal.code;
    if (refusal.status === 401) reply.header('www-authenticate', 'Bearer');
    reply.headers(refusal.headers).code(refusal.status).send(envelope(refusal, request.id));
  };
}

function envelope({ code, message, details }: ApiError, request_id: string) {
  return { error: { code, message, details, request_id } };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the refusal that was sent, for the log. */
    refusal: string | null;
  }
}
