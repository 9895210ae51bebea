// Creates log streams of a project, each with its own path at a fake customer, and reads what arrived there.

import type { Customer } from '../peers/fake-customer.ts';
import { ROOT_KEY, type TestServer } from '../servers/start-server.ts';
import { expectResponse, unique } from './make.ts';

export type MadeLogStream = { id: string; secret: string | null; path: string; [field: string]: any };

export type HttpsBatch = { stream_id: string; first_id: string; last_id: string; entries: { id: string }[] };

export async function makeLogStream(
  server: Pick<TestServer, 'api'>,
  receiver: Pick<Customer, 'url'>,
  project_id: string,
  fields: object = {},
): Promise<MadeLogStream> {
  const path = `/${unique('stream')}`;
  const body = { kind: 'https', source: 'tool_calls', endpoint: `${receiver.url}${path}`, ...fields };
  const response = await server.api('POST', `/projects/${project_id}/log-streams`, { key: ROOT_KEY, body });
  return { ...expectResponse(response, 201), path };
}

export const batchesAt = (receiver: Pick<Customer, 'at'>, path: string): HttpsBatch[] =>
  receiver.at(path).map(({ body }) => JSON.parse(String(body)));

export const entriesAt = (receiver: Pick<Customer, 'at'>, path: string): string[] =>
  batchesAt(receiver, path).flatMap(({ entries }) => entries.map(({ id }) => id));
