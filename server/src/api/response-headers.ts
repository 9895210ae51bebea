// The headers that every answer has, whatever it says.

import type { FastifyRequest } from 'fastify';

/** What is left of the project's hour, as it was when the request was counted. */
export type RateLimitStatus = {
  limit: number;
  remaining: number;
  reset_seconds: number;
  /** Unix seconds. */
  resets_at: number;
};

type Verdict = { limit: number; remaining: number; reset_ms: number };

export function rateLimitStatus({ limit, remaining, reset_ms }: Verdict, now: number): RateLimitStatus {
  const reset_seconds = Math.max(1, Math.ceil(reset_ms / 1000));
  return { limit, remaining, reset_seconds, resets_at: Math.ceil((now + reset_ms) / 1000) };
}

/** All of them are our own words and numbers: nothing in them needs to be checked or escaped. */
export function responseHeaders(request: FastifyRequest): Record<string, string> {
  const headers = request.rate_limit === null ? uncounted(request.id) : counted(request.id, request.rate_limit);
  // Whoever sent the next request over this connection would lose it.
  if (request.server.is_stopping) headers.connection = 'close';
  return headers;
}

function uncounted(id: string): Record<string, string> {
  return { 'x-request-id': id, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' };
}

function counted(id: string, { limit, remaining, reset_seconds, resets_at }: RateLimitStatus): Record<string, string> {
  return {
    'x-request-id': id,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'ratelimit-policy': `"hourly";q=${limit};w=3600`,
    ratelimit: `"hourly";r=${remaining};t=${reset_seconds}`,
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(resets_at),
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null where nothing is counted: on public routes, and for the root key. */
    rate_limit: RateLimitStatus | null;
  }
}
