// Reads a response with outbound/http1/response-reader.ts. Bytes are written as Latin-1 text.

import assert from 'node:assert/strict';
import { MalformedResponse } from '../../../src/outbound/http1/response-head.ts';
import { ResponseReader } from '../../../src/outbound/http1/response-reader.ts';

type Reading = {
  status: number;
  headers: Record<string, string | undefined>;
  body: string;
  keep_alive_ms: number;
  bytes_taken: number;
};

/** Like the read buffer of outbound/connect.ts, it is overwritten after each read. */
const read_buffer = Buffer.alloc(64 * 1024);

/** Returns the response that arrives in these parts, after which the other side closes the connection. */
export function readResponse(parts: readonly Buffer[], method = 'GET'): Reading | 'refused' {
  const reader = new ResponseReader();
  let status = 0;
  let headers: Reading['headers'] = {};
  let body = '';
  let bytes_taken = 0;
  reader.begin(method, {
    onHead: (head) => {
      status = head.status;
      headers = { ...head.headers, 'content-encoding': head.content_encoding };
    },
    onBody: (bytes, start, end) => {
      body += bytes.toString('latin1', start, end);
    },
  });
  try {
    for (const [index, part] of parts.entries()) {
      bytes_taken += part.length;
      part.copy(read_buffer);
      const isComplete = reader.read(read_buffer.subarray(0, part.length));
      read_buffer.fill('!', 0, part.length);
      if (!isComplete) continue;
      const keep_alive_ms = index === parts.length - 1 ? reader.keep_alive_ms : 0;
      return { status, headers, body, keep_alive_ms, bytes_taken };
    }
  } catch (error) {
    assert.ok(error instanceof MalformedResponse, String(error));
    return 'refused';
  }
  return reader.close() ? { status, headers, body, keep_alive_ms: reader.keep_alive_ms, bytes_taken } : 'refused';
}

export const bytesOf = (text: string) => Buffer.from(text, 'latin1');
export const byteByByte = (bytes: Buffer) => Array.from(bytes, (byte) => Buffer.of(byte));
