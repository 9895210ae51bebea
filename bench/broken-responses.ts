// Answers of customers' APIs that misbehave, by the path on which the customer's process of the benches sends them.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

type Respond = (response: ServerResponse, request: IncomingMessage) => void;

const MIB = 2 ** 20;
/** Just below the default of `max_response_bytes`, so that all of it is read and checked. */
const FULL = MIB - 64;

const send =
  (body: Buffer, headers: Record<string, string> = {}): Respond =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length, ...headers });
    response.end(body);
  };

/** Bytes as they are, and the end of the connection. */
const raw =
  (...parts: (string | Buffer)[]): Respond =>
  (_response, { socket }) => {
    for (const part of parts) socket.write(part);
    socket.end();
  };

/** `part` again and again, up to `bytes`, as fast as it is read. */
const stream =
  (part: Buffer, bytes: number, type: string): Respond =>
  (response) => {
    let left = bytes;
    const more = () => {
      while (left > 0 && !response.destroyed) {
        left -= part.length;
        if (!response.write(part)) return;
      }
      response.end();
    };
    response.writeHead(200, { 'content-type': type });
    response.on('drain', more);
    response.on('error', () => {});
    more();
  };

const json = (unit: string) => {
  const times = Math.floor((FULL - 2) / (unit.length + 1));
  return send(Buffer.from(`[${Array.from({ length: times }, () => unit).join(',')}]`));
};

const bomb = Buffer.alloc(64 * MIB);
const brotli = brotliCompressSync(bomb, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
const chunks = Buffer.from('1\r\nx\r\n'.repeat(15_000));
const chunked = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n';

export const brokenResponses: Record<string, Respond> = {
  'never answers': () => {},
  'one byte a second': (response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('x'), 1_000);
    response.on('close', () => clearInterval(timer));
  },
  'drops the connection': (_response, { socket }) => socket.destroy(),
  'closes at once': raw(),
  'not HTTP': raw(Buffer.alloc(4_096, 1)),
  'two lengths': raw('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{} '),
  'cuts the body off': raw('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"half":'),
  'a head without an end': raw('HTTP/1.1 200 OK\r\n', `x: ${'y'.repeat(64 * 1024)}`),
  'status 500': (response) => response.writeHead(500).end('down'),
  'redirects elsewhere': (response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
  'not gzip, but says so': send(Buffer.alloc(MIB - 1, 'x'), { 'content-encoding': 'gzip' }),
  '64 MiB of text': stream(Buffer.alloc(64 * 1024, 'x'), 64 * MIB, 'text/plain'),
  '64 MiB of zeros': stream(Buffer.alloc(64 * 1024), 64 * MIB, 'text/plain'),
  '64 MiB in gzip': send(gzipSync(bomb), { 'content-encoding': 'gzip' }),
  '64 MiB in brotli': send(brotli, { 'content-encoding': 'br' }),
  'no UTF-8': send(Buffer.alloc(FULL, 0xff)),
  'chunks of one byte': raw(chunked, chunks, '0\r\n\r\n'),
  'JSON of escapes': json(`"${'\\u0041'.repeat(1_000)}"`),
  'JSON of numbers': json('1'),
  'JSON of objects': json('{"a":{"b":[]}}'),
  'JSON, nested deep': send(Buffer.from(`${'['.repeat(FULL / 2)}${']'.repeat(FULL / 2)}`)),
  'JSON without its end': send(Buffer.from(`["${'é'.repeat(FULL / 2 - 2)}`)),
};
