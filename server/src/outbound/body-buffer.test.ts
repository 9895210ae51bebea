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
