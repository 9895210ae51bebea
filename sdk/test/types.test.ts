import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeTypes } from '../write-types.ts';

test('src/types.ts is what npm run docs generates from docs/openapi.json', () => {
  const text = readFileSync(join(import.meta.dirname, '../src/types.ts'), 'utf8');
  assert.ok(text === makeTypes(), 'run `npm run docs`');
});
