// Creates log streams of a project, each with its own path at a fake customer, and reads what arrived there.

import type { Customer } from './fake-customer.ts';
import { expectAnswer, unique } from './make.ts';
import { ROOT_KEY, type TestServer } from './start-server.ts';

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
  const answer = await server.api('POST', `/projects/${project_id}/log-streams`, { key: ROOT_KEY, body });
  return { ...expectAnswer(answer, 201), path };
}

export const batchesAt = (receiver: Pick<Customer, 'at'>, path: string): HttpsBatch[] =>
  receiver.at(path).map(({ body }) => JSON.parse(String(body)));

export const entriesAt = (receiver: Pick<Customer, 'at'>, path: string): string[] =>
  batchesAt(receiver, path).flatMap(({ entries }) => entries.map(({ id }) => id));
