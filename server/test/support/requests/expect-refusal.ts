// Checks a whole refusal: the error object, its request id, and its bounded length.

import assert from 'node:assert/strict';
import type { ApiResponse } from './call-api.ts';

export type Refusal = {
  code: string;
  message: string;
  details: {
    field?: string;
    value?: string;
    reason?: string;
    remedy?: string;
    finest_interval?: string;
    problems?: { field: string; message: string }[];
  };
  request_id: string;
  docs_url: string;
  /** Only where `details` are empty. */
  remedy?: string;
};

/** Expects a refusal with this status, or any 4xx. Returns its error. */
export function expectRefusal(response: ApiResponse<{ error: Refusal }>, status?: number): Refusal {
  if (status === undefined)
    assert.ok(response.status >= 400 && response.status < 500, `${response.status} ${response.text}`);
  else assert.equal(response.status, status, response.text);
  const { error, ...more } = response.body ?? {};
  assert.deepEqual(more, {});
  const isBare = ['INVALID_API_KEY', 'INTERNAL_ERROR'].includes(error.code);
  const names = ['code', 'details', 'docs_url', 'message', ...(isBare ? ['remedy'] : []), 'request_id'];
  assert.deepEqual(Object.keys(error).sort(), names);
  assert.match(error.code, /^[A-Z_]+$/);
  assert.equal(typeof error.message, 'string');
  assert.match(error.request_id, /^req_[0-9A-Za-z]{22}$/);
  assert.equal(error.request_id, response.headers.get('x-request-id'));
  const anchor = error.details.reason ?? error.code.toLowerCase();
  assert.match(error.docs_url, new RegExp(`^https?://[^/]+/docs/errors#${anchor}$`));
  if (isBare) assert.deepEqual(error.details, {});
  expectAdvice(isBare ? { reason: anchor, remedy: `${error.remedy}` } : error.details);
  assert.ok(response.text.isWellFormed() && response.text.length < 4096, `${response.text.length} characters`);
  return error;
}

function expectAdvice({ reason = '', remedy = '' }: Refusal['details']): void {
  assert.match(reason, /^[a-z][a-z0-9_]*$/);
  assert.match(remedy, /^[A-Z].*\.$/);
}
