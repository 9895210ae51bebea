import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isStorableJson, isStorableText } from './storable-text.ts';

test('text that PostgreSQL cannot store is detected', () => {
  assert.ok(isStorableText('grüße 😀'));
  assert.ok(!isStorableText('a\0b'));
  assert.ok(!isStorableText('\ud800'));
  assert.ok(isStorableJson({ a: ['x', 1, null, { b: true }] }));
  assert.ok(!isStorableJson({ a: [{ 'b\0': 1 }] }));
  assert.ok(!isStorableJson([[JSON.parse('"\\udfff"')]]));
});
