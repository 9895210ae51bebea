// The sample shop: a small API inside of this process, for people who try toolgate before they connect their own (docs/design/tool-calls.md).
// It verifies the signature of every request as a customer's API does.

import { createSecretKey, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from '../../../node-http.ts';
import type { BuiltIn } from '../../../outbound/built-in.ts';
import { canonicalString, sign } from '../calls/https/signature.ts';
import { createOrders, findProducts, type Orders } from './orders.ts';

/** Names under `invalid` are in no DNS (RFC 6761), so no other server can have this one. */
const SAMPLE_HOST = 'sample-shop.toolgate.invalid';
export const SAMPLE_ORIGIN = `https://${SAMPLE_HOST}`;
/** Public, and the same everywhere: it protects nothing, because only this process reaches the shop. */
export const SAMPLE_SECRET = 'sample-shop-secret-everybody-knows-it';

const key = createSecretKey(SAMPLE_SECRET, 'utf8');
const MAX_BODY_BYTES = 64 * 1024;

type ApiResponse = { status: number; body: object };
/** A request whose signature is right. */
type Verified = { project_id: string; member_id: string | null; query: URLSearchParams; body: string };

export function createSampleShop(): BuiltIn {
  const orders = createOrders();
  const server = createServer((request, response) => {
    respond(orders, request)
      .catch((): ApiResponse => ({ status: 400, body: { reason: 'unreadable_request' } }))
      .then((result) => send(response, result))
      .catch(() => response.destroy());
  });
  return { origin: SAMPLE_ORIGIN, server };
}

async function respond(orders: Orders, request: IncomingMessage): Promise<ApiResponse> {
  const body = await readBody(request);
  const { pathname, search, searchParams: query } = new URL(request.url ?? '/', SAMPLE_ORIGIN);
  if (!isSigned(request, { path: pathname, query: search.slice(1), body }))
    return { status: 401, body: { reason: 'signature_does_not_match' } };
  const member_id = header(request, 'member-id');
  return route(orders, `${request.method} ${pathname}`, {
    project_id: header(request, 'project-id') ?? '',
    member_id: member_id && decodeURIComponent(member_id),
    query,
    body,
  });
}

function route(orders: Orders, name: string, { project_id, member_id, query, body }: Verified): ApiResponse {
  if (name === 'GET /v1/products') return ok({ products: findProducts(query.get('search') ?? '') });
  if (name !== 'GET /v1/orders' && name !== 'POST /v1/orders') return { status: 404, body: { reason: 'no_such_path' } };
  if (member_id === null) return { status: 403, body: { reason: 'no_member' } };
  const person = { project_id, member_id };
  if (name === 'GET /v1/orders') return ok({ orders: orders.of(person) });
  const { product_id, quantity } = JSON.parse(body) as { product_id: string; quantity: number };
  const order = orders.place(person, String(product_id), Number(quantity));
  return order ? { status: 201, body: order } : { status: 404, body: { reason: 'no_such_product' } };
}

const ok = (body: object): ApiResponse => ({ status: 200, body });

function header({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[`x-toolgate-${name}`];
  return typeof value === 'string' ? value : null;
}

function isSigned(request: IncomingMessage, sent: { path: string; query: string; body: string }): boolean {
  const canonical = canonicalString({
    ...sent,
    timestamp: header(request, 'timestamp') ?? '',
    request_id: header(request, 'request-id') ?? '',
    method: request.method ?? '',
    host: SAMPLE_HOST,
    project_id: header(request, 'project-id') ?? '',
    integration_id: header(request, 'integration-id'),
    member_id: header(request, 'member-id'),
  });
  const expected = Buffer.from(`v1=${sign(key, canonical)}`);
  const received = (header(request, 'signature') ?? '').split(',').map((entry) => Buffer.from(entry));
  return received.some((entry) => entry.length === expected.length && timingSafeEqual(entry, expected));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY_BYTES) throw new Error('the body is too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function send(response: ServerResponse, { status, body }: ApiResponse): void {
  // No connection is kept: opening one costs nothing here.
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(body));
}
