// The orders of each customer of the shop. In memory; yours are in a database.

import { type Order, products } from '../../contract/src/custom-tools/sample-shop.ts';

type StoredOrder = Order & { user_id: string; request_id: string };

export type Orders = {
  of(user_id: string): Order[];
  /** Returns null if there is no such product. A repeated `request_id` returns the order that it made. */
  place(order: { user_id: string; product_id: string; quantity: number; request_id: string }): Order | null;
};

export function createOrders(): Orders {
  const stored: StoredOrder[] = [];
  return {
    of: (user_id) => stored.filter((order) => order.user_id === user_id).map(withoutOwner),
    place(order) {
      const repeated = stored.find(({ request_id }) => request_id === order.request_id);
      if (repeated) return withoutOwner(repeated);
      const product = products.find(({ id }) => id === order.product_id);
      if (!product) return null;
      const id = `order-${stored.length + 1}`;
      const placed = { id, ...order, total_cents: product.price_cents * order.quantity };
      stored.push(placed);
      return withoutOwner(placed);
    },
  };
}

function withoutOwner({ id, product_id, quantity, total_cents }: StoredOrder): Order {
  return { id, product_id, quantity, total_cents };
}
