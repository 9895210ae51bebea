// `x-mcp-header` in an input schema: arguments that a 2026-07-28 client repeats in `Mcp-Param-*` headers.

import { isObject } from './message.ts';
import { headerValue } from './revisions.ts';

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES = ['string', 'integer', 'boolean'];

export function mirroredHeaders(schema: Record<string, unknown>, given: unknown): Record<string, string> {
  const headers: Record<string, string> = {};
  collect(schema, given, headers);
  return headers;
}

/** Only nested `properties`: elsewhere it is not known in advance which argument is meant. Absent and null have no header. */
function collect(schema: Record<string, unknown>, given: unknown, headers: Record<string, string>): void {
  if (!isObject(schema.properties) || !isObject(given)) return;
  for (const [name, property] of Object.entries(schema.properties)) {
    if (!isObject(property) || !Object.hasOwn(given, name)) continue;
    const value = given[name];
    const header = property['x-mcp-header'];
    if (typeof header === 'string' && TOKEN.test(header) && TYPES.includes(String(property.type)) && isScalar(value))
      headers[`mcp-param-${header.toLowerCase()}`] = headerValue(String(value));
    collect(property, value, headers);
  }
}

/** The member of the schema with an `x-mcp-header` that the protocol does not allow, as a path with dots; null if every one is allowed. */
export function findInvalidMirror(schema: Record<string, unknown>): string | null {
  const names = new Set<string>();
  const search = ({ properties }: Record<string, unknown>, path: string[]): string | null => {
    for (const [name, property] of isObject(properties) ? Object.entries(properties) : []) {
      if (!isObject(property)) continue;
      const at = [...path, 'properties', name];
      const header = property['x-mcp-header'];
      if (header !== undefined) {
        const isNamed = typeof header === 'string' && TOKEN.test(header) && !names.has(header.toLowerCase());
        if (!isNamed || !TYPES.includes(String(property.type))) return [...at, 'x-mcp-header'].join('.');
        names.add(header.toLowerCase());
      }
      const inside = search(property, at);
      if (inside !== null) return inside;
    }
    return null;
  };
  return search(schema, []);
}

const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
