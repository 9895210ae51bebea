// The headers that every answer has, whatever it says.

import type { FastifyRequest } from 'fastify';

/** What is left of the project's hour, as it was when the request was counted. */
export type Allowance = {
  limit: number;
  remaining: number;
  reset_seconds: number;
  /** Unix seconds. */
  resets_at: number;
};

/** All of them are our own words and numbers: nothing in them needs to be checked or escaped. */
export function answerHeaders({ id, allowance }: FastifyRequest): Record<string, string> {
  if (allowance === null)
    return { 'x-request-id': id, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' };
  const { limit, remaining, reset_seconds, resets_at } = allowance;
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
    allowance: Allowance | null;
  }
}
