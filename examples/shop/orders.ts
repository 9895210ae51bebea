// What the shop knows: products for everybody, and the orders of each customer. In memory; yours are in a database.

export type Product = { id: string; name: string; price_cents: number };
export type Order = { id: string; product_id: string; quantity: number; total_cents: number };

const products: Product[] = [
  { id: 'tea', name: 'Green tea, 100 g', price_cents: 890 },
  { id: 'pot', name: 'Tea pot, 1 l', price_cents: 3400 },
  { id: 'mug', name: 'Mug, blue', price_cents: 1250 },
];

export function findProducts(search: string): Product[] {
  return products.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
}

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
