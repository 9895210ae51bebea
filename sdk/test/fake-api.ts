// The API as a function: a fetch that records every request and gives the answers of a test, in their order.

import { Toolgate } from '../src/client.ts';
import type { ToolgateOptions } from '../src/options.ts';

export type Asked = { method: string; url: URL; headers: Headers; body: string };
/** An answer, an error that fetch throws, or a request that is never answered. */
export type Step = { status?: number; headers?: Record<string, string>; body?: unknown } | Error | 'hang';

export const API_KEY = 'svc_test_000000000000000000000000000000AAAAAA';

export function fakeApi(steps: Step[] = [], options: Partial<ToolgateOptions> = {}) {
  const asked: Asked[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    const { method, headers } = request;
    asked.push({ method, url: new URL(url), headers, body: await request.clone().text() });
    const step = steps.shift() ?? {};
    if (step instanceof Error) throw step;
    // A fetch that does not look at its signal.
    if (step === 'hang') return new Promise(() => {});
    const { status = 200, body = { object: 'list', data: [], has_more: false, next_cursor: null } } = step;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return new Response(status === 204 ? null : text, {
      status,
      headers: { 'x-request-id': 'req_1', ...step.headers },
    });
  };
  const baseUrl = 'http://toolgate.test';
  const toolgate = new Toolgate({ apiKey: API_KEY, baseUrl, projectId: 'prj_1', fetch, ...options });
  return { toolgate, asked };
}

export const errorBody = (code: string, details: object = {}) => ({
  error: {
    code,
    message: `message of ${code}`,
    details,
    request_id: 'req_body',
    docs_url: `https://tools.example.com/docs/errors#${code.toLowerCase()}`,
  },
});
