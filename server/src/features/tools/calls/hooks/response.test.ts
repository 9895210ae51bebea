import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { useSeed } from '../../../../../test/support/property-seed.ts';
import { readResponse } from './response.ts';

useSeed();

const response = (body: unknown, more: object = {}) => ({
  status: 200,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  truncated: false,
  ...more,
});
const before = { point: 'before', may_change: true } as const;
const after = { point: 'after', may_change: true } as const;

test('whatever a hook answers, it is a decision that it wrote, or a failure in words; nothing is thrown', () => {
  const decisions = new Set(['allow', 'deny', 'confirm']);
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json(),
        fc.string(),
        fc.object().map((each) => JSON.stringify(each)),
      ),
      fc.constantFrom(before, after),
      fc.constantFrom(200, 204, 302, 404, 500),
      (body, asked, status) => {
        const read = readResponse(response(body, { status }), asked);
        if (read.decision === 'failed') return assert.match(read.reason, /^The .+\.$/);
        assert.ok(decisions.has(read.decision));
        assert.equal((JSON.parse(body) as { decision: string }).decision, read.decision);
      },
    ),
  );
});

test('a reason is one line of at most 500 readable characters, whatever a hook writes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 700 }), (reason) => {
      const read = readResponse(response({ decision: 'deny', reason }), before);
      const text = read.reason ?? '';
      assert.ok(text.length <= 500 && text.isWellFormed());
      assert.doesNotMatch(text, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    }),
  );
  assert.equal(
    readResponse(response({ decision: 'deny', reason: 'no\u0000\u202e\ud800' }), before).reason,
    'no\\u{0}\\u{202e}�',
  );
  assert.equal(readResponse(response({ decision: 'deny', reason: ' ' }), before).reason, null);
});

test('changes are read only where the hook may change something, at its own point, and never of a denial', () => {
  const body = { decision: 'allow', arguments: { a: 1 }, result: [2] };
  const changes = (asked: Parameters<typeof readResponse>[1], given: object = body) => {
    const read = readResponse(response(given), asked);
    return read.decision === 'failed' ? read.reason : [read.arguments, read.result];
  };
  assert.deepEqual(changes(before), [{ a: 1 }, undefined]);
  assert.deepEqual(changes(after), [undefined, { value: [2] }]);
  assert.deepEqual(changes({ ...before, may_change: false }), [undefined, undefined]);
  assert.deepEqual(changes(before, { ...body, decision: 'deny' }), [undefined, undefined]);
  assert.deepEqual(changes(after, { decision: 'allow', result: null }), [undefined, { value: null }]);
});
