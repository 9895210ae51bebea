// Headers of a received request, in the shapes that servers give them.

/** A `Headers`, the header object of Node, or pairs of name and value. */
export type ReceivedHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined }
  | readonly (readonly [string, string])[];

/** Looks up a header by its lower-case name; null if it is missing or empty. Repeated headers are joined, as fetch does. */
export function headerReader(headers: ReceivedHeaders): (name: string) => string | null {
  if (typeof headers !== 'object' || headers === null) throw new TypeError('headers are missing');
  if ('get' in headers && typeof headers.get === 'function') {
    const given = headers as { get(name: string): string | null };
    // Headers throws for the name of a pseudo-header.
    return (name) => (name.startsWith(':') ? null : given.get(name) || null);
  }
  const values = new Map<string, string>();
  const pairs = Symbol.iterator in headers ? headers : Object.entries(headers);
  for (const [name, value] of pairs as Iterable<[string, string | readonly string[] | undefined]>) {
    if (value === undefined) continue;
    const key = name.toLowerCase();
    const before = values.get(key);
    const text = typeof value === 'string' ? value : value.join(', ');
    values.set(key, before === undefined ? text : `${before}, ${text}`);
  }
  return (name) => values.get(name) || null;
}
