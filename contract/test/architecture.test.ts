// The contract is data: it imports zod and its own files, so that a server, a browser and a generator can all read it.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { test } from 'node:test';
import { errorRows } from '../src/errors.ts';

const root = join(import.meta.dirname, '..');
const files = globSync('src/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
const read = (file: string) => readFileSync(join(root, file), 'utf8');

test('the contract imports only zod and its own files: nothing of Node, of Fastify or of PostgreSQL', () => {
  const imports = files.flatMap((file) =>
    [...read(file).matchAll(/\bfrom '([^']+)';/g)].map(([, path = '']) => ({ file, path })),
  );
  assert.ok(imports.length > 20, 'hardly any import was found: the pattern is broken');
  const wrong = imports.filter(
    ({ file, path }) => path !== 'zod' && !normalize(join(file, '..', path)).startsWith('src/'),
  );
  assert.deepEqual(wrong, []);
});

test('a code belongs to one row', () => {
  const codes = Object.values(errorRows).map(({ code }) => code);
  assert.deepEqual(codes, [...new Set(codes)]);
});

test('no file of the contract has more than 500 lines', () => {
  assert.deepEqual(
    files.filter((file) => read(file).split('\n').length > 500),
    [],
  );
});
