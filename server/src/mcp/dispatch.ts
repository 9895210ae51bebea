// One message → one answer: its era, its method, its result or error. A batch (2025-03-26 and before) is many of them.

import type { IncomingHttpHeaders } from 'node:http';
import type { ToolCaller } from '../access/caller.ts';
import type { GoneSignal } from '../api/gone-signal.ts';
import type { Allowance } from '../api/response-headers.ts';
import type { App } from '../app.ts';
import { refuse } from '../errors.ts';
import { countRequest } from '../features/projects/count-request.ts';
import { discover } from './discover.ts';
import { type Answer, errorAnswer } from './error-reply.ts';
import { initialize } from './initialize.ts';
import { bodyText, idOf, type ResultText, RpcError, type RpcRequest, readMessage, resultBody } from './json-rpc.ts';
import type { Method } from './method.ts';
import { ping } from './ping.ts';
import { checkBatch, type Era, eraOf, type ProtocolHeaders } from './protocol.ts';
import { callTool } from './tools-call.ts';
import { listTools } from './tools-list.ts';

const methods: Record<Era, Map<string, Method>> = {
  modern: new Map([
    ['server/discover', discover],
    ['tools/list', listTools],
    ['tools/call', callTool],
  ]),
  legacy: new Map([
    ['initialize', initialize],
    ['ping', ping],
    ['tools/list', listTools],
    ['tools/call', callTool],
  ]),
};

const LARGEST_BATCH = 20;
const ACCEPTED: Answer = { status: 202, body: '' };

export type Post = {
  app: App;
  caller: ToolCaller;
  headers: IncomingHttpHeaders;
  body_bytes: number;
  request_id: string;
  /** What is left of the hour is told in its answer. */
  request: { allowance: Allowance | null };
  gone(): GoneSignal;
};

/** `place` is where in a batch it stands, null when it came alone. */
export async function dispatch(post: Post, value: unknown, place: number | null): Promise<Answer> {
  try {
    const message = readMessage(value);
    if (message.kind === 'response') return ACCEPTED;
    const era = eraOf(message, protocolHeaders(post.headers));
    if (message.kind === 'notification') return ACCEPTED;
    if (place !== null) await checkPlace(post, message, place);
    return { status: 200, body: resultBody(message.id, await run(post, message, era)) };
  } catch (error) {
    return errorAnswer(post.app, error, idOf(value), post.request_id);
  }
}

export async function dispatchBatch(post: Post, values: unknown[]): Promise<Answer> {
  checkBatch(protocolHeaders(post.headers));
  if (values.length === 0 || values.length > LARGEST_BATCH) {
    throw new RpcError('invalid_request', `Invalid request: a batch has 1 to ${LARGEST_BATCH} messages`);
  }
  const answers = await Promise.all(values.map((value, place) => dispatch(post, value, place)));
  const bodies = answers.flatMap(({ body }) => (body === '' ? [] : [bodyText(body)]));
  return bodies.length === 0 ? ACCEPTED : { status: 200, body: `[${bodies.join(',')}]` };
}

function run(post: Post, { method, params }: RpcRequest, era: Era): ResultText | Promise<ResultText> {
  const found = methods[era].get(method);
  // 2026-07-28 tells an unknown method by the status too; the older ones in band.
  if (!found)
    throw new RpcError('method_not_found', `Method not found: ${method}`, { status: era === 'modern' ? 404 : 200 });
  const { app, caller, headers, body_bytes, request_id, gone } = post;
  return found(app, caller, { era, params, headers, body_bytes, request_id, gone });
}

/** The door counted the POST as one request; a batch must not be a way to make more of it. */
async function checkPlace(
  { app, caller: { project }, request }: Post,
  { method }: RpcRequest,
  place: number,
): Promise<void> {
  if (method === 'initialize') throw new RpcError('invalid_request', 'Invalid request: initialize stands alone');
  if (place === 0) return;
  const { allowed, retry_after_seconds } = await countRequest(app, project, request);
  if (!allowed) throw refuse.rateLimitExceeded({ details: { retry_after_seconds } });
}

function protocolHeaders(headers: IncomingHttpHeaders): ProtocolHeaders {
  return {
    version: one(headers['mcp-protocol-version']),
    method: one(headers['mcp-method']),
    name: one(headers['mcp-name']),
  };
}

function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
