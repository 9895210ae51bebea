// fetch() that trusts one more certificate authority, for clients in the process of a test.

import { request } from 'node:https';

type Fetch = typeof fetch;

export function fetchWith(ca: string | Buffer): Fetch {
  return (async (url: string | URL, { method = 'GET', headers, body }: RequestInit = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const sent = request(
      url,
      { method, headers: Object.fromEntries(new Headers(headers)), ca, agent: false },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => resolve(new Response(Buffer.concat(parts), { status: response.statusCode ?? 500 })));
      },
    );
    sent.on('error', reject);
    sent.end(body === undefined || body === null ? '' : String(body));
    return promise;
  }) as Fetch;
}
