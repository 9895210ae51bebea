// The one place where an error becomes an MCP response: an HTTP status with a JSON-RPC error, or a tool result that explains the
// failure to the model (contract 7). An error that is not a refusal is a bug: its text is not sent.

import { errorToRefusal, logRefusal } from '../api/error-to-refusal.ts';
import type { SentRefusal } from '../api/route.ts';
import type { App } from '../app.ts';
import { type ApiError, docsUrl } from '../errors.ts';
import { callResultText, type RequestMeta, textBlock } from './call-result.ts';
import { type Body, errorText, type RequestId, RpcError, rpcCodes } from './json-rpc.ts';

/** `refusal` is for the log and the trace of the request. */
export type McpReply = { status: number; body: Body; headers?: Record<string, string>; refusal?: SentRefusal };

export function errorReply(
  app: App,
  error: unknown,
  id: RequestId | null,
  request_id: string,
): McpReply & { body: string } {
  const { public_url } = app.config;
  if (error instanceof RpcError)
    return {
      status: error.status,
      refusal: { code: null, reason: error.reason, remedy: error.remedy, call_id: null },
      body: errorText(id, error.code, error.message, { ...error.data, docs_url: docsUrl(public_url, error.reason) }),
    };
  const refusal = errorToRefusal(error);
  const { status, code, message, details, headers, anchor } = refusal;
  logRefusal(app.log, request_id, refusal);
  return {
    status,
    refusal,
    headers,
    body: errorText(id, status === 500 ? rpcCodes.internal_error : rpcCodes.refused, message, {
      code,
      message,
      details,
      request_id,
      docs_url: docsUrl(public_url, anchor),
    }),
  };
}

export function callFailureText(refusal: ApiError, request: RequestMeta): string {
  return callResultText({
    content: textBlock(explain(refusal)),
    is_error: true,
    meta: [toolgateError(refusal, request)],
    request,
  });
}

/** A member of `_meta`: `"toolgate/error":{…}`. */
export function toolgateError(refusal: ApiError, { public_url }: RequestMeta): string {
  const { status, code, message, anchor } = refusal;
  const error = { status, code, message, retryable: isRetryable(refusal), docs_url: docsUrl(public_url, anchor) };
  return `"toolgate/error":${JSON.stringify(error)}`;
}

function explain(refusal: ApiError): string {
  const { message, details } = refusal;
  const { remedy, ...others } = details;
  const lines = [message];
  if (Object.keys(others).length > 0) lines.push(JSON.stringify(others));
  if (remedy) lines.push(remedy);
  if (isRetryable(refusal)) lines.push('This may pass: the same call may succeed later.');
  return lines.join('\n');
}

const retryableCodes = new Set(['TOOL_TIMED_OUT', 'UPSTREAM_CONNECTION']);
const retryableStatuses = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Whether the same call may succeed later. */
function isRetryable({ code, details }: ApiError): boolean {
  return (
    retryableCodes.has(code) || (code === 'UPSTREAM_STATUS' && retryableStatuses.has(Number(details.upstream_status)))
  );
}
