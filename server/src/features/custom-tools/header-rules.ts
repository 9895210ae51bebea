// Which headers a tool may set. Headers that frame the message, name its receiver or authenticate it are set by the service.

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
/** Visible ASCII; no spaces at the ends, because receivers trim them. */
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
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

export const isHeaderName = (name: string) => TOKEN.test(name);

/** Returns why a tool may not set a header of this name, or null. */
export function headerNameProblem(name: string): string | null {
  if (!isHeaderName(name)) return 'is not a header name';
  const lower = name.toLowerCase();
  return RESERVED.has(lower) || lower.startsWith('x-toolgate-') ? 'is set by the service' : null;
}

export function headerValueProblem(value: string): string | null {
  if (value.length > MAX_VALUE_LENGTH) return `must have at most ${MAX_VALUE_LENGTH} characters`;
  return VALUE.test(value) ? null : 'must be visible ASCII characters';
}
