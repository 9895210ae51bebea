import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refuse } from '../errors.ts';
import { errorToRefusal } from './error-to-refusal.ts';

const withCode = (code: string) => Object.assign(new Error('secret words'), { code });

test('a refusal is returned unchanged', () => {
  const refusal = refuse.notFound();
  assert.equal(errorToRefusal(refusal), refusal);
});

for (const code of ['ECONNREFUSED', 'ECONNRESET', '57P01', '08006', '53300']) {
  test(`${code} means that the database is unavailable: 503 with Retry-After: 1`, () => {
    const refusal = errorToRefusal(withCode(code));
    assert.deepEqual([refusal.status, refusal.headers], [503, { 'retry-after': '1' }]);
  });
}

for (const thrown of [
  withCode('23505'),
  withCode('FST_ERR_UNKNOWN'),
  new TypeError('x is not a function'),
  'text',
  undefined,
  null,
]) {
  test(`${String(thrown)} is a bug: 500, without its text`, () => {
    const { status, message, details, cause } = errorToRefusal(thrown);
    assert.deepEqual([status, message, details], [500, 'Internal server error', {}]);
    assert.equal(cause, thrown);
  });
}
