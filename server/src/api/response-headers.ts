// The headers of every response.

import type { FastifyRequest } from 'fastify';

/** What was left of the project's hourly limit when the request was counted. */
export type RateLimitStatus = {
  limit: number;
  remaining: number;
  reset_seconds: number;
  /** Unix seconds. */
  resets_at: number;
};

type Decision = { limit: number; remaining: number; reset_ms: number; resets_at: number };

export function rateLimitStatus({ limit, remaining, reset_ms, resets_at }: Decision): RateLimitStatus {
  const reset_seconds = Math.max(1, Math.ceil(reset_ms / 1000));
  return { limit, remaining, reset_seconds, resets_at: Math.ceil(resets_at / 1000) };
}

/** A year. Not for subdomains: those of the operator's domain need not be ours. */
const STRICT_TRANSPORT_SECURITY = 'max-age=31536000';

export function responseHeaders(request: FastifyRequest): Record<string, string> {
  const headers: Record<string, string> = {
    'x-request-id': request.id,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
  if (request.rate_limit !== null) addRateLimit(headers, request.rate_limit);
  if (request.server.is_https) headers['strict-transport-security'] = STRICT_TRANSPORT_SECURITY;
  // The next request on this connection would be lost.
  if (request.server.is_stopping) headers.connection = 'close';
  return headers;
}

function addRateLimit(
  headers: Record<string, string>,
  { limit, remaining, reset_seconds, resets_at }: RateLimitStatus,
): void {
  headers['ratelimit-policy'] = `"hourly";q=${limit};w=3600`;
  headers.ratelimit = `"hourly";r=${remaining};t=${reset_seconds}`;
  headers['x-ratelimit-limit'] = String(limit);
  headers['x-ratelimit-remaining'] = String(remaining);
  headers['x-ratelimit-reset'] = String(resets_at);
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null when the request is not counted: on public routes, and for the root key. */
    rate_limit: RateLimitStatus | null;
  }
}
