// Creates hooks whose policy is a path of a fake customer.

import type { Customer, CustomerResponse, ReceivedRequest } from '../peers/fake-customer.ts';
import { ROOT_KEY, type TestServer } from '../servers/start-server.ts';
import { expectResponse, unique } from './make.ts';

export type MadeHook = { id: string; secret: string; path: string; [field: string]: any };

type Policy = CustomerResponse | ((request: ReceivedRequest) => CustomerResponse);

/** `policy`: what it answers; it allows everything by default. */
export async function makeHook(
  server: Pick<TestServer, 'api'>,
  customer: Customer,
  project_id: string,
  fields: object = {},
  policy: Policy = { body: { decision: 'allow' } },
): Promise<MadeHook> {
  const path = `/${unique('hook')}`;
  customer.respond(path, policy);
  const body = { url: customer.url + path, points: ['before'], ...fields };
  const made = expectResponse(await server.api('POST', `/projects/${project_id}/hooks`, { key: ROOT_KEY, body }), 201);
  return { ...made, path };
}
