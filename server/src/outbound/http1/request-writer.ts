// Encodes a request (RFC 9112). Refuses headers and paths that could change how the message is framed.

import { type HeaderLines, type Message, type Method, SendError } from '../messages.ts';

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VISIBLE = /^[\t\x20-\x7e]*$/;
const PATH = /^\/[\x21-\x7e]*$/;

/** They frame the message or name its receiver, so callers may not set them. */
const RESERVED: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** A cache of valid header names: most calls use the same few, and validating them again was the largest cost here. */
const valid_names = new Set<string>();
const MAX_VALID_NAMES = 1_000;

/** Of a body that is streamed, only the head. */
export function encodeRequest(method: Method, host: string, message: Message): string | Buffer {
  const { path, fixed_headers = '', headers, body } = message;
  if (!PATH.test(path)) throw new SendError('invalid', `path ${JSON.stringify(path.slice(0, 200))}`);
  const start = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\naccept-encoding: identity\r\n`;
  const lines = `${fixed_headers}${encodeHeaderLines(headers)}`;
  if (body === undefined) return `${start}${lines}${expectsBody(method) ? 'content-length: 0\r\n' : ''}\r\n`;
  const is_streamed = typeof body === 'object' && 'read' in body;
  const length = is_streamed ? body.length : Buffer.byteLength(body);
  const head = `${start}${lines}content-length: ${length}\r\n\r\n`;
  if (is_streamed) return head;
  return typeof body === 'string' ? head + body : Buffer.concat([Buffer.from(head, 'latin1'), body]);
}

/** Throws a SendError where a header cannot be sent. */
export function encodeHeaderLines(headers: Readonly<Record<string, string>>): HeaderLines {
  let lines = '';
  let values = '';
  for (const name in headers) {
    const value = headers[name] as string;
    if (!valid_names.has(name)) validateName(name);
    lines += `${name}: ${value}\r\n`;
    values += value;
  }
  // One test of all values is cheaper than one for each.
  if (!VISIBLE.test(values)) throw new SendError('invalid', 'a header value with more than visible ASCII');
  return lines as HeaderLines;
}

/** Without a Content-Length, a server may wait for the body of these. */
function expectsBody(method: Method): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH';
}

function validateName(name: string): void {
  if (!TOKEN.test(name) || RESERVED.has(name.toLowerCase()))
    throw new SendError('invalid', `header name ${JSON.stringify(name)}`);
  if (valid_names.size < MAX_VALID_NAMES) valid_names.add(name);
}
