// Converts any thrown value to a refusal, for REST and MCP. An unknown error is a bug: 500, without its text.

import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { isDatabaseBusy } from '../database/connection.ts';
import { ApiError, type Details, refuse } from '../errors/errors.ts';
import { FailedCall } from '../errors/failed-call.ts';
import type { SentRefusal } from './route.ts';

/** The request is for the limits of its body. */
export function errorToRefusal(error: unknown, request?: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof FailedCall) return error.refusal;
  if (request && isBodyAborted(error, request)) return refuse.callerGone({ cause: error });
  if (isDatabaseBusy(error)) return refuse.serviceUnavailable({ cause: error, headers: { 'retry-after': '1' } });
  switch ((error as { code?: unknown } | undefined)?.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return refuse.bodyTooLarge({ details: tooLarge(request) });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return refuse.unsupportedMediaType();
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_BAD_URL':
      return refuse.malformedRequest({ cause: error });
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return refuse.notFound(); // no id is that long
    default:
      return refuse.internal({ cause: error });
  }
}

/** The client closed its connection while it sent the body. A broken connection to the database has the same code. */
function isBodyAborted(error: unknown, { raw }: FastifyRequest): boolean {
  return !raw.complete && raw.destroyed && (error as { code?: unknown } | undefined)?.code === 'ECONNRESET';
}

/** The size is unknown for a body without Content-Length: reading stopped at the limit. */
function tooLarge(request: FastifyRequest | undefined): Details {
  const limit_bytes = request?.routeOptions?.bodyLimit;
  if (limit_bytes === undefined) return {};
  const size_bytes = Number(request?.headers['content-length']);
  return {
    limit_bytes,
    ...(size_bytes > 0 ? { size_bytes } : {}),
    remedy: `Send a body of at most ${limit_bytes} bytes (${showBytes(limit_bytes)}).`,
  };
}

const showBytes = (bytes: number) =>
  bytes < 2 ** 20 ? `${Math.round(bytes / 2 ** 10)} KiB` : `${Math.round(bytes / 2 ** 20)} MiB`;

/** Logs a refusal that the operator has to know of, unless it was logged already. Only a bug is logged with its stack. */
export function logRefusal(
  log: Logger,
  request_id: string,
  refusal: ApiError,
  failed_call: FailedCall | null = null,
): void {
  const { status, code, message, cause } = refusal;
  if (status < 500 || failed_call?.is_logged) return;
  const fields = { request_id, code };
  if (code === 'INTERNAL_ERROR') log.error({ ...fields, err: cause ?? refusal }, message);
  else if (cause instanceof Error && status !== 503) log.error({ ...fields, err: cause }, message);
  else log.error({ ...fields, reason: cause instanceof Error ? cause.message : cause }, message);
}

/** For the log and the trace of the request. */
export function sentRefusal(refusal: ApiError, failed_call: FailedCall | null): SentRefusal {
  if (!failed_call) return refusal;
  const { code, reason, remedy } = refusal;
  return { code, reason, remedy, call_id: failed_call.call_id };
}

export const failedCallOf = (error: unknown): FailedCall | null => (error instanceof FailedCall ? error : null);
