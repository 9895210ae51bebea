// The SDK stands alone: it imports nothing but its own files, so that it runs wherever JavaScript does.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const files = globSync('sdk/src/**/*', { cwd: root }).filter((file) => file.endsWith('.ts'));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const generated = ['sdk/src/client.ts', 'sdk/src/methods.ts', 'sdk/src/types.ts'];
const written = files.filter((file) => !generated.includes(file));
const IMPORT = /^(?:import|export|\})(?:.*\bfrom)? ['"]([^'"\n]+)['"];$|\b(?:import|require)\(['"`]([^'"`\n]+)/gm;

test('the SDK imports only its own files: no package, nothing of Node, nothing of the server', () => {
  const imports = files.flatMap((file) =>
    [...read(file).matchAll(IMPORT)].map(([, path, other = '']) => ({ file, path: path ?? other })),
  );
  assert.ok(imports.length > 50, 'hardly any import was found: the pattern is broken');
  const wrong = imports.filter(
    ({ file, path }) => !path.startsWith('.') || !normalize(join(file, '..', path)).startsWith('sdk/src/'),
  );
  assert.deepEqual(wrong, []);
});

test('the server does not import the SDK', () => {
  const server = globSync('server/src/**/*', { cwd: root }).filter((file) => /\.(ts|cjs|mjs|js)$/.test(file));
  assert.ok(server.length > 50);
  assert.deepEqual(
    server.filter((file) => /@toolgate\/sdk|\.\.\/sdk\//.test(read(file))),
    [],
  );
});

test('the SDK uses no global that only Node has', () => {
  const code = (file: string) => read(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
  const wrong = written.filter((file) => /\b(process|Buffer|setImmediate|__dirname|global)\b\s*[.(]/.test(code(file)));
  assert.deepEqual(wrong, []);
});

test('no file of the SDK has more than 300 lines, and every name explains it', () => {
  assert.deepEqual(
    written.filter((file) => read(file).trimEnd().split('\n').length > 300),
    [],
  );
  const banned = /\/(utils?|helpers?|common|shared|lib|core|managers?|services?|handlers?|impl)(\.ts|\/)/;
  assert.deepEqual(
    files.filter((file) => banned.test(file)),
    [],
  );
  assert.deepEqual(
    files.filter((file) => !/^[a-z0-9/]+(-[a-z0-9]+)*\.ts$/.test(file)),
    [],
  );
});
