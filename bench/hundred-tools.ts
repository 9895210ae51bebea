// 100 typical tools, for bench/mcp.ts and bench/tools.ts.

export const hundredTools = Array.from({ length: 100 }, (_, i) => ({
  name: `find_order_${String(i).padStart(3, '0')}`,
  description: 'Finds the orders of a customer by status and day, newest first. Use it before anything is changed.',
  input_schema: {
    type: 'object',
    properties: {
      customer: { type: 'string', description: 'Number of the customer', minLength: 1, maxLength: 40 },
      status: { type: 'string', enum: ['open', 'paid', 'sent', 'returned'] },
      since: { type: 'string', format: 'date', description: 'First day' },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: ['customer'],
    additionalProperties: false,
  },
}));
