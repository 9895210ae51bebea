// A call as an MCP client sees it: the message that asks for it, and its response. mcp-view.test.ts compares it with the
// responses of the server.

import { isShownMedia, mediaKind, mediaType, sizeText } from '@toolgate/contract/files/media.ts';
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

/** Pictures and sounds are bytes, which the result of "Try it" does not have. */
const OMITTED = '…';

function callResult(result: ToolExecutionResult): object {
  const { call_id, body, file } = result;
  if (file && !isShownMedia(file.content_type, file.size)) return fileResult(call_id, file);
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  return {
    content: [contentOf(result)],
    ...(isObject && { structuredContent: body }),
    _meta: { 'toolgate/call_id': call_id },
  };
}

/** The link as text, which every client shows, and as a resource_link. */
function fileResult(
  call_id: string,
  { id, name, content_type, size, url, url_expires_at, expires_at }: NonNullable<ToolExecutionResult['file']>,
): object {
  const text = `${name} (${content_type}, ${sizeText(size)}): ${url}, valid until ${url_expires_at}`;
  return {
    content: [
      { type: 'text', text },
      { type: 'resource_link', uri: url, name, mimeType: content_type, size },
    ],
    structuredContent: { file: { id, name, content_type, size, url, url_expires_at, expires_at } },
    _meta: { 'toolgate/call_id': call_id },
  };
}

function contentOf({ status, content_type, body, truncated, file }: ToolExecutionResult): object {
  const type = mediaType(content_type);
  const kind = file && mediaKind(type);
  if (kind) return { type: kind, data: OMITTED, mimeType: type };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  if (truncated) return { type: 'text', text: `${text}\n[Cut: the response is longer than the limit.]` };
  if (text === '') return { type: 'text', text: `Done: status ${status}, no content.` };
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
