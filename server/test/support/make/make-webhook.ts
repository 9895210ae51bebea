// Creates a webhook of a project, with its own path at a fake customer.

import type { Customer } from '../peers/fake-customer.ts';
import { ROOT_KEY, type TestServer } from '../servers/start-server.ts';
import { expectResponse, unique } from './make.ts';

export type MadeWebhook = { id: string; secret: string; path: string; [field: string]: unknown };

export async function makeWebhook(
  server: Pick<TestServer, 'api'>,
  receiver: Pick<Customer, 'url'>,
  project_id: string,
  fields: object = {},
): Promise<MadeWebhook> {
  const path = `/${unique('hook')}`;
  const body = { url: `${receiver.url}${path}`, events: ['*'], ...fields };
  const response = await server.api('POST', `/projects/${project_id}/webhooks`, { key: ROOT_KEY, body });
  return { ...expectResponse(response, 201), path };
}
