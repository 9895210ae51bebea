import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { type ApiError, refuse } from '../errors/errors.ts';
import { FailedCall } from '../errors/failed-call.ts';
import { errorToRefusal, logRefusal } from './error-to-refusal.ts';

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

/** Returns the lines that logging this refusal writes. */
function logged(refusal: ApiError, failed_call?: FailedCall): Record<string, unknown>[] {
  const lines: string[] = [];
  logRefusal(pino({ base: null }, { write: (line: string) => lines.push(line) }), 'req_1', refusal, failed_call);
  return lines.map((line) => JSON.parse(line));
}

test('an unexpected error is logged with its stack', () => {
  const [line, ...more] = logged(errorToRefusal(new TypeError('broken')));
  assert.deepEqual([line?.request_id, line?.code, more], ['req_1', 'INTERNAL_ERROR', []]);
  assert.match(String((line?.err as { stack?: string } | undefined)?.stack), /TypeError: broken\n +at /);
});

test('a failure outside of this service is logged with its reason and without a stack', () => {
  const outage = logged(refuse.serviceUnavailable({ cause: new Error('the database is unavailable') }));
  const upstream = logged(refuse.upstreamConnection({ cause: 'connection: refused' }));
  assert.deepEqual(
    [outage, upstream].map(([line]) => [line?.reason, line?.err]),
    [
      ['the database is unavailable', undefined],
      ['connection: refused', undefined],
    ],
  );
});

test('a refusal that was logged already, or is the mistake of a caller, is not logged', () => {
  const refusal = refuse.upstreamConnection({ cause: 'connection: refused' });
  assert.deepEqual(logged(refusal, new FailedCall(refusal, 'call_1', true)), []);
  assert.equal(logged(refusal, new FailedCall(refusal, 'call_1', false)).length, 1);
  assert.deepEqual(logged(refuse.notFound()), []);
});
