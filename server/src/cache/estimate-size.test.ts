import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimateSize } from './estimate-size.ts';

test('the estimate includes text and bytes at any depth', () => {
  const text = 'x'.repeat(10_000);
  for (const value of [
    text,
    { a: { b: [text] } },
    { [text]: 1 },
    new Map([['a', text]]),
    new Set([text]),
    Buffer.alloc(20_000),
    { kept: Buffer.alloc(20_000) },
  ]) {
    const size = estimateSize(value);
    assert.ok(size >= 20_000 && size < 21_000, String(size));
  }
});

test('many small parts count, also more of them than are visited', () => {
  assert.ok(estimateSize(Array.from({ length: 1_000 }, () => ({}))) >= 40_000);
  assert.ok(estimateSize(Array.from({ length: 100_000 }, () => 'x'.repeat(100))) >= 20_000_000);
});

test('every value has a size, and a circular value ends', () => {
  for (const value of [undefined, null, 0, {}, () => {}]) assert.ok(estimateSize(value) > 0);
  const ring: { self?: unknown } = {};
  ring.self = ring;
  assert.ok(estimateSize(ring) > 0);
});
