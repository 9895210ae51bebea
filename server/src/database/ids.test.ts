import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from './ids.ts';

test('an id is its prefix and 22 base62 characters, and is unique', () => {
  const ids = Array.from({ length: 100_000 }, () => newId('prj'));
  for (const id of ids) assert.match(id, /^prj_[0-9A-Za-z]{22}$/);
  assert.equal(new Set(ids).size, ids.length);
});
