// Notifications before the result of a request: with the first one the response becomes a stream of events, which ends with the result.

import type { FastifyReply } from 'fastify';
import { type EventStream, openEventStream } from '../api/event-stream.ts';
import { type JsonText, wholeText } from './json-rpc.ts';

export type Notifier = {
  notify(method: string, params: object): void;
  /** Ends the stream with the result. False: there is no stream, and the result is the response. */
  end(body: JsonText): boolean;
};

/** Null for a client that takes no stream. */
export function createNotifier(reply: FastifyReply): Notifier | null {
  if (!reply.request.headers.accept?.includes('text/event-stream')) return null;
  let stream: EventStream | null = null;
  const event = (data: string) => `event: message\ndata: ${data}\n\n`;
  return {
    notify(method, params) {
      stream ??= openEventStream(reply);
      stream.send(event(JSON.stringify({ jsonrpc: '2.0', method, params })));
    },
    end(body) {
      if (!stream) return false;
      // However much it is: a stream that is still read may take a result of any size.
      if (!stream.is_ended()) reply.raw.end(event(wholeText(body)));
      return true;
    },
  };
}
