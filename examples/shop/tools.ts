// The shop's endpoints as tools. A model reads the names, descriptions and schemas; tool-routes.ts answers the calls.

import { sealSecret, type Toolgate } from '../../sdk/src/index.ts';

const tools = [
  {
    name: 'find_products',
    description: 'Finds products in the shop by a word in their name. Returns id, name and price.',
    method: 'GET',
    endpoint_path: '/v1/products',
    input_schema: {
      type: 'object',
      properties: { search: { type: 'string', description: 'A word in the name, such as "tea"' } },
      required: ['search'],
      additionalProperties: false,
    },
  },
  {
    name: 'place_order',
    description: 'Orders a product for the current user. Returns the order with its total.',
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
    description: "Lists the current user's orders.",
    method: 'GET',
    endpoint_path: '/v1/orders',
    require_member: true,
    input_schema: { type: 'object', additionalProperties: false },
  },
] as const;

/** `secret` signs every request to the shop. It is encrypted here: nothing between the shop and toolgate can read it. */
export async function registerTools(
  toolgate: Toolgate,
  { base_url, secret }: { base_url: string; secret: string },
): Promise<string[]> {
  const { jwk } = await toolgate.customTools.encryptionKey();
  const names: string[] = [];
  for (const tool of tools) {
    const encrypted_auth_secret = await sealSecret({ publicKey: jwk, secret });
    await toolgate.customTools.create({ ...tool, base_url, auth_strategy: 'hmac_signature', encrypted_auth_secret });
    names.push(tool.name);
  }
  return names;
}
