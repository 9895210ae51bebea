// A call as an MCP client sees it: the message that asks for it, and its response. mcp-view.test.ts compares it with the
// responses of the server.

import type { ToolExecutionResult, ToolgateError } from '@toolgate/sdk';
import type { Run } from './state.ts';

export function mcpRequest(name: string, { args }: Pick<Run, 'args'>): object {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
}

/** Statuses that MCP clients get as an HTTP status with a JSON-RPC error; other refusals are results that a model can read. */
const httpStatuses = [401, 403, 429, 503];
const REFUSED = -32000;
const INVALID_PARAMS = -32602;

/** Null if the call did not reach the server. */
export function mcpResponse(
  name: string,
  { result, error }: Pick<Run, 'result' | 'error'>,
): { status: number; message: object } | null {
  if (result) return { status: 200, message: { jsonrpc: '2.0', id: 1, result: callResult(result) } };
  if (!isResponse(error) || error.status === null) return null;
  const { status, code, message, details, requestId, docsUrl } = error;
  if (httpStatuses.includes(status)) {
    const data = { code, message, details, request_id: requestId, docs_url: docsUrl };
    return { status, message: { jsonrpc: '2.0', id: 1, error: { code: REFUSED, message, data } } };
  }
  if (code === 'NOT_FOUND') {
    const unknown = { code: INVALID_PARAMS, message: `Unknown tool: ${name}` };
    return { status: 200, message: { jsonrpc: '2.0', id: 1, error: unknown } };
  }
  return { status: 200, message: { jsonrpc: '2.0', id: 1, result: failure(error) } };
}

/** Not by the class: Node, which runs the test, has the SDK only as sources. */
const isResponse = (error: unknown): error is ToolgateError => error instanceof Error && 'requestId' in error;

/** Images and audio are bytes, which the result of "Try it" does not have. */
const OMITTED = '…';

function callResult(result: ToolExecutionResult): object {
  const { call_id, body } = result;
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  return {
    content: [contentOf(result)],
    ...(isObject && { structuredContent: body }),
    _meta: { 'toolgate/call_id': call_id },
  };
}

function contentOf({ status, content_type, body, truncated }: ToolExecutionResult): object {
  const type = (content_type ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const [kind] = type.split('/', 1);
  if (truncated) return { type: 'text', text: `${text}\n[Cut: the response is longer than the limit.]` };
  if (text === '') return { type: 'text', text: `Done: status ${status}, no content.` };
  if ((kind === 'image' && type !== 'image/svg+xml') || kind === 'audio')
    return { type: kind, data: OMITTED, mimeType: type };
  return { type: 'text', text };
}

/** The server says what the model reads. A call that failed by a bug of the server has no such text. */
function failure({ status, code, message, details, docsUrl }: ToolgateError): object {
  const { text, retryable } = (details.for_model ?? { text: message, retryable: false }) as ForModel;
  return {
    content: [{ type: 'text', text }],
    isError: true,
    _meta: { 'toolgate/error': { status, code, message, retryable, docs_url: docsUrl } },
  };
}

type ForModel = { text: string; retryable: boolean };
