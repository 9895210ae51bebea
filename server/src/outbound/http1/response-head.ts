// Parses the head of a response: status line and header fields (RFC 9112).
// Where Node's parser could read a field that frames the message differently, the response is refused.

import type { ResponseHeaders } from '../messages.ts';

export type ResponseHead = {
  /** As it came, without the empty line. */
  text: string;
  status: number;
  headers: ResponseHeaders;
  content_encoding: string | undefined;
  is_chunked: boolean;
  /** The value of Content-Length. */
  length: number | null;
  /** How long the connection may be reused after this response; 0: not at all. */
  keep_alive_ms: number;
};

/** The bytes are not a response that this client accepts. */
export class MalformedResponse extends Error {
  readonly code = 'MALFORMED_RESPONSE';
}

/** Shorter than the 5 s that many servers use, so that we close first. A Keep-Alive header of the server takes precedence. */
export const KEEP_ALIVE_MS = 4_000;
/** Subtracted from the server's timeout, to allow for the network round trip. */
const KEEP_ALIVE_MARGIN_MS = 1_000;

export const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
export const TEXT = '[\\t\\x20-\\x7e\\x80-\\xff]*';
/** A status line, and one line per field: no folding, no whitespace before the colon, no bare CR or LF, no NUL. */
const HEAD = new RegExp(`^HTTP/1\\.[01] [1-9]\\d\\d(?: ${TEXT})?(?:\\r\\n${TOKEN}:${TEXT})*$`);
const LENGTH = /^\d{1,15}$/;
/** Node's parser does not take `chunked` followed by a tab for chunked. */
const CHUNKED = /^[\t ]*chunked *$/i;
const CLOSE = /(?:^|,)[\t ]*close[\t ]*(?:,|$)/i;
const KEEP_ALIVE_TIMEOUT = /(?:^|[\t ,;])timeout=(\d+)/i;

/** `text` does not include the empty line that ends the head. */
export function parseHead(text: string): ResponseHead {
  if (!HEAD.test(text)) throw new MalformedResponse('not the head of an HTTP/1.1 response');
  const status = Number(text.slice(9, 12));
  if (status === 101) throw new MalformedResponse('switches protocols without being asked');
  const headers: ResponseHeaders = {};
  const isHttp11 = text.charCodeAt(7) === 0x31;
  let content_encoding: string | undefined;
  let length: number | null = null;
  let is_chunked = false;
  let keep_alive_ms = isHttp11 ? KEEP_ALIVE_MS : 0;
  for (let line = text.indexOf('\r\n'); line !== -1; ) {
    const start = line + 2;
    const colon = text.indexOf(':', start);
    line = text.indexOf('\r\n', colon);
    const end = line === -1 ? text.length : line;
    const value = trimWhitespace(text, colon + 1, end);
    switch (text.slice(start, colon).toLowerCase()) {
      case 'content-length':
        if (length !== null || !LENGTH.test(value)) throw new MalformedResponse('content-length');
        length = Number(value);
        break;
      case 'transfer-encoding':
        if (is_chunked || !isHttp11 || !CHUNKED.test(text.slice(colon + 1, end)))
          throw new MalformedResponse('transfer-encoding');
        is_chunked = true;
        break;
      case 'connection':
      case 'proxy-connection': // as Node's parser does
        if (CLOSE.test(value)) keep_alive_ms = 0;
        break;
      case 'keep-alive':
        if (keep_alive_ms > 0) keep_alive_ms = keepAliveTimeout(value) ?? keep_alive_ms;
        break;
      case 'content-encoding':
        content_encoding = combine(content_encoding, value);
        break;
      // Constant keys: `headers[name]` would be a dictionary lookup for each response.
      case 'content-type':
        headers['content-type'] ??= value;
        break;
      case 'content-disposition':
        headers['content-disposition'] ??= value;
        break;
      case 'retry-after':
        headers['retry-after'] ??= value;
        break;
      case 'location':
        headers.location ??= value;
        break;
      case 'cache-control':
        headers['cache-control'] = combine(headers['cache-control'], value);
        break;
      case 'mcp-session-id':
        headers['mcp-session-id'] ??= value;
        break;
      case 'www-authenticate':
        headers['www-authenticate'] = combine(headers['www-authenticate'], value);
        break;
    }
  }
  if (is_chunked && length !== null) throw new MalformedResponse('content-length and transfer-encoding');
  return { text, status, headers, content_encoding, is_chunked, length, keep_alive_ms };
}

/** A list may be spread over several fields (RFC 9110 5.3). */
function combine(list: string | undefined, value: string): string {
  return list === undefined ? value : `${list}, ${value}`;
}

/** Removes spaces and tabs only. String.trim() also removes NBSP and others, which are part of a value in HTTP. */
function trimWhitespace(text: string, start: number, end: number): string {
  let from = start;
  let to = end;
  while (from < to && isWhitespace(text.charCodeAt(from))) from += 1;
  while (from < to && isWhitespace(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

function isWhitespace(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

function keepAliveTimeout(value: string): number | undefined {
  const seconds = KEEP_ALIVE_TIMEOUT.exec(value)?.[1];
  return seconds === undefined ? undefined : Math.max(0, Number(seconds) * 1000 - KEEP_ALIVE_MARGIN_MS);
}
