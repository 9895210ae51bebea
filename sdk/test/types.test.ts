import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeClient, makeMethods } from '../write-methods.ts';
import { makeTypes } from '../write-types.ts';

const source = (name: string) => readFileSync(join(import.meta.dirname, '../src', name), 'utf8');

test('src/types.ts is what npm run docs generates from the OpenAPI document', () => {
  assert.ok(source('types.ts') === makeTypes(), 'run `npm run docs`');
});

test('src/methods.ts is what npm run docs generates from methods.ts and the OpenAPI document', () => {
  assert.ok(source('methods.ts') === makeMethods(), 'run `npm run docs`');
});

test('src/client.ts is what npm run docs generates from methods.ts', () => {
  assert.ok(source('client.ts') === makeClient(), 'run `npm run docs`');
});
