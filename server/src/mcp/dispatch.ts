// Dispatches one message to its method, and renders its result or error. A batch (2025-03-26 and before) is several messages.

import type { IncomingHttpHeaders } from 'node:http';
import type { TokenCaller } from '../access/caller.ts';
import type { App } from '../app.ts';
import { countRequest, refuseBeyondLimit } from '../features/projects/projects/count-request.ts';
import { discover } from './discover.ts';
import { type Capabilities, NO_CAPABILITIES } from './elicitation.ts';
import { errorResponse, type McpResponse } from './error-response.ts';
import { initialize } from './initialize.ts';
import {
  type JsonText,
  RpcError,
  type RpcRequest,
  readMessage,
  requestIdOf,
  resultBody,
  wholeText,
} from './json-rpc.ts';
import type { Listeners } from './listeners.ts';
import type { HttpRequest, Method } from './method.ts';
import type { Notifier } from './notifier.ts';
import { ping } from './ping.ts';
import { checkBatch, detectProtocol, type Protocol, type ProtocolHeaders } from './protocol.ts';
import { resourcesList, resourcesRead, resourceTemplatesList } from './resources.ts';
import { newSessionId, readSessionId } from './session.ts';
import { subscriptionsListen } from './subscriptions-listen.ts';
import { tasksCancel, tasksGet, tasksUpdate } from './tasks.ts';
import { toolsCall } from './tools-call.ts';
import { toolsList } from './tools-list.ts';

const methods: Record<Protocol, Map<string, Method>> = {
  modern: new Map([
    ['server/discover', discover],
    ['tools/list', toolsList],
    ['tools/call', toolsCall],
    ['resources/list', resourcesList],
    ['resources/read', resourcesRead],
    ['resources/templates/list', resourceTemplatesList],
    ['tasks/get', tasksGet],
    ['tasks/update', tasksUpdate],
    ['tasks/cancel', tasksCancel],
  ]),
  legacy: new Map([
    ['initialize', initialize],
    ['ping', ping],
    ['tools/list', toolsList],
    ['tools/call', toolsCall],
    ['resources/list', resourcesList],
    ['resources/read', resourcesRead],
    ['resources/templates/list', resourceTemplatesList],
  ]),
};

const MAX_BATCH_SIZE = 20;
const ACCEPTED: McpResponse = { status: 202, body: '' };

export type McpRequest = {
  app: App;
  caller: TokenCaller;
  listeners: Listeners;
  headers: IncomingHttpHeaders;
  body_bytes: number;
  request_id: string;
  /** The rate limit headers of the response are made from `rate_limit`. */
  http_request: HttpRequest;
  notifier: Notifier | null;
};

/** `batch_index` is null for a message that is not in a batch. */
export async function dispatch(request: McpRequest, value: unknown, batch_index: number | null): Promise<McpResponse> {
  try {
    const message = readMessage(value);
    if (message.kind === 'response') return ACCEPTED;
    const protocol = detectProtocol(message, protocolHeaders(request.headers));
    const isStart = message.method === 'initialize';
    const session = protocol === 'legacy' && !isStart ? sessionCapabilities(request) : NO_CAPABILITIES;
    const capabilities = session instanceof Promise ? await session : session;
    if (message.kind === 'notification') return ACCEPTED;
    if (batch_index !== null) await checkBatchItem(request, message, batch_index);
    if (protocol === 'modern' && message.method === 'subscriptions/listen' && batch_index === null)
      return { status: 200, body: '', open: await listen(request, message) };
    const result = await runMethod(request, message, protocol, capabilities);
    const session_id = isStart ? await newSessionId(request.app, request.caller, message.params) : null;
    const headers = session_id === null ? {} : { headers: { 'mcp-session-id': session_id } };
    return { status: 200, ...headers, body: resultBody(message.id, result) };
  } catch (error) {
    return errorResponse(request.app, error, requestIdOf(value), request.request_id);
  }
}

const listen = ({ app, listeners, caller, request_id, http_request }: McpRequest, message: RpcRequest) =>
  subscriptionsListen({ app, listeners, caller, call: { protocol: 'modern', request_id, http_request } }, message);

export async function dispatchBatch(request: McpRequest, values: unknown[]): Promise<McpResponse> {
  checkBatch(protocolHeaders(request.headers));
  if (values.length === 0 || values.length > MAX_BATCH_SIZE) {
    throw new RpcError('invalid_request', `Invalid request: a batch has 1 to ${MAX_BATCH_SIZE} messages`);
  }
  const responses = await Promise.all(values.map((value, batch_index) => dispatch(request, value, batch_index)));
  const bodies = responses.flatMap(({ body }) => (body === '' ? [] : [wholeText(body)]));
  return bodies.length === 0 ? ACCEPTED : { status: 200, body: `[${bodies.join(',')}]` };
}

function runMethod(
  request: McpRequest,
  { method, params }: RpcRequest,
  protocol: Protocol,
  capabilities: Capabilities,
): JsonText | Promise<JsonText> {
  const run = methods[protocol].get(method);
  // 2026-07-28 reports an unknown method with status 404; earlier revisions with 200.
  if (!run)
    throw new RpcError('method_not_found', `Method not found: ${method}`, {
      status: protocol === 'modern' ? 404 : 200,
    });
  const { app, caller, headers, body_bytes, request_id, http_request, notifier } = request;
  return run(app, caller, { protocol, params, headers, body_bytes, request_id, http_request, capabilities, notifier });
}

/** Without a promise for clients without a session. */
function sessionCapabilities({ app, caller, headers }: McpRequest): Capabilities | Promise<Capabilities> {
  const id = headerText(headers['mcp-session-id']);
  return id === undefined ? NO_CAPABILITIES : readSessionId(app, caller, id);
}

/** The POST was counted as one request. Each further message of a batch is counted too, so that batches do not evade the limit. */
async function checkBatchItem(
  { app, caller: { project }, http_request }: McpRequest,
  { method }: RpcRequest,
  batch_index: number,
): Promise<void> {
  if (method === 'initialize')
    throw new RpcError('invalid_request', 'Invalid request: initialize must be the only message');
  if (batch_index === 0) return;
  refuseBeyondLimit(await countRequest(app, project, http_request));
}

function protocolHeaders(headers: IncomingHttpHeaders): ProtocolHeaders {
  return {
    version: headerText(headers['mcp-protocol-version']),
    method: headerText(headers['mcp-method']),
    name: headerText(headers['mcp-name']),
  };
}

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
