// What headers that customers choose may be called and hold. The service sets those that frame the message, name its receiver or
// are its own.

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
/** Visible ASCII; no spaces at the ends, because receivers trim them. */
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Hop-by-hop headers, and headers that the connection or a trace sets. */
const RESERVED: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'traceparent',
  'tracestate',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export const isHeaderName = (name: string) => TOKEN.test(name);

/** `name` in lower case. */
export const isSetByService = (name: string) => RESERVED.has(name) || name.startsWith('x-toolgate-');

export function headerValueProblem(value: string, max_length: number): string | null {
  if (value.length > max_length) return `must have at most ${max_length} characters`;
  return VALUE.test(value) ? null : 'must be visible ASCII characters';
}
