// Which headers a tool may set. Those that frame the message, name its receiver or prove who we are stay ours.

import { invalidField } from './invalid-field.ts';

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
/** Visible ASCII; spaces inside only, because receivers cut them off at the ends. */
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const MOST = 32;
const LONGEST_VALUE = 4_096;

/** Hop-by-hop headers, and those that the connection or the call itself sets. */
const OURS: ReadonlySet<string> = new Set([
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
  if (names.length > MOST) throw invalidField('headers', `must be at most ${MOST}`);
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

/** Why no tool may set a header of this name, or null. */
export function headerNameProblem(name: string): string | null {
  if (!TOKEN.test(name)) return 'is not a header name';
  const lower = name.toLowerCase();
  return OURS.has(lower) || lower.startsWith('x-toolgate-') ? 'is set by the service' : null;
}

export function headerValueProblem(value: string): string | null {
  if (value.length > LONGEST_VALUE) return `must have at most ${LONGEST_VALUE} characters`;
  return VALUE.test(value) ? null : 'must be visible ASCII characters';
}
