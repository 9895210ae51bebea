import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freeMemory } from './free-memory.ts';

test('the memory of a large buffer is freed at once', () => {
  const bytes = Buffer.allocUnsafe(64 * 1024 * 1024);
  const before = process.memoryUsage().arrayBuffers;
  freeMemory(bytes.subarray(10, 20));
  assert.equal(bytes.length, 0);
  assert.ok(process.memoryUsage().arrayBuffers < before - 32 * 1024 * 1024);
});

test('a small buffer keeps its memory, which others share', () => {
  const [one, other] = [Buffer.from('one'), Buffer.from('other')];
  freeMemory(one);
  assert.equal(one.toString() + other.toString(), 'oneother');
});

test('memory that threads share is not touched', () => {
  const bytes = Buffer.from(new SharedArrayBuffer(64 * 1024));
  freeMemory(bytes);
  assert.equal(bytes.length, 64 * 1024);
});
