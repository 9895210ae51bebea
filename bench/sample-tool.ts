// A typical tool, and typical arguments for it.

export const sampleArguments = { customer: 'C-1024', status: 'paid', since: '2026-11-01', limit: 20 };

export const sampleTool = (i: number, origin: string) => ({
  name: `find_order_${String(i).padStart(3, '0')}`,
  description: 'Finds the orders of a customer by status and day, newest first. Use it before anything is changed.',
  base_url: origin,
  endpoint_path: '/orders',
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
});
