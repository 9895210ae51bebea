// The one place where an error becomes the envelope. An error that is not a refusal is a bug: 500, without its text.

import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { errorToRefusal, failedCallOf, logRefusal, sentRefusal } from '../api/error-to-refusal.ts';
import type { App } from '../app.ts';
import { newId } from '../database/ids.ts';
import { type ApiError, errorObject, refuse } from '../errors/errors.ts';
import { STATUS_CODES } from '../node-http.ts';
import { createSlowBodies } from './slow-bodies.ts';

/** How long the socket stays open after such a response. Closed at once, unread bytes would make the kernel reset it. */
const LINGER_MS = 1000;

type ErrorResponse = (error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) => void;

export function errorResponse({ log, config: { public_url } }: App): ErrorResponse {
  return (error, request, reply) => {
    const refusal = errorToRefusal(error, request);
    const failed_call = failedCallOf(error);
    logRefusal(log, request.id, refusal, failed_call);
    request.refusal = sentRefusal(refusal, failed_call);
    if (refusal.status === 401) reply.header('www-authenticate', 'Bearer');
    // An invalid URL is refused before the hook that sets this header.
    reply.header('x-request-id', request.id);
    reply
      .headers(refusal.headers)
      .code(refusal.status)
      .send(envelope(refusal, request.id, public_url));
  };
}

/** Invalid HTTP never becomes a request, so the same envelope is written to the socket. */
export function respondToBrokenHttp(app: App) {
  const { public_url } = app.config;
  const uploading = app.stateOf(createSlowBodies);
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && uploading.has(socket)) return;
    if (!socket.writable) return;
    const refusal = brokenHttp(error.code);
    const request_id = newId('req');
    const body = JSON.stringify(envelope(refusal, request_id, public_url));
    const head = [
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
      'connection: close',
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${request_id}`,
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
    // A peer that never closes its side would keep the socket open for ever.
    const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
    socket.once('close', () => clearTimeout(timer));
  };
}

function brokenHttp(code: string | undefined): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return refuse.headersTooLarge();
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refuse.requestTimeout();
    default:
      return refuse.malformedRequest();
  }
}

const envelope = (refusal: ApiError, request_id: string, public_url: string) => ({
  error: errorObject(refusal, request_id, public_url),
});
