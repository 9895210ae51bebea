import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  type CustomToolDefinition,
  definitionDefaults,
  definitionNames,
} from '@toolgate/contract/custom-tools/custom-tool.ts';
import { definitionOf, hashDefinition } from './tool.ts';

type Stored = { what: string; definition: CustomToolDefinition; hash: string };

const stored: Stored[] = JSON.parse(readFileSync(join(import.meta.dirname, 'stored-definitions.json'), 'utf8'));

for (const { what, definition, hash } of stored)
  test(`the hash of a stored definition never changes: ${what}`, () => {
    assert.equal(hashDefinition(definitionOf({ ...definitionDefaults, ...definition })), hash);
  });

test('every field of a definition is part of its hash where it differs from its default', () => {
  const { definition, hash } = stored[0] as Stored;
  for (const name of definitionNames) {
    const changed = { ...definition, [name]: { other: 'value' } };
    assert.notEqual(hashDefinition(definitionOf(changed)), hash, name);
  }
});

test('a field that a stored definition may lack has a default', () => {
  const first = ['name', 'base_url', 'endpoint_path'];
  const without = definitionNames.filter((name) => !Object.hasOwn(definitionDefaults, name));
  assert.deepEqual(without, first);
});
