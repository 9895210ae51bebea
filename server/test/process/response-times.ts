// The promised times while the database is unavailable: 503 within 2 s, and normal operation within 5 s of its return.

import assert from 'node:assert/strict';
import { expectResponse } from '../support/make/make.ts';
import type { ApiResponse } from '../support/requests/call-api.ts';

export const RESPONSE_WITHIN_MS = 2_000;
export const NORMAL_WITHIN_MS = 5_000;

/** The response of a request that is sent now; fails when it takes too long. */
export async function expectInTime(request: Promise<ApiResponse>): Promise<ApiResponse> {
  const started = performance.now();
  const response = await request;
  const took = performance.now() - started;
  assert.ok(took <= RESPONSE_WITHIN_MS, `${response.status} after ${Math.round(took)} ms`);
  return response;
}

export function expectUnavailable(response: ApiResponse): void {
  expectResponse(response, 503, 'Service unavailable');
  assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
}
