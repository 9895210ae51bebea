// Creates hooks whose policy is a path of a fake customer.

import type { Customer, CustomerAnswer, ReceivedRequest } from './fake-customer.ts';
import { expectAnswer, unique } from './make.ts';
import { ROOT_KEY, type TestServer } from './start-server.ts';

export type MadeHook = { id: string; secret: string; path: string; [field: string]: any };

type Policy = CustomerAnswer | ((request: ReceivedRequest) => CustomerAnswer);

/** `policy`: what it answers; it allows everything by default. */
export async function makeHook(
  server: TestServer,
  customer: Customer,
  project_id: string,
  fields: object = {},
  policy: Policy = { body: { decision: 'allow' } },
): Promise<MadeHook> {
  const path = `/${unique('hook')}`;
  customer.answer(path, policy);
  const body = { url: customer.url + path, points: ['before'], ...fields };
  const made = expectAnswer(await server.api('POST', `/projects/${project_id}/hooks`, { key: ROOT_KEY, body }), 201);
  return { ...made, path };
}
