// The sample shop: what it sells, and its endpoints as tools. The server has such a shop for people who try it out, and examples/shop is
// the backend of one.

export type Product = { id: string; name: string; price_cents: number };
export type Order = { id: string; product_id: string; quantity: number; total_cents: number };

export const products: readonly Product[] = [
  { id: 'tea', name: 'Green tea, 100 g', price_cents: 890 },
  { id: 'pot', name: 'Tea pot, 1 l', price_cents: 3400 },
  { id: 'mug', name: 'Mug, blue', price_cents: 1250 },
];

export function findProducts(search: string): Product[] {
  return products.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
}

/** A model reads the names, descriptions and schemas. */
export const shopTools = [
  {
    name: 'find_products',
    description: 'Finds products of the shop by a word of their name. Returns id, name and price.',
    method: 'GET',
    endpoint_path: '/v1/products',
    input_schema: {
      type: 'object',
      properties: { search: { type: 'string', description: 'A word of the name, such as "tea"' } },
      required: ['search'],
      additionalProperties: false,
    },
  },
  {
    name: 'place_order',
    description: 'Orders a product for the person who asks. Returns the order with its total.',
    method: 'POST',
    endpoint_path: '/v1/orders',
    // Only a signed-in member can call it, and only for herself.
    require_member: true,
    input_schema: {
      type: 'object',
      properties: {
        product_id: { type: 'string', description: 'The id that find_products returns' },
        quantity: { type: 'integer', minimum: 1, maximum: 10 },
      },
      required: ['product_id', 'quantity'],
      additionalProperties: false,
    },
  },
  {
    name: 'my_orders',
    description: 'Lists the orders of the person who asks.',
    method: 'GET',
    endpoint_path: '/v1/orders',
    require_member: true,
    input_schema: { type: 'object', additionalProperties: false },
  },
] as const;
