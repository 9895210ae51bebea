import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BodyBuffer } from './body-buffer.ts';

const MIB = 2 ** 20;

test('a body that has grown holds the memory of its last size only', () => {
  const parts = Array.from({ length: 64 }, (_, i) => Buffer.alloc(MIB, i));
  const before = process.memoryUsage().arrayBuffers;
  const body = new BodyBuffer(100 * MIB);
  for (const part of parts) assert.ok(body.add(part));
  assert.ok(process.memoryUsage().arrayBuffers - before <= 65 * MIB);
  assert.deepEqual(body.bytes(), Buffer.concat(parts));
});

test('what does not fit is left out', () => {
  const body = new BodyBuffer(5);
  assert.equal(body.add(Buffer.from('abc')), true);
  assert.equal(body.add(Buffer.from('def')), false);
  assert.equal(body.bytes().toString(), 'abcde');
});

test('only the given part of the bytes is added, whether it is short or long', () => {
  const body = new BodyBuffer(100);
  const bytes = Buffer.from('0123456789'.repeat(10));
  assert.equal(body.add(bytes, 3, 5), true);
  assert.equal(body.add(bytes, 5, 95), true);
  assert.equal(body.add(bytes, 95, 95), true);
  assert.equal(body.bytes().toString(), bytes.toString('latin1', 3, 95));
  assert.equal(body.add(bytes, 0, 9), false);
  assert.equal(body.bytes().toString(), `${bytes.toString('latin1', 3, 95)}01234567`);
});
