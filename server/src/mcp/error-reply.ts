// The one place where an error becomes MCP's: an HTTP status with a JSON-RPC error, or a result that tells the model what went
// wrong in the call itself (contract 7). Whatever is not one of our refusals is a bug: no text leaked.

import { toRefusal } from '../api/error-to-refusal.ts';
import type { App } from '../app.ts';
import type { ApiError } from '../errors.ts';
import { callResult, textBlock } from './call-result.ts';
import { type Body, errorText, type RequestId, RpcError, rpcCodes } from './json-rpc.ts';

/** `refusal` is the code of it, for the log. */
export type Answer = { status: number; body: Body; headers?: Record<string, string>; refusal?: string };

/** The JSON-RPC error for whatever was thrown. */
export function errorAnswer(
  app: App,
  error: unknown,
  id: RequestId | null,
  request_id: string,
): Answer & { body: string } {
  if (error instanceof RpcError)
    return { status: error.status, body: errorText(id, error.code, error.message, error.data) };
  const refusal = toRefusal(error);
  const { status, code, message, details, headers } = refusal;
  if (status >= 500) app.log.error({ request_id, code, err: refusal.cause ?? error }, message);
  return {
    status,
    refusal: code,
    headers: status === 401 ? { ...headers, 'www-authenticate': challenge(app.config.public_url) } : headers,
    body: errorText(id, status === 500 ? rpcCodes.internal_error : rpcCodes.refused, message, {
      code,
      message,
      details,
      request_id,
    }),
  };
}

/** RFC 9728 §5.1: where a client that has no credential learns how to get one. */
function challenge(public_url: string): string {
  return `Bearer resource_metadata="${public_url}/.well-known/oauth-protected-resource/api/v1/mcp"`;
}

/** What went wrong in the call is the model's to mend; who may call, how often and whether we are there is not. */
export function isResultOfCall({ status }: ApiError): boolean {
  return status !== 401 && status !== 403 && status !== 429 && status !== 503;
}

export function failedResult(refusal: ApiError, server_info: string | null): string {
  return callResult({
    content: textBlock(explain(refusal)),
    is_error: true,
    meta: [toolgateError(refusal)],
    server_info,
  });
}

/** A member of `_meta`: `"toolgate/error":{…}`. */
export function toolgateError(refusal: ApiError): string {
  const { status, code, message } = refusal;
  return `"toolgate/error":${JSON.stringify({ status, code, message, retryable: isRetryable(refusal) })}`;
}

const advice: Record<string, string> = {
  RESERVED_VARIABLE: 'Leave it out: it is filled in for you.',
  VALIDATION_ERROR: 'Correct the arguments and call the tool again.',
};

function explain(refusal: ApiError): string {
  const { message, details, code } = refusal;
  const lines = [message];
  if (Object.keys(details).length > 0) lines.push(JSON.stringify(details));
  if (advice[code]) lines.push(advice[code]);
  else if (isRetryable(refusal)) lines.push('This may pass: the same call may succeed later.');
  return lines.join('\n');
}

const passing = new Set(['TOOL_TIMED_OUT', 'UPSTREAM_CONNECTION']);
const passingStatuses = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Whether the same call may succeed later. */
function isRetryable({ code, details }: ApiError): boolean {
  return passing.has(code) || (code === 'UPSTREAM_STATUS' && passingStatuses.has(Number(details.upstream_status)));
}
