// The head of an answer: its status line and fields, read as strictly as the rest of it (RFC 9112).

import type { AnswerHeaders } from './messages.ts';

export type AnswerHead = {
  status: number;
  headers: AnswerHeaders;
  content_encoding: string | undefined;
  is_chunked: boolean;
  /** Of the body, where it says so. */
  length: number | null;
  /** How long the connection may be used again after this answer; 0: not at all. */
  keep_alive_ms: number;
};

/** Not an answer that HTTP/1.1 knows. */
export class BadAnswer extends Error {}

/** A little below the 5 s of many servers, so that we close first. The server's own hint goes before it. */
export const KEEP_ALIVE_MS = 4_000;
/** What a hint is shortened by, for the way there and back. */
const KEEP_ALIVE_MARGIN_MS = 1_000;

export const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
export const TEXT = '[\\t\\x20-\\x7e\\x80-\\xff]*';
/** A status line, and fields of one line each: no folding, no blank before the colon, no bare CR or LF, no NUL. */
const HEAD = new RegExp(`^HTTP/1\\.[01] [1-9]\\d\\d(?: ${TEXT})?(?:\\r\\n${TOKEN}:${TEXT})*$`);
const LENGTH = /^\d{1,15}$/;
const CLOSE = /(?:^|,)[\t ]*close[\t ]*(?:,|$)/i;
const KEEP_ALIVE_HINT = /(?:^|[\t ,;])timeout=(\d+)/i;

/** Without the empty line that ends it. */
export function parseHead(text: string): AnswerHead {
  if (!HEAD.test(text)) throw new BadAnswer('not the head of an HTTP/1.1 answer');
  const status = Number(text.slice(9, 12));
  if (status === 101) throw new BadAnswer('switches protocols unasked');
  const headers: AnswerHeaders = {};
  const isCurrent = text.charCodeAt(7) === 0x31; // HTTP/1.1
  let content_encoding: string | undefined;
  let length: number | null = null;
  let is_chunked = false;
  let keep_alive_ms = isCurrent ? KEEP_ALIVE_MS : 0;
  for (let line = text.indexOf('\r\n'); line !== -1; ) {
    const start = line + 2;
    const colon = text.indexOf(':', start);
    line = text.indexOf('\r\n', colon);
    const value = withoutBlanks(text, colon + 1, line === -1 ? text.length : line);
    switch (text.slice(start, colon).toLowerCase()) {
      case 'content-length':
        if (length !== null || !LENGTH.test(value)) throw new BadAnswer('content-length');
        length = Number(value);
        break;
      case 'transfer-encoding':
        if (is_chunked || !isCurrent || value.toLowerCase() !== 'chunked') throw new BadAnswer('transfer-encoding');
        is_chunked = true;
        break;
      case 'connection':
        if (CLOSE.test(value)) keep_alive_ms = 0;
        break;
      case 'keep-alive':
        if (keep_alive_ms > 0) keep_alive_ms = keepAliveHint(value) ?? keep_alive_ms;
        break;
      case 'content-encoding':
        content_encoding = content_encoding === undefined ? value : `${content_encoding}, ${value}`;
        break;
      // One by one: `headers[name]` would be looked up anew with each answer.
      case 'content-type':
        headers['content-type'] ??= value;
        break;
      case 'retry-after':
        headers['retry-after'] ??= value;
        break;
      case 'cache-control':
        headers['cache-control'] ??= value;
        break;
    }
  }
  if (is_chunked && length !== null) throw new BadAnswer('content-length and transfer-encoding');
  return { status, headers, content_encoding, is_chunked, length, keep_alive_ms };
}

/** Only HTTP's two kinds of blank: trim() knows more, and then a length or an encoding would be one to us and none to others. */
function withoutBlanks(text: string, start: number, end: number): string {
  let from = start;
  let to = end;
  while (from < to && isBlank(text.charCodeAt(from))) from += 1;
  while (from < to && isBlank(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

function keepAliveHint(value: string): number | undefined {
  const seconds = KEEP_ALIVE_HINT.exec(value)?.[1];
  return seconds === undefined ? undefined : Math.max(0, Number(seconds) * 1000 - KEEP_ALIVE_MARGIN_MS);
}
