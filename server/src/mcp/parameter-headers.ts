// `x-mcp-header` in an input_schema: arguments that a 2026-07-28 client repeats in `Mcp-Param-*` headers, so that proxies can route
// by them. A header that differs from the body would deceive the proxy, so it is refused.

import type { IncomingHttpHeaders } from 'node:http';
import { headerMismatch, isObject } from './json-rpc.ts';

type Declaration = { path: string[]; header: string; type: unknown };

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES = ['string', 'integer', 'boolean', 'number'];
const SENTINEL = /^=\?base64\?(.*)\?=$/s;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const DECIMAL = /^-?\d+(\.\d+)?$/;

/** By schema, which is the same object until the tool changes. */
const cached = new WeakMap<object, Declaration[]>();

export function checkParameterHeaders(
  schema: Record<string, unknown>,
  given: unknown,
  headers: IncomingHttpHeaders,
): void {
  let declared = cached.get(schema);
  if (!declared) {
    declared = [...declarations(schema, [])];
    cached.set(schema, declared);
  }
  for (const declaration of declared) checkOne(declaration, given, headers);
}

/** Decodes a header value. Returns undefined for invalid Base64 (2026-07-28, Value Encoding). */
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
  // Absent and null have no header; schema validation refuses values that are not scalars.
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return;
  const sent = headers[header.toLowerCase()];
  if (typeof sent !== 'string') throw headerMismatch(`the ${header} header is missing`);
  const decoded = decodeHeaderValue(sent);
  if (decoded === undefined) throw headerMismatch(`${header} is not valid Base64`);
  const isNumeric = (type === 'integer' || type === 'number') && typeof value === 'number' && DECIMAL.test(decoded);
  if (isNumeric ? Number(decoded) !== value : decoded !== String(value))
    throw headerMismatch(`${header} differs from ${path.join('.')}`);
}

/** Only nested `properties` are searched: elsewhere the path of the argument is not known in advance. */
function* declarations(schema: Record<string, unknown>, path: string[]): Generator<Declaration> {
  const header = schema['x-mcp-header'];
  if (path.length > 0 && typeof header === 'string' && TOKEN.test(header) && TYPES.includes(String(schema.type))) {
    yield { path, header: `Mcp-Param-${header}`, type: schema.type };
  }
  if (!isObject(schema.properties)) return;
  for (const [key, child] of Object.entries(schema.properties))
    if (isObject(child)) yield* declarations(child, [...path, key]);
}
