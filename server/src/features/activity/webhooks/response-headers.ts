// The headers of a receiver's response, as they are kept with an attempt.

/** A cookie is a secret between the receiver and a browser. */
const SECRET = new Set(['set-cookie', 'set-cookie2']);

/** `head` is the status line and the header lines. Names are in lower case, and the values of a repeated name are joined. */
export function responseHeaders(head: string): Record<string, string> {
  const headers = new Map<string, string>();
  for (const line of head.split('\r\n').slice(1)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = SECRET.has(name) ? '[secret]' : line.slice(colon + 1).trim();
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
}
