// Creates a webhook of a project, with its own path at a fake customer.

import type { Customer } from './fake-customer.ts';
import { expectAnswer, unique } from './make.ts';
import { ROOT_KEY, type TestServer } from './start-server.ts';

export type MadeWebhook = { id: string; secret: string; path: string; [field: string]: unknown };

export async function makeWebhook(
  server: Pick<TestServer, 'api'>,
  receiver: Pick<Customer, 'url'>,
  project_id: string,
  fields: object = {},
): Promise<MadeWebhook> {
  const path = `/${unique('hook')}`;
  const body = { url: `${receiver.url}${path}`, events: ['*'], ...fields };
  const answer = await server.api('POST', `/projects/${project_id}/webhooks`, { key: ROOT_KEY, body });
  return { ...expectAnswer(answer, 201), path };
}
