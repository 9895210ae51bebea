// The endpoints of the sample shop as tools, the same as those of `npm run demo`; shop.ts handles their calls.

import { customToolRequest } from '@toolgate/contract/custom-tools/custom-tool.ts';
import { SAMPLE_ORIGIN, SAMPLE_SECRET } from './shop.ts';

const definitions = [
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
];

export const sampleTools = definitions.map((definition) =>
  customToolRequest.parse({
    ...definition,
    base_url: SAMPLE_ORIGIN,
    auth_strategy: 'hmac_signature',
    encrypted_auth_secret: SAMPLE_SECRET,
  }),
);
