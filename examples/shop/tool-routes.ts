// The endpoints that models call. They are reached only with a verified signature, so `user_id` can be trusted.

import { findProducts, type Orders } from './orders.ts';

export type ApiResponse = { status: number; body?: unknown };

/** A verified request. `user_id` is the shop's own id of the person; null if the call is for nobody. */
export type ToolCall = { user_id: string | null; request_id: string; query: URLSearchParams; body: Buffer };

export type ToolRoute = (call: ToolCall) => ApiResponse;

export function toolRoutes(orders: Orders): ReadonlyMap<string, ToolRoute> {
  return new Map<string, ToolRoute>([
    ['GET /v1/products', ({ query }) => ok({ products: findProducts(query.get('search') ?? '') })],
    [
      'GET /v1/orders',
      ({ user_id }) =>
        user_id === null ? { status: 403, body: { reason: 'no_user' } } : ok({ orders: orders.of(user_id) }),
    ],
    ['POST /v1/orders', (call) => placeOrder(orders, call)],
  ]);
}

const ok = (body: object): ApiResponse => ({ status: 200, body });

function placeOrder(orders: Orders, { user_id, request_id, body }: ToolCall): ApiResponse {
  if (user_id === null) return { status: 403, body: { reason: 'no_user' } };
  // toolgate has validated the arguments against the tool's input_schema before it signed them.
  const { product_id, quantity } = JSON.parse(body.toString()) as { product_id: string; quantity: number };
  const order = orders.place({ user_id, product_id, quantity, request_id });
  return order ? { status: 201, body: order } : { status: 404, body: { reason: 'no_such_product' } };
}
