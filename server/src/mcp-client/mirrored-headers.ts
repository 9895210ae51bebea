// `x-mcp-header` in an input schema: arguments that a 2026-07-28 client repeats in `Mcp-Param-*` headers.

import { isObject } from './message.ts';
import { headerValue } from './revisions.ts';

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES = ['string', 'integer', 'boolean', 'number'];

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

const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
