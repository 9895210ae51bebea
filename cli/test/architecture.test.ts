// What the command line may import, and what may not exist.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const files = globSync('cli/src/**/*.ts', { cwd: root });
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const IMPORT = /\b(from|import)\s*(\()?\s*['"`](\.[^'"`]+)['"`]/g;
const imports = files.flatMap((from) =>
  [...read(from).matchAll(IMPORT)].map(([text, , dynamic, path = '']) => ({
    from,
    to: normalize(join(from, '..', path)),
    isDynamic: dynamic !== undefined,
    isType: new RegExp(`import type [^;]*${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`).test(read(from)),
  })),
);

test('commands of the API use the SDK; only the operator’s commands run code of the server, and load it when they run', () => {
  assert.ok(imports.length > 80, 'hardly any import was found: the pattern is broken');
  /** Without imports of their own, or with little: they do not slow down other commands. */
  const light = ['installation.ts', 'config/running-server.ts', 'redaction/secret-patterns.ts'].map(
    (file) => `server/src/${file}`,
  );
  const wrong = imports.filter(({ from, to, isDynamic, isType }) => {
    if (to.startsWith('cli/src/') || to === 'sdk/src/index.ts') return false;
    if (isType || light.includes(to)) return !to.startsWith('server/src/');
    return !(from.startsWith('cli/src/operator/') && to.startsWith('server/src/') && isDynamic);
  });
  assert.deepEqual(wrong, []);
});

test('of the contract only types and rules are imported: a command starts without zod', () => {
  const statements = files.flatMap((file) => read(file).match(/^import [^;]*'@toolgate\/contract\/[^;]*;/gm) ?? []);
  assert.ok(statements.length > 0);
  assert.deepEqual(
    statements.filter((statement) => !/^import type |\/rules\.ts';$/.test(statement)),
    [],
  );
});

test('nothing imports the command line', () => {
  const others = globSync(['server/src/**/*.ts', 'sdk/src/**/*.ts'], { cwd: root });
  assert.ok(others.length > 100);
  assert.deepEqual(
    others.filter((file) => /['"`](?:\.\.\/)+cli\//.test(read(file))),
    [],
  );
});

test('no file has more than 300 lines, and every name explains it', () => {
  assert.deepEqual(
    files.filter((file) => read(file).trimEnd().split('\n').length > 300),
    [],
  );
  const banned = /\/(utils?|helpers?|common|shared|lib|core|managers?|services?|handlers?|impl|index)(\.ts|\/)/;
  assert.deepEqual(
    files.filter((file) => banned.test(file) || !/^[a-z0-9/]+(-[a-z0-9]+)*\.ts$/.test(file)),
    [],
  );
});
