// A call as an MCP client sees it: the message that asks for it, and the one that answers.

import { ToolgateError } from '@toolgate/sdk';
import type { Run } from './custom-tool-try-state.ts';

export function mcpRequest(name: string, { args }: Run): object {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
}

/** Statuses that MCP clients get as an HTTP status with a JSON-RPC error; other refusals are results that a model can read. */
const httpStatuses = [401, 403, 429, 503];

/** Null if the call did not reach the server. */
export function mcpAnswer({ result, error }: Run): { status: number; message: object } | null {
  if (result) return { status: 200, message: { jsonrpc: '2.0', id: 1, result: callResult(result.body) } };
  if (!(error instanceof ToolgateError) || error.status === null) return null;
  const { status, code, message, details, requestId } = error;
  if (httpStatuses.includes(status)) {
    const data = { code, message, details, request_id: requestId };
    return { status, message: { jsonrpc: '2.0', id: 1, error: { code: -32000, message, data } } };
  }
  return { status: 200, message: { jsonrpc: '2.0', id: 1, result: failure(error) } };
}

function callResult(body: unknown): object {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  return { content: [{ type: 'text', text }], ...(isObject && { structuredContent: body }) };
}

function failure({ status, code, message, details: { remedy, ...others } }: ToolgateError): object {
  const lines = [message, Object.keys(others).length > 0 && JSON.stringify(others), remedy].filter(Boolean);
  return {
    content: [{ type: 'text', text: lines.join('\n') }],
    isError: true,
    _meta: { 'toolgate/error': { status, code, message } },
  };
}
