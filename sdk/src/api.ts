// Sends requests of the client: headers, timeout, retries, errors. The API key lives only in this closure, so that no
// printed client or resource shows it.

import { errorOf, readAnswer } from './answer.ts';
import { sleep, withDeadline } from './deadline.ts';
import { ConnectionError, ToolgateError } from './errors.ts';
import { readOptions, type ToolgateOptions } from './options.ts';
import { queryString } from './path.ts';
import { type Repetition, retryDelay } from './retry.ts';

/** The last argument of every method. */
export type CallOptions = {
  /** Ends the call, also while it waits to try again. The call rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** For calls that create something: the same key gives the first answer again, for 24 hours. A random one by default. */
  idempotencyKey?: string | undefined;
};

export type Call = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  query?: Record<string, string | number | boolean | null | undefined> | undefined;
  body?: object | undefined;
  headers?: Record<string, string>;
  options?: CallOptions | undefined;
  repetition?: Repetition;
  hasIdempotencyKey?: boolean;
};

export type Api = ReturnType<typeof createApi>;

export function createApi(given: ToolgateOptions) {
  const { apiKey, baseUrl, projectId, fetch, maxRetries, timeoutMs } = readOptions(given);

  function requestOf({ method, path, query, body, headers, options, hasIdempotencyKey }: Call) {
    const all: Record<string, string> = { accept: 'application/json', ...headers };
    if (apiKey !== null) all.authorization = `Bearer ${apiKey}`;
    if (body !== undefined) all['content-type'] = 'application/json';
    if (hasIdempotencyKey) all['idempotency-key'] = options?.idempotencyKey ?? randomKey();
    if (projectId !== undefined && !/^\/projects(\/|$)/.test(path)) all['x-project-id'] = projectId;
    const init: RequestInit = { method, headers: all, redirect: 'manual' };
    if (body !== undefined) init.body = JSON.stringify(body);
    return { url: `${baseUrl}${path}${queryString(query)}`, init };
  }

  /** fetch, whose failures are ConnectionErrors. They name the cause in words only: it could hold the request. */
  async function connect<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw new ConnectionError({ message: `No answer from ${baseUrl}: ${causeOf(error)}` });
    }
  }

  async function withRetries<T>({ options, repetition }: Call, attempt: () => Promise<T>): Promise<T> {
    for (let retries = 0; ; retries += 1) {
      try {
        return await attempt();
      } catch (error) {
        const delay = retries < maxRetries ? retryDelay(error, repetition ?? 'idempotent', retries) : null;
        if (delay === null) throw redacted(error, apiKey);
        await sleep(delay, options?.signal);
      }
    }
  }

  /** Resolves with the answer. One Idempotency-Key and one body serve all attempts. */
  async function send<T>(call: Call): Promise<T> {
    const { url, init } = requestOf(call);
    const limits = { signal: call.options?.signal, timeoutMs };
    return withRetries(call, async () => {
      const [response, text] = await withDeadline(limits, (signal) =>
        connect(async () => {
          const response = await fetch(url, { ...init, signal });
          return [response, await response.text()] as const;
        }),
      );
      return readAnswer(response, text) as T;
    });
  }

  /** Resolves when the headers of a successful answer are there. The caller reads its body. */
  async function open(call: Call): Promise<Response> {
    const { url, init } = requestOf(call);
    const limits = { signal: call.options?.signal, timeoutMs };
    return withRetries(call, () =>
      withDeadline(limits, async (signal) => {
        const response = await connect(() => fetch(url, { ...init, signal }));
        if (response.ok) return response;
        throw errorOf(response, await connect(() => response.text()));
      }),
    );
  }

  return {
    send,
    open,
    projectId(): string {
      if (projectId !== undefined) return projectId;
      throw new TypeError('projectId is missing: new Toolgate({ apiKey, baseUrl, projectId })');
    },
  };
}

/** An answer, or an error of fetch, that repeats the request must not show the key. */
function redacted(error: unknown, apiKey: string | null): unknown {
  if (!(error instanceof ToolgateError) || apiKey === null) return error;
  const { status, code, requestId, details, retryAfterSeconds } = error;
  const fields = JSON.stringify({ message: error.message, code, requestId, details });
  const shown = fields.replaceAll(JSON.stringify(apiKey).slice(1, -1), '[redacted]');
  if (shown === fields) return error;
  const ErrorClass = error.constructor as typeof ToolgateError;
  return new ErrorClass({ ...JSON.parse(shown), status, retryAfterSeconds });
}

/** Node's fetch says only "fetch failed"; its cause has the code, such as ECONNREFUSED. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, message } = (error.cause ?? {}) as { code?: unknown; message?: unknown };
  return [error.message, code, message].filter((text) => typeof text === 'string' && text !== '').join(', ');
}

/** Not crypto.randomUUID: browsers have it in secure contexts only. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
