// What outbound/http1/response-reader.ts makes of an answer. Bytes are written as Latin-1 text.

import assert from 'node:assert/strict';
import { MalformedResponse } from '../src/outbound/http1/response-head.ts';
import { ResponseReader } from '../src/outbound/http1/response-reader.ts';

export type Outcome = { status: number; body: string; keep_alive_ms: number; bytes_taken: number } | 'refused';

/** As in outbound/connect.ts: what has been read is overwritten by what comes next. */
const inbox = Buffer.alloc(64 * 1024);

/** What becomes of an answer that arrives in these parts, before the other side closes. */
export function readResponse(parts: readonly Buffer[], method = 'GET'): Outcome {
  const reader = new ResponseReader();
  let status = 0;
  let body = '';
  let bytes_taken = 0;
  reader.begin(method, {
    onHead: (head) => {
      status = head.status;
    },
    onBody: (part) => {
      body += part.toString('latin1');
    },
  });
  try {
    for (const [index, part] of parts.entries()) {
      bytes_taken += part.length;
      part.copy(inbox);
      const isComplete = reader.read(inbox.subarray(0, part.length));
      inbox.fill('!', 0, part.length);
      if (!isComplete) continue;
      const keep_alive_ms = index === parts.length - 1 ? reader.keep_alive_ms : 0;
      return { status, body, keep_alive_ms, bytes_taken };
    }
  } catch (error) {
    assert.ok(error instanceof MalformedResponse, String(error));
    return 'refused';
  }
  return reader.close() ? { status, body, keep_alive_ms: reader.keep_alive_ms, bytes_taken } : 'refused';
}

export const bytesOf = (text: string) => Buffer.from(text, 'latin1');
export const byteByByte = (bytes: Buffer) => Array.from(bytes, (byte) => Buffer.of(byte));
