// What an HTTP response means: the value, or the error.

import { errorClass, ToolgateError } from './errors.ts';
import { parseRetryAfter } from './retry.ts';

export function readResponse(response: Response, text: string): unknown {
  if (!response.ok) throw errorOf(response, text);
  if (text === '') return undefined;
  const value = parseJson(text);
  if (value !== undefined) return value;
  const { status } = response;
  throw new ToolgateError({ message: 'The response is not JSON', status, requestId: requestIdOf(response) });
}

export function errorOf(response: Response, text: string): ToolgateError {
  const { status } = response;
  const { code, message, details, request_id, docs_url, remedy } = readEnvelope(text);
  const ErrorClass = errorClass(status, code);
  return new ErrorClass({
    message: message ?? withoutEnvelope(status),
    status,
    code,
    details,
    requestId: requestIdOf(response) ?? request_id,
    docsUrl: docs_url,
    remedy,
    retryAfterSeconds: parseRetryAfter(response.headers.get('retry-after')),
  });
}

/** The API does not redirect. A browser reports status 0, because it hides the response. */
function withoutEnvelope(status: number): string {
  const isRedirect = status === 0 || (status >= 300 && status < 400);
  return isRedirect ? 'The response is a redirect: is baseUrl right?' : `The response has status ${status}`;
}

function requestIdOf(response: Response): string | null {
  return response.headers.get('x-request-id');
}

function readEnvelope(text: string) {
  const { error } = (asObject(parseJson(text)) ?? {}) as { error?: unknown };
  const { code, message, details, request_id, docs_url, remedy } = asObject(error) ?? {};
  return {
    code: typeof code === 'string' ? code : null,
    message: typeof message === 'string' ? message : null,
    details: asObject(details) ?? {},
    request_id: typeof request_id === 'string' ? request_id : null,
    docs_url: typeof docs_url === 'string' ? docs_url : null,
    remedy: typeof remedy === 'string' ? remedy : null,
  };
}

function asObject(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
}

/** undefined if it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
