// Calls operations of a real server by their operationId, and keeps the request and the response as an example.

import assert from 'node:assert/strict';
import type { Examples } from '../../src/http/openapi-examples.ts';
import { type Customer, startCustomer } from '../support/peers/fake-customer.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../support/peers/openid-provider.ts';
import type { ApiResponse, CallOptions } from '../support/requests/call-api.ts';
import { startServer, type TestServer } from '../support/servers/start-server.ts';
import { createNormalizer } from './normalize.ts';

type Call = CallOptions & {
  /** Values for the placeholders of the path. */
  params?: Record<string, string>;
  query?: Record<string, string>;
  /** The body is sent with this media type; for one that is not JSON, `shown_body` is the example. */
  media_type?: string;
  shown_body?: unknown;
  /** Shortens a response that is too long for an example. */
  shorten?: (body: any) => unknown;
};

export type Recorder = {
  server: TestServer;
  customer: Customer;
  openid: OpenIdProvider;
  examples: Examples;
  /** Expects success, and keeps request and response as the example of the operation. Returns the response body. */
  record(operationId: string, call?: Call): Promise<any>;
  /** Expects this error code, and keeps the response as its example. */
  recordError(operationId: string, code: string, call?: Call): Promise<void>;
  /** Keeps a response with this status that is not the usual error envelope. */
  recordStatus(operationId: string, status: number, call?: Call): Promise<void>;
};

/** Sends the request of an operation that is expected to succeed. A test may do something before and after. */
export type Around = (operationId: string, send: () => Promise<ApiResponse>, body: unknown) => Promise<ApiResponse>;

const once: Around = (_, send) => send();

export async function startRecorder(around = once): Promise<Recorder> {
  const customer = await startCustomer();
  const clock = { now: Date.now };
  const openid = await startOpenIdProvider({
    client_id: 'toolgate',
    client_secret: 'login-secret-of-the-examples',
    now: () => clock.now(),
  });
  const server = await startServer({ TOOLGATE_EGRESS_ALLOW: `${customer.address},${openid.address}` });
  clock.now = () => server.app.now();
  const operations = await readOperations(server);
  const examples: Examples = { operations: {}, errors: {} };

  async function send(operationId: string, call: Call, around = once) {
    const { params = {}, query = {}, media_type, shown_body, shorten = (body) => body, ...options } = call;
    const operation = operations.get(operationId);
    assert.ok(operation, `there is no operation ${operationId}`);
    const path = operation.path.replaceAll(
      /\{(\w+)\}/g,
      (_, name) => params[name] ?? assert.fail(`${name} is missing`),
    );
    const search = Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : '';
    if (media_type) options.headers = { 'content-type': media_type, ...options.headers };
    const response = await around(
      operationId,
      () => server.api(operation.method, path + search, options),
      options.body,
    );
    const normalize = createNormalizer({ now_ms: server.app.now(), customer, openid });
    const body = shown_body ?? options.body;
    return {
      response,
      shown_request: body === undefined ? undefined : normalize(body),
      shown_response: response.body === undefined ? undefined : normalize(shorten(response.body)),
    };
  }

  function keep(operationId: string, status: number, type: string, request: unknown, response: unknown): void {
    const { request: requests = {}, responses = {} } = examples.operations[operationId] ?? {};
    if (request !== undefined) requests[type] = request;
    if (response !== undefined) responses[status] = response;
    examples.operations[operationId] = { request: requests, responses };
  }

  return {
    server,
    customer,
    openid,
    examples,
    async record(operationId, call = {}) {
      const { response, shown_request, shown_response } = await send(operationId, call, around);
      assert.ok(response.status < 300, `${operationId}: ${response.status} ${response.text}`);
      const type = call.media_type?.split(';')[0] ?? 'application/json';
      keep(operationId, response.status, type, shown_request, shown_response);
      return response.body;
    },
    async recordError(operationId, code, call = {}) {
      const { response, shown_response } = await send(operationId, call);
      assert.equal(response.body?.error?.code, code, `${operationId}: ${response.status} ${response.text}`);
      examples.errors[code] = shown_response;
    },
    async recordStatus(operationId, status, call = {}) {
      const { response, shown_response } = await send(operationId, call);
      assert.equal(response.status, status, `${operationId}: ${response.text}`);
      keep(operationId, status, '', undefined, shown_response);
    },
  };
}

async function readOperations(server: TestServer): Promise<Map<string, { method: string; path: string }>> {
  const { body } = await server.api('GET', '/openapi.json');
  const found = Object.entries<Record<string, { operationId: string }>>(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [operationId, { method: method.toUpperCase(), path }]),
  );
  return new Map(found as [string, { method: string; path: string }][]);
}
