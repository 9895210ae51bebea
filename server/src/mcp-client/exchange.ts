// Sends one JSON-RPC request to an MCP server and reads its response: JSON, or a stream of events that ends with the response (Streamable
// HTTP). A stream that broke off is resumed where the server supports it.

import { isUtf8 } from 'node:buffer';
import type { OutboundResponse, WatchBody } from '../outbound/messages.ts';
import { createEventReader, type EventReader } from './event-reader.ts';
import { type Incoming, McpProblem, type MessageLimits, type RpcResponse, readMessages } from './message.ts';

export type TransportRequest = {
  method: 'POST' | 'GET' | 'DELETE';
  headers: Record<string, string>;
  body?: string;
  watch?: WatchBody;
  /** Waits so long before it is sent. */
  after_ms?: number;
};

/** Sends to the URL of the server, with its credential and within the time that is left. Rejects with a SendError. */
export type Transport = (request: TransportRequest) => Promise<OutboundResponse>;

export type RpcRequest = {
  /** From newRequestId(). */
  id: number;
  method: string;
  params: Record<string, unknown>;
  headers: Record<string, string>;
  limits: MessageLimits;
  onProgress?: ((params: Record<string, unknown>) => void) | undefined;
  /** Only servers with sessions send requests, and can resume a stream. */
  is_legacy: boolean;
};

export type Responded = { reply: RpcResponse; response: OutboundResponse };

/** For every message that is sent. */
export const POSTED = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
const DEFAULT_RETRY_MS = 1_000;
const MAX_RETRY_MS = 10_000;
const MAX_RESUMES = 20;
/** Each is a request of ours: a server that asks for ever must not make us send for ever. */
const MAX_RESPONSES = 20;

let last_id = 0;

/** In a session no id is used twice. */
export function newRequestId(): number {
  last_id += 1;
  return last_id;
}

export const requestText = ({ id, method, params }: Pick<RpcRequest, 'id' | 'method' | 'params'>) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

/** Rejects with a SendError or an McpProblem. */
export async function exchange(transport: Transport, request: RpcRequest): Promise<Responded> {
  const stream = createStream(transport, request);
  return converse(transport, request, stream, (response) => {
    const reply = stream.reply() ?? readResponse(response, request);
    return reply && { reply, response };
  });
}

/** The text of the response, which may be large: whoever reads it finds out what it is. */
export type UnreadResponse = { unread: Buffer | string };

/** Like exchange(), but parses only what is within the limits, and nothing else here: parsing could block the event loop. */
export async function exchangeUnread(transport: Transport, request: RpcRequest): Promise<UnreadResponse> {
  const stream = createStream(transport, request);
  return converse(transport, request, stream, (response) => {
    const unread = stream.text() ?? readUnread(response, request);
    return unread === undefined ? undefined : { unread };
  });
}

/** `read` returns undefined for a stream that ended without a response. */
async function converse<T>(
  transport: Transport,
  request: RpcRequest,
  stream: Stream,
  read: (response: OutboundResponse) => T | undefined,
): Promise<T> {
  const body = requestText(request);
  const headers = { ...request.headers, ...POSTED };
  let response = await transport({ method: 'POST', headers, body, watch: stream.watch });
  for (let resumes = 0; ; resumes += 1) {
    const found = read(response);
    if (found !== undefined) return found;
    const after = stream.reader.lastId();
    if (after === null || !request.is_legacy || resumes === MAX_RESUMES)
      throw new McpProblem('protocol', 'The stream ended without a response');
    stream.reader.end();
    const after_ms = Math.min(stream.reader.retryMs() ?? DEFAULT_RETRY_MS, MAX_RETRY_MS);
    const resume = { ...request.headers, accept: 'text/event-stream', 'last-event-id': after };
    response = await transport({ method: 'GET', headers: resume, watch: stream.watch, after_ms });
  }
}

/** A notification, or the response to a request of the server. */
export async function notify(transport: Transport, headers: Record<string, string>, message: object): Promise<void> {
  const { status } = await transport({
    method: 'POST',
    headers: { ...headers, ...POSTED },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });
  if (status < 200 || status > 299) throw new McpProblem('status', 'A notification was refused', status);
}

const isEventStream = (type = '') => /^\s*text\/event-stream\s*(?:;|$)/i.test(type);

type Stream = ReturnType<typeof createStream>;

function createStream(transport: Transport, request: RpcRequest) {
  let reply: RpcResponse | undefined;
  /** Of the event that has the response, or that is too large for anything else. */
  let text: string | undefined;
  let problem: unknown;
  let responses = 0;
  const reader: EventReader = createEventReader((data) => {
    if (reply || problem) return;
    try {
      for (const message of readMessages(data, request.limits)) {
        if (message.kind === 'reply' && message.id === request.id) [reply, text] = [message.reply, data];
        else if (message.kind !== 'request') reportProgress(request, message);
        else if (request.is_legacy && responses < MAX_RESPONSES) {
          responses += 1;
          respondToRequest(transport, request, message);
        }
      }
    } catch (error) {
      problem = error;
      if (error instanceof McpProblem && error.kind === 'too_large') text = data;
    }
  });
  const watch: WatchBody = (part, { status, headers }) => {
    if (status !== 200 || !isEventStream(headers['content-type'])) return false;
    try {
      reader.read(part);
    } catch {
      problem ??= new McpProblem('protocol', 'The stream is not UTF-8');
    }
    return reply !== undefined || problem !== undefined;
  };
  return {
    reader,
    watch,
    /** Throws what was wrong in the stream. */
    reply(): RpcResponse | undefined {
      if (problem) throw problem;
      return reply;
    },
    text(): string | undefined {
      if (problem && text === undefined) throw problem;
      return text;
    },
  };
}

function reportProgress(request: RpcRequest, message: Incoming): void {
  if (message.kind === 'notification' && message.method === 'notifications/progress')
    request.onProgress?.(message.params);
}

function respondToRequest(transport: Transport, request: RpcRequest, message: Incoming & { kind: 'request' }): void {
  const error = { code: -32601, message: `Method not found: ${message.method}` };
  const response = message.method === 'ping' ? { result: {} } : { error };
  // The server waits for it at most as long as the call takes.
  notify(transport, request.headers, { id: message.id, ...response }).catch(() => {});
}

/** Undefined: a stream that ended without a response. */
function readResponse(response: OutboundResponse, request: RpcRequest): RpcResponse | undefined {
  const { status, headers, body, truncated } = response;
  if (status === 401)
    throw new McpProblem('unauthorized', 'It refused the credential', 401, headers['www-authenticate']);
  const isSuccess = isSuccessful(response);
  if (isSuccess && truncated) throw new McpProblem('too_large', 'The response is too large');
  if (isSuccess && isEventStream(headers['content-type'])) return undefined;
  const reply = truncated ? undefined : jsonResponse(body, request, isSuccess);
  if (reply) return reply;
  if (isSuccess) throw new McpProblem('protocol', 'There is no JSON-RPC response to the request', status);
  throw new McpProblem('status', `It returned status ${status}`, status);
}

const isSuccessful = ({ status }: OutboundResponse) => status >= 200 && status <= 299;

/** What is no success, or no JSON, is as for any other request; the JSON-RPC error of a failure is within the limits. */
function readUnread(response: OutboundResponse, request: RpcRequest): Buffer | undefined {
  const { headers, body, truncated } = response;
  const isJson = isSuccessful(response) && !isEventStream(headers['content-type']);
  if (isJson && !truncated) return body;
  return readResponse(response, request) && body;
}

/** Whether a failed response is about this request: the server may have acted on it. */
export function namesRequest(
  { body, truncated }: OutboundResponse,
  request: Pick<RpcRequest, 'id' | 'limits'>,
): boolean {
  const reply = truncated ? undefined : jsonResponse(body, request, false);
  return reply !== undefined && !('error' in reply && reply.is_unaddressed);
}

/** An error has its JSON-RPC error in the body, mostly; some servers give it no id. */
function jsonResponse(
  body: Buffer,
  request: Pick<RpcRequest, 'id' | 'limits'>,
  isSuccess: boolean,
): RpcResponse | undefined {
  if (!isUtf8(body)) {
    if (isSuccess) throw new McpProblem('protocol', 'The response is not UTF-8');
    return undefined;
  }
  try {
    for (const message of readMessages(body.toString('utf8'), request.limits))
      if (message.kind === 'reply') {
        if (message.id === request.id) return message.reply;
        if (!isSuccess && 'error' in message.reply) return { ...message.reply, is_unaddressed: true };
      }
  } catch (error) {
    if (isSuccess) throw error;
  }
  return undefined;
}
