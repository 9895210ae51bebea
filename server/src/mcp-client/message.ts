// JSON-RPC messages of an MCP server, and what can be wrong with its responses.

import { checkLimits, JsonProblem } from '../engines/json-text/parse-strict.ts';

export type RpcErrorObject = { code: number; message: string; data: unknown };

/** `is_unaddressed`: it does not name the request, as of what refuses a request before anything reads it. */
export type RpcResponse = { result: Record<string, unknown> } | { error: RpcErrorObject; is_unaddressed?: true };

export type Incoming =
  | { kind: 'reply'; id: unknown; reply: RpcResponse }
  | { kind: 'request'; id: unknown; method: string }
  | { kind: 'notification'; method: string; params: Record<string, unknown> };

/** Parsing what is larger could block the event loop for more than 100 ms. */
export type MessageLimits = { max_depth: number; max_members: number; max_values: number; max_length?: number };

export const RESULT_LIMITS: MessageLimits = { max_depth: 100, max_members: 50_000, max_values: 300_000 };
/** For what is not the result of a call. Parsing takes less than 10 ms. */
export const SMALL_LIMITS: MessageLimits = {
  max_depth: 100,
  max_members: 10_000,
  max_values: 50_000,
  max_length: 256 * 1024,
};

/** `unauthorized`: 401. `status`: another status without a JSON-RPC error. `protocol`: it is not what MCP prescribes. */
export type McpProblemKind = 'unauthorized' | 'status' | 'protocol' | 'too_large' | 'session_lost';

/** The server responded, but not as an MCP server does. `message` has nothing of its response and no URL. */
export class McpProblem extends Error {
  readonly kind: McpProblemKind;
  readonly status: number | null;
  /** From a 401. */
  readonly challenge: string | undefined;

  constructor(kind: McpProblemKind, message: string, status: number | null = null, challenge?: string) {
    super(message);
    this.kind = kind;
    this.status = status;
    this.challenge = challenge;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Older revisions have batches: several messages in one text. Throws an McpProblem. */
export function readMessages(text: string, limits: MessageLimits): Incoming[] {
  if (text.length > (limits.max_length ?? text.length)) throw new McpProblem('too_large', 'The response is too large');
  const value = parseJson(text, limits);
  return (Array.isArray(value) ? value : [value]).map(readMessage);
}

function readMessage(value: unknown): Incoming {
  if (!isObject(value) || value.jsonrpc !== '2.0') throw notMcp();
  const { id, method, params, result, error } = value;
  if (typeof method === 'string') {
    if (id !== undefined) return { kind: 'request', id, method };
    return { kind: 'notification', method, params: isObject(params) ? params : {} };
  }
  if (isObject(error) && typeof error.code === 'number') {
    const message = typeof error.message === 'string' ? error.message : '';
    return { kind: 'reply', id, reply: { error: { code: error.code, message, data: error.data } } };
  }
  if (isObject(result)) return { kind: 'reply', id, reply: { result } };
  throw notMcp();
}

const notMcp = () => new McpProblem('protocol', 'The response is not a JSON-RPC message');

/** A number that JavaScript cannot hold keeps its digits: results are passed on as they came. */
const MAY_LOSE_DIGITS = /\d{16}|\d[eE]|\.\d{15}/;

/** Throws an McpProblem. */
export function parseJson(text: string, limits: MessageLimits): unknown {
  try {
    checkLimits(text, limits);
    return MAY_LOSE_DIGITS.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
  } catch (error) {
    if (error instanceof JsonProblem && error.kind === 'size')
      throw new McpProblem('too_large', 'The response has too many fields');
    if (error instanceof JsonProblem || error instanceof SyntaxError)
      throw new McpProblem('protocol', 'The response is not JSON');
    throw error;
  }
}

type RawJson = { rawJSON(text: string): object };

function keepDigits(_key: string, value: unknown, { source }: { source?: string } = {}): unknown {
  if (typeof value !== 'number' || source === undefined || String(value) === source) return value;
  return (JSON as typeof JSON & RawJson).rawJSON(source);
}
