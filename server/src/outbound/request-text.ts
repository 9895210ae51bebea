// A request as it goes on the wire (RFC 9112), refused here where a header or the path could change what the message means.

import { type HeaderLines, type Message, type OutboundRequest, SendError } from './messages.ts';

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VISIBLE = /^[\t\x20-\x7e]*$/;
const PATH = /^\/[\x21-\x7e]*$/;

/** They frame the message or name its receiver: only this file sets them. */
const OURS: ReadonlySet<string> = new Set([
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

/** Names that may be sent: the same few come with every call, and judging them again costs more than all else here. */
const judged = new Set<string>();
const MOST_JUDGED = 1_000;

export function requestText(method: OutboundRequest['method'], host: string, message: Message): string {
  const { path, fixed_headers = '', headers, body } = message;
  if (!PATH.test(path)) throw new SendError('invalid', `path ${JSON.stringify(path.slice(0, 200))}`);
  const start = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\naccept-encoding: identity\r\n`;
  const lines = `${fixed_headers}${headerLines(headers)}`;
  if (body === undefined) return `${start}${lines}${mayHaveBody(method) ? 'content-length: 0\r\n' : ''}\r\n`;
  return `${start}${lines}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Headers as lines of a request; throws where they cannot be sent. */
export function headerLines(headers: Readonly<Record<string, string>>): HeaderLines {
  let lines = '';
  let values = '';
  for (const name in headers) {
    const value = headers[name] as string;
    if (!judged.has(name)) judge(name);
    lines += `${name}: ${value}\r\n`;
    values += value;
  }
  // One look at all of them is cheaper than one at each.
  if (!VISIBLE.test(values)) throw new SendError('invalid', 'a header value with more than visible ASCII');
  return lines as HeaderLines;
}

/** A server may wait for the body of these unless it is told that there is none. */
function mayHaveBody(method: OutboundRequest['method']): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH';
}

function judge(name: string): void {
  if (!TOKEN.test(name) || OURS.has(name.toLowerCase()))
    throw new SendError('invalid', `header name ${JSON.stringify(name)}`);
  if (judged.size < MOST_JUDGED) judged.add(name);
}
