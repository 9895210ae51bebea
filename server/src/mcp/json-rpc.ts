// JSON-RPC 2.0 as MCP uses it: parses one message, and builds the text of a response. Validated without a schema library: this runs for every call.

import { type Reason, reasonRows } from '@toolgate/contract/errors.ts';
import type { TextParts } from '../api/send-json.ts';
import { JsonProblem, parseStrict } from '../engines/json-text/parse-strict.ts';

export type RequestId = string | number;
export type Params = Record<string, unknown>;

export type RpcRequest = { kind: 'request'; id: RequestId; method: string; params: Params };
export type RpcNotification = { kind: 'notification'; method: string; params: Params };
/** A response to a request from the server. This server sends none, so it ignores responses. */
export type RpcResponse = { kind: 'response' };
export type RpcMessage = RpcRequest | RpcNotification | RpcResponse;

export const rpcCodes = {
  parse_error: -32700,
  invalid_request: -32600,
  method_not_found: -32601,
  invalid_params: -32602,
  internal_error: -32603,
  /** A refusal, described by `data`. The official SDK servers send this code with an HTTP status. */
  refused: -32000,
  header_mismatch: -32020,
  missing_client_capability: -32021,
  unsupported_protocol_version: -32022,
  /** As the official SDK servers respond to an unknown session. */
  session_not_found: -32001,
  /** Before 2026-07-28. */
  resource_not_found: -32002,
  /** 2025-11-25. */
  url_elicitation_required: -32042,
} as const;

type ProtocolError = Exclude<keyof typeof rpcCodes, 'internal_error' | 'refused'>;

type RpcErrorOptions = {
  status?: number;
  data?: object;
  reason?: Reason;
  /** The rule, where the response must not name it: for the request trace. */
  hidden_reason?: Reason | undefined;
};

/** A message that violates the protocol. `status` is the HTTP status: 200 where the revision reports errors in the body only. */
export class RpcError extends Error {
  readonly code: number;
  readonly status: number;
  readonly reason: Reason;
  readonly remedy: string;
  readonly data: object;
  readonly hidden_reason: Reason | undefined;

  constructor(code: ProtocolError, message: string, options: RpcErrorOptions = {}) {
    super(message);
    const { status = 400, data, reason = code } = options;
    this.code = rpcCodes[code];
    this.status = status;
    this.reason = reason;
    this.remedy = reasonRows[reason].remedy;
    this.data = { ...data, reason, remedy: this.remedy };
    this.hidden_reason = options.hidden_reason;
  }
}

/** 2026-07-28: proxies may read the headers instead of the body, so the two must agree. */
export function headerMismatch(problem: string): RpcError {
  return new RpcError('header_mismatch', `Headers and body disagree: ${problem}`);
}

export const MAX_DEPTH = 32;

export function parseBody(body: unknown): unknown {
  try {
    // A POST may have no body.
    return parseStrict(Buffer.isBuffer(body) ? body : '', { max_depth: MAX_DEPTH });
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    throw new RpcError('parse_error', `Parse error: the body ${error.message}`);
  }
}

export function readMessage(value: unknown): RpcMessage {
  if (!isObject(value) || value.jsonrpc !== '2.0') throw invalid('not a JSON-RPC 2.0 message');
  const { id, method, params = {} } = value;
  if (method === undefined && ('result' in value || 'error' in value)) return { kind: 'response' };
  if (typeof method !== 'string') throw invalid('method must be a string');
  if (!isObject(params)) throw invalid('params must be an object');
  if (!('id' in value)) return { kind: 'notification', method, params };
  if (!isRequestId(id)) throw invalid('id must be a string or an integer');
  return { kind: 'request', id, method, params };
}

/** The id for an error response, from a value that may not be a valid message. */
export function requestIdOf(value: unknown): RequestId | null {
  return isObject(value) && typeof value.method === 'string' && isRequestId(value.id) ? value.id : null;
}

/** JSON text, or parts of it that are sent in order without being put together. `is_cached`: others send the same bytes. */
export type JsonText = string | { parts: TextParts; is_cached: boolean };

export function resultBody(id: RequestId, result: JsonText): JsonText {
  const start = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
  if (typeof result === 'string') return `${start}${result}}`;
  return { ...result, parts: [start, ...result.parts, '}'] };
}

export function wholeText(text: JsonText): string {
  if (typeof text === 'string') return text;
  return Buffer.concat(text.parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))).toString();
}

export function errorText(id: RequestId | null, code: number, message: string, data: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } });
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || Number.isSafeInteger(id);
}

function invalid(problem: string): RpcError {
  return new RpcError('invalid_request', `Invalid request: ${problem}`);
}
