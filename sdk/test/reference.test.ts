import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeReference } from '../write-reference.ts';

test('docs/reference/sdk.md is what npm run docs generates from the source', async () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/reference/sdk.md'), 'utf8');
  assert.ok(text === (await makeReference()), 'run `npm run docs`');
});
