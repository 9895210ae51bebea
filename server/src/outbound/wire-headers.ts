// Request headers as undici writes them, refused here where they could change what the message means.
// undici would refuse most of these too, but a pool never again uses the connection on which it did.

import { SendError } from './messages.ts';

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VISIBLE = /^[\t\x20-\x7e]*$/;
const INVALID_PATH = /^[^/]|[^\x21-\x7e]/;

/** They frame the message or name its receiver: only the connection itself sets them. */
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

function judge(name: string): void {
  if (!TOKEN.test(name) || OURS.has(name.toLowerCase()))
    throw new SendError('invalid', `header name ${JSON.stringify(name)}`);
  if (judged.size < MOST_JUDGED) judged.add(name);
}

/** Name, value, name, value … */
export function wireHeaders(headers: Readonly<Record<string, string>>): string[] {
  const wire = ['accept-encoding', 'identity'];
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined) continue;
    if (!judged.has(name)) judge(name);
    if (!VISIBLE.test(value)) throw new SendError('invalid', `value of header ${name}`);
    wire.push(name, value);
  }
  return wire;
}

export function isWirePath(path: string): boolean {
  return path !== '' && !INVALID_PATH.test(path);
}
