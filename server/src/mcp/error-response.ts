// The one place where an error becomes an MCP response: an HTTP status with a JSON-RPC error, or a tool result that explains the
// failure to the model (contract 7). An error that is not a refusal is a bug: its text is not sent.

import { reasonRows } from '@toolgate/contract/errors.ts';
import { errorToRefusal, failedCallOf, logRefusal, sentRefusal } from '../api/error-to-refusal.ts';
import type { SentRefusal } from '../api/route.ts';
import type { App } from '../app.ts';
import { isRetryable } from '../errors/call-failure.ts';
import { type ApiError, docsUrl, errorObject } from '../errors/errors.ts';
import { modelText } from '../features/tools/calls/results/model-text.ts';
import { callResultText, type RequestMeta, textBlock } from './call-result.ts';
import { errorText, type JsonText, type RequestId, RpcError, rpcCodes } from './json-rpc.ts';
import type { OpenStream } from './subscriptions-listen.ts';

/** `refusal` is for the log and the trace of the request. `required_scope`: that the token lacks, for the challenge. */
export type McpResponse = {
  status: number;
  body: JsonText;
  headers?: Record<string, string>;
  refusal?: SentRefusal;
  required_scope?: string;
  /** Begins a response that stays open, instead of `body`. */
  open?: OpenStream;
};

export function errorResponse(
  app: App,
  error: unknown,
  id: RequestId | null,
  request_id: string,
): McpResponse & { body: string } {
  const { public_url } = app.config;
  if (error instanceof RpcError)
    return {
      status: error.status,
      refusal: tracedRefusal(error),
      body: errorText(id, error.code, error.message, { ...error.data, docs_url: docsUrl(public_url, error.reason) }),
    };
  const refusal = errorToRefusal(error);
  const { status, message, headers } = refusal;
  const failed_call = failedCallOf(error);
  logRefusal(app.log, request_id, refusal, failed_call);
  return {
    status,
    refusal: sentRefusal(refusal, failed_call),
    headers,
    ...requiredScope(refusal),
    body: errorText(
      id,
      status === 500 ? rpcCodes.internal_error : rpcCodes.refused,
      message,
      errorObject(refusal, request_id, public_url),
    ),
  };
}

function requiredScope({ code, details: { required_scope } }: ApiError): Pick<McpResponse, 'required_scope'> {
  if (code === 'INSUFFICIENT_SCOPE') return { required_scope: 'mcp' };
  return typeof required_scope === 'string' ? { required_scope } : {};
}

function tracedRefusal({ reason, remedy, hidden_reason }: RpcError): SentRefusal {
  if (hidden_reason === undefined) return { code: null, reason, remedy };
  return { code: null, reason: hidden_reason, remedy: reasonRows[hidden_reason].remedy };
}

/** `call_id` is null if the call log has no such call. */
export function callFailureText(refusal: ApiError, call_id: string | null, request: RequestMeta): string {
  return callResultText({
    content: [textBlock(modelText(refusal, call_id, request.request_id))],
    is_error: true,
    meta: [toolgateError(refusal, request)],
    request,
  });
}

/** What a tool of an MCP server said about its failure, as it came. */
export function toolFailureText(content: string, refusal: ApiError, request: RequestMeta): string {
  return callResultText({ content: [content], is_error: true, meta: [toolgateError(refusal, request)], request });
}

/** A member of `_meta`: `"toolgate/error":{…}`. */
export function toolgateError(refusal: ApiError, { public_url }: RequestMeta): string {
  const { status, code, message, anchor, details } = refusal;
  const { retry_after_seconds, approval_id, approval_url } = details;
  const error = {
    status,
    code,
    message,
    retryable: isRetryable(refusal),
    ...(retry_after_seconds !== undefined && { retry_after_seconds }),
    ...(approval_id !== undefined && { approval_id }),
    ...(approval_url !== undefined && { approval_url }),
    docs_url: docsUrl(public_url, anchor),
  };
  return `"toolgate/error":${JSON.stringify(error)}`;
}
