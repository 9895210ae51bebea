// Sends a request to a server, wherever it runs. It loads nothing of the server.

export type ApiResponse<T = any> = { status: number; headers: Headers; text: string; body: T };

export type CallOptions = {
  key?: string | undefined;
  /** X-Project-Id, for the root key. */
  project?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** A redirect is the answer. */
  redirect?: 'manual';
};

export async function call(url: string, method: string, path: string, options: CallOptions = {}): Promise<ApiResponse> {
  const { key, project, body, headers = {}, redirect } = options;
  const target = /^\/(healthz|readyz|metrics|mcp|docs|api\/|\.well-known)/.test(path) ? path : `/api/v1${path}`;
  const payload =
    body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const response = await fetch(url + target, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(project === undefined ? {} : { 'x-project-id': project }),
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload === undefined ? {} : { body: payload as string }),
    ...(redirect && { redirect }),
  });
  const isEndless = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (isEndless) await response.body?.cancel();
  const text = isEndless ? '' : await response.text();
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = undefined; // not JSON
  }
  return { status: response.status, headers: response.headers, text, body: parsed };
}
