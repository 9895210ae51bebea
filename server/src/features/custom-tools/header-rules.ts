// Which headers a tool may set. Headers that frame the message, name its receiver or authenticate it are set by the service.

import { invalidField } from '../../errors.ts';

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
/** Visible ASCII; no spaces at the ends, because receivers trim them. */
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const MAX_HEADERS = 32;
const MAX_VALUE_LENGTH = 4_096;

/** Hop-by-hop headers, and headers that the connection or the call sets. */
const RESERVED: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'cookie',
  'expect',
  'host',
  'idempotency-key',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'set-cookie',
  'te',
  'traceparent',
  'tracestate',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export function checkHeaders(headers: Record<string, string>): void {
  const names = Object.keys(headers);
  if (names.length > MAX_HEADERS) throw invalidField('headers', `must be at most ${MAX_HEADERS}`);
  const seen = new Set<string>();
  for (const name of names) {
    const problem = headerNameProblem(name) ?? headerValueProblem(headers[name] as string);
    const lower = name.toLowerCase();
    const reason =
      problem ??
      (lower === 'authorization' ? 'is set by auth_strategy' : null) ??
      (seen.has(lower) ? 'is named twice' : null);
    if (reason !== null) throw invalidField(`headers.${name.slice(0, 128)}`, reason);
    seen.add(lower);
  }
}

/** Returns why a tool may not set a header of this name, or null. */
export function headerNameProblem(name: string): string | null {
  if (!TOKEN.test(name)) return 'is not a header name';
  const lower = name.toLowerCase();
  return RESERVED.has(lower) || lower.startsWith('x-toolgate-') ? 'is set by the service' : null;
}

export function headerValueProblem(value: string): string | null {
  if (value.length > MAX_VALUE_LENGTH) return `must have at most ${MAX_VALUE_LENGTH} characters`;
  return VALUE.test(value) ? null : 'must be visible ASCII characters';
}
