// The promised times while the database is unavailable: 503 within 2 s, and normal operation within 5 s of its return.

import assert from 'node:assert/strict';
import type { Answer } from '../call-api.ts';
import { expectAnswer } from '../make.ts';

export const RESPONSE_WITHIN_MS = 2_000;
export const NORMAL_WITHIN_MS = 5_000;

/** The response of a request that is sent now; fails when it takes too long. */
export async function expectInTime(request: Promise<Answer>): Promise<Answer> {
  const started = performance.now();
  const response = await request;
  const took = performance.now() - started;
  assert.ok(took <= RESPONSE_WITHIN_MS, `${response.status} after ${Math.round(took)} ms`);
  return response;
}

export function expectUnavailable(response: Answer): void {
  expectAnswer(response, 503, 'Service unavailable');
  assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
}
