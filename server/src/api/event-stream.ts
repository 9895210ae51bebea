// A response of server-sent events (text/event-stream). It stays open until one side ends it.

import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import { responseHeaders } from './response-headers.ts';

/** Less than the time after which proxies close an idle connection. */
const COMMENT_EVERY_MS = 15_000;
/** A client that does not read is disconnected when so much waits for it. */
const MAX_UNREAD_BYTES = 1024 * 1024;

export type EventStream = {
  /** `text` is one or more whole events. */
  send(text: string): void;
  /** Resolves when the client can take more, or is gone. */
  ready(): Promise<void>;
  end(): void;
  onEnd(listener: () => void): void;
  is_ended(): boolean;
};

export function openEventStream(reply: FastifyReply): EventStream {
  const { raw } = reply.hijack();
  raw.writeHead(200, {
    ...responseHeaders(reply.request),
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-type': 'text/event-stream; charset=utf-8',
    // Otherwise nginx buffers the events.
    'x-accel-buffering': 'no',
  });
  const comments = setInterval(() => send(':\n\n'), COMMENT_EVERY_MS);
  const is_ended = () => raw.destroyed || raw.writableEnded;
  onEnd(() => clearInterval(comments));

  function send(text: string): void {
    if (is_ended()) return;
    raw.write(text);
    if (raw.writableLength > MAX_UNREAD_BYTES) raw.destroy();
  }

  function onEnd(listener: () => void): void {
    if (raw.destroyed) listener();
    else raw.once('close', listener);
  }

  function ready(): Promise<void> {
    if (is_ended() || !raw.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        raw.removeListener('drain', done).removeListener('close', done);
        resolve();
      };
      raw.once('drain', done).once('close', done);
    });
  }

  // The client learns at once that the stream is open.
  send(':\n\n');
  return { send, ready, end: () => void raw.end(), onEnd, is_ended };
}
