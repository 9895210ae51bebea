// Creates tools, each with its own path at the fake customer, and calls them.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import type { Customer, ReceivedRequest } from '../peers/fake-customer.ts';
import type { ApiResponse } from '../requests/call-api.ts';
import type { TestServer } from '../servers/start-server.ts';
import { expectResponse, unique } from './make.ts';

export type MadeTool = { id: string; name: string; endpoint_path: string; version: number; [field: string]: any };

export const toolFields = (base_url: string, fields: object = {}) => ({
  name: unique('tool'),
  base_url,
  endpoint_path: `/${unique('path')}`,
  input_schema: { type: 'object' },
  ...fields,
});

export async function makeTool(
  server: Pick<TestServer, 'api'>,
  key: string,
  { url }: Pick<Customer, 'url'>,
  fields: object = {},
): Promise<MadeTool> {
  return expectResponse(await server.api('POST', '/custom-tools', { key, body: toolFields(url, fields) }), 201);
}

export function execute(
  server: Pick<TestServer, 'api'>,
  key: string,
  id_or_name: string,
  given: unknown = {},
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  return server.api('POST', `/custom-tools/${id_or_name}/execute`, { key, body: { arguments: given }, headers });
}

/** Calls the tool. Returns the one request that the customer received for it. */
export async function received(
  server: TestServer,
  customer: Customer,
  key: string,
  tool: MadeTool,
  given: unknown = {},
  headers: Record<string, string> = {},
): Promise<ReceivedRequest> {
  const before = customer.requests.length;
  expectResponse(await execute(server, key, tool.id, given, headers), 200);
  const start = tool.endpoint_path.split(/[{?]/, 1)[0] as string;
  const requests = customer.requests.slice(before).filter(({ path }) => path.startsWith(start));
  assert.equal(requests.length, 1, `${requests.length} requests at ${start}`);
  return requests[0] as ReceivedRequest;
}

/** A call on its own connection, which the client closes once `until` resolves. */
export async function callAndDisconnect(
  server: TestServer,
  key: string,
  tool: MadeTool,
  until: Promise<unknown>,
  headers: Record<string, string> = {},
): Promise<void> {
  const call = request(`${server.url}/api/v1/custom-tools/${tool.id}/execute`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
  });
  call.on('error', () => {}); // "socket hang up" is expected
  call.end('{"arguments":{}}');
  await until;
  call.destroy();
}
