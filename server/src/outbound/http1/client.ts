// The entry of the HTTP/1.1 client, one client per destination. Code outside this folder imports only this file.
// What it speaks and refuses is written in README.md beside it.

import type { HeaderLines, Message, Method } from '../messages.ts';
import type { Connect, Exchange, ResumeLater } from './connection.ts';
import { ConnectionPool } from './connection-pool.ts';
import { encodeHeaderLines, encodeRequest } from './request-writer.ts';

export type { Connect, Connection, ConnectListener, Exchange, ResumeLater } from './connection.ts';
export type { ResponseHead } from './response-head.ts';

export class Http1Client {
  readonly #host: string;
  readonly #pool: ConnectionPool;

  /**
   * `host` is the value of the Host header. `now` returns milliseconds that never decrease. `resumeLater` decides when a connection
   * that has paused in a large response reads on.
   */
  constructor(host: string, connect: Connect, now: () => number, resumeLater: ResumeLater) {
    this.#host = host;
    this.#pool = new ConnectionPool(connect, now, resumeLater);
  }

  /** Returns the bytes to send. Throws a SendError of kind `invalid`. */
  encode(method: Method, message: Message): string | Buffer {
    return encodeRequest(method, this.#host, message);
  }

  /** Gives the exchange a connection, or an error. The caller limits how many exchanges there are at a time. */
  connect(exchange: Exchange): void {
    this.#pool.acquire(exchange);
  }

  /** No open connection is used for another exchange. */
  retireConnections(): void {
    this.#pool.retire();
  }

  /** Ends all exchanges, current and future, with a SendError of kind `aborted`. */
  close(): void {
    this.#pool.close();
  }
}

/** Validates and encodes headers that many messages share. Throws a SendError of kind `invalid`. */
export function encodeHeaders(headers: Readonly<Record<string, string>>): HeaderLines {
  return encodeHeaderLines(headers);
}
