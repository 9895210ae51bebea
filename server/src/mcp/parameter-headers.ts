// `x-mcp-header` in an input_schema: arguments that a 2026-07-28 client repeats in `Mcp-Param-*` headers, so that whatever stands
// between can route by them. What stands between would be deceived by a header that differs from the body: refused.

import type { IncomingHttpHeaders } from 'node:http';
import { isObject, mismatch } from './json-rpc.ts';

type Declaration = { path: string[]; header: string; type: unknown };

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES = ['string', 'integer', 'boolean', 'number'];
const SENTINEL = /^=\?base64\?(.*)\?=$/s;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const DECIMAL = /^-?\d+(\.\d+)?$/;

/** By schema: the same object as long as the tool stays the same. */
const known = new WeakMap<object, Declaration[]>();

export function checkParameterHeaders(
  schema: Record<string, unknown>,
  given: unknown,
  headers: IncomingHttpHeaders,
): void {
  let declared = known.get(schema);
  if (!declared) {
    declared = [...declarations(schema, [])];
    known.set(schema, declared);
  }
  for (const declaration of declared) checkOne(declaration, given, headers);
}

/** The value of a header; `undefined` where it claims to be Base64 and is not (2026-07-28, Value Encoding). */
export function decodeHeaderValue(value: string): string | undefined {
  const encoded = value.startsWith('=?') ? SENTINEL.exec(value)?.[1] : undefined;
  if (encoded === undefined) return value;
  if (!BASE64.test(encoded)) return undefined;
  return Buffer.from(encoded, 'base64').toString('utf8');
}

function checkOne({ path, header, type }: Declaration, given: unknown, headers: IncomingHttpHeaders): void {
  const value = path.reduce<unknown>(
    (at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined),
    given,
  );
  // Absent and null have no header; anything but a scalar is the schema's to refuse.
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return;
  const sent = headers[header.toLowerCase()];
  if (typeof sent !== 'string') throw mismatch(`the ${header} header is missing`);
  const decoded = decodeHeaderValue(sent);
  if (decoded === undefined) throw mismatch(`${header} is not valid Base64`);
  const isNumeric = (type === 'integer' || type === 'number') && typeof value === 'number' && DECIMAL.test(decoded);
  if (isNumeric ? Number(decoded) !== value : decoded !== String(value))
    throw mismatch(`${header} differs from ${path.join('.')}`);
}

/** Only a chain of `properties` can lead to one: elsewhere the place of the argument is not known beforehand. */
function* declarations(schema: Record<string, unknown>, path: string[]): Generator<Declaration> {
  const header = schema['x-mcp-header'];
  if (path.length > 0 && typeof header === 'string' && TOKEN.test(header) && TYPES.includes(String(schema.type))) {
    yield { path, header: `Mcp-Param-${header}`, type: schema.type };
  }
  if (!isObject(schema.properties)) return;
  for (const [key, child] of Object.entries(schema.properties))
    if (isObject(child)) yield* declarations(child, [...path, key]);
}
