// What a hand-written MCP server does for a call of the sample tool: one request to the API. It signs, limits and records nothing.

import { Pool } from 'undici';
import { z } from 'zod';

export const description =
  'Finds the orders of a customer by status and day, newest first. Use it before anything is changed.';

export const parameters = z.strictObject({
  customer: z.string().min(1).max(40).describe('Number of the customer'),
  status: z.enum(['open', 'paid', 'sent', 'returned']).optional(),
  since: z.iso.date().describe('First day').optional(),
  limit: z.int().min(1).max(100).optional(),
});

/** The tools of the project that is measured. */
export const names = (process.env.TOOLS as string).split(',');

const { origin, pathname: path } = new URL(process.env.UPSTREAM as string);
const pool = new Pool(origin, { connections: 10 });

export async function findOrders(given: z.infer<typeof parameters>): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const { body } = await pool.request({ path, method: 'POST', headers, body: JSON.stringify(given) });
  return body.text();
}
