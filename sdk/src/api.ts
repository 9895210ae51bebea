// Sends requests of the client: headers, timeout, retries, errors. The API key lives only in this closure, so that no
// printed client or resource shows it.

import { sleep, withDeadline } from './deadline.ts';
import { ConnectionError, ToolgateError } from './errors.ts';
import { readOptions, type ToolgateOptions } from './options.ts';
import { fillPath, type IdsOf, queryString } from './path.ts';
import { errorOf, readResponse } from './response.ts';
import { type Repetition, retryDelay } from './retry.ts';
import type { Routes } from './types.ts';

/** The last argument of every method. */
export type CallOptions = {
  /** Aborts the call, even while it waits for a retry. The call rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** For calls that create something: the same key returns the first response again, for 24 hours. Default: a random one. */
  idempotencyKey?: string | undefined;
};

/** Such as `GET /projects/{project_id}`. It decides what is sent and what is returned. */
export type Route = keyof Routes;

export type ResponseOf<R extends Route> = Routes[R]['response'];

export type Call<R extends Route = Route> = {
  query?: (Routes[R] extends { query: infer Query extends object } ? Query : never) | undefined;
  body?: (Routes[R] extends { body: infer Body extends object } ? Body : never) | undefined;
  /** A body that is not JSON. */
  content?: { bytes: NonNullable<RequestInit['body']>; type: string } | undefined;
  /** From the page before. */
  cursor?: string;
  headers?: Record<string, string>;
  options?: CallOptions | undefined;
  /** By default a POST without an Idempotency-Key is sent once, and everything else is idempotent. */
  repetition?: Repetition;
  hasIdempotencyKey?: boolean;
  /** Instead of the client's. */
  timeoutMs?: number;
};

export type Api = ReturnType<typeof createApi>;

export function createApi(given: ToolgateOptions) {
  const { apiKey, baseUrl, projectId, fetch, maxRetries, timeoutMs } = readOptions(given);

  function requestOf<R extends Route>(route: R, ids: IdsOf<R>, call: Call<R>) {
    const { query, cursor, body, content, headers, options, hasIdempotencyKey } = call;
    const [method = '', template = ''] = route.split(' ');
    const given: Record<string, unknown> = ids;
    const path = fillPath(template, (name) => (name === 'project_id' ? (ids.project_id ?? ownProject()) : given[name]));
    const all: Record<string, string> = { accept: 'application/json', ...headers };
    if (apiKey !== null) all.authorization = `Bearer ${apiKey}`;
    if (body !== undefined || content) all['content-type'] = content?.type ?? 'application/json';
    if (hasIdempotencyKey) all['idempotency-key'] = options?.idempotencyKey ?? randomKey();
    if (projectId !== undefined && !/^\/projects(\/|$)/.test(path)) all['x-project-id'] = projectId;
    const init: RequestInit & { duplex?: 'half' } = { method, headers: all, redirect: 'manual' };
    if (body !== undefined) init.body = JSON.stringify(body);
    // A stream is sent while it is read.
    else if (content) Object.assign(init, { body: content.bytes, duplex: 'half' });
    return { url: `${baseUrl}${path}${queryString({ ...query, ...(cursor !== undefined && { cursor }) })}`, init };
  }

  /** fetch, whose failures are ConnectionErrors. They name the cause in words only: it could hold the request. */
  async function connect<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw new ConnectionError({ message: `No response from ${baseUrl}: ${causeOf(error)}` });
    }
  }

  async function withRetries<T>(route: Route, call: Call, attempt: () => Promise<T>): Promise<T> {
    const repetition = repetitionOf(route, call);
    for (let retries = 0; ; retries += 1) {
      try {
        return await attempt();
      } catch (error) {
        const delay = retries < maxRetries ? retryDelay(error, repetition, retries) : null;
        if (delay === null) throw redacted(error, apiKey);
        await sleep(delay, call.options?.signal);
      }
    }
  }

  /** Resolves with the response. One Idempotency-Key and one body serve all attempts. */
  async function send<R extends Route>(route: R, ids: IdsOf<R>, call: Call<R>): Promise<ResponseOf<R>> {
    const { url, init } = requestOf(route, ids, call);
    const limits = { signal: call.options?.signal, timeoutMs: call.timeoutMs ?? timeoutMs };
    return withRetries(route, call, async () => {
      const [response, text] = await withDeadline(limits, (signal) =>
        connect(async () => {
          const response = await fetch(url, { ...init, signal });
          return [response, await response.text()] as const;
        }),
      );
      // What the server returns is described in the contract, and not checked again here.
      return readResponse(response, text) as ResponseOf<R>;
    });
  }

  /** Resolves when the headers of a successful response are there. The caller reads its body. */
  async function open<R extends Route>(route: R, ids: IdsOf<R>, call: Call<R>): Promise<Response> {
    const { url, init } = requestOf(route, ids, call);
    const limits = { signal: call.options?.signal, timeoutMs };
    return withRetries(route, call, () =>
      withDeadline(limits, async (signal) => {
        const response = await connect(() => fetch(url, { ...init, signal }));
        if (response.ok) return response;
        throw errorOf(response, await connect(() => response.text()));
      }),
    );
  }

  function ownProject(): string {
    if (projectId !== undefined) return projectId;
    throw new TypeError('projectId is missing: new Toolgate({ apiKey, baseUrl, projectId })');
  }

  return { send, open };
}

function repetitionOf(route: Route, { repetition, hasIdempotencyKey }: Call): Repetition {
  return repetition ?? (route.startsWith('POST ') && !hasIdempotencyKey ? 'once' : 'idempotent');
}

/** A response, or an error of fetch, that repeats the request must not show the key. */
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
