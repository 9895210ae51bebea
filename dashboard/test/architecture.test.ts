// Who may import whom in the dashboard, and what may not exist.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';

const source = join(import.meta.dirname, '../src');
const files = globSync('**/*.{ts,tsx}', { cwd: source });
const read = (file: string) => readFileSync(join(source, file), 'utf8');
const imports = files.flatMap((from) =>
  [...read(from).matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, path = '']) => ({ from, path })),
);
const local = imports
  .filter(({ path }) => path.startsWith('.'))
  .map(({ from, path }) => ({ from, to: normalize(join(dirname(from), path)) }));

test('the dashboard imports nothing of the server, and of the SDK only the package', () => {
  assert.ok(imports.length > 100, 'hardly any import was found: the pattern is broken');
  assert.deepEqual(
    local.filter(({ to }) => to.startsWith('..')),
    [],
  );
  assert.deepEqual(
    imports.filter(({ path }) => path.startsWith('node:') || /^@toolgate\/(?!sdk$)/.test(path)),
    [],
  );
});

test('a component imports no page', () => {
  assert.deepEqual(
    local.filter(({ from, to }) => from.startsWith('components/') && to.startsWith('pages/')),
    [],
  );
});

test('requests are made by the SDK only; the API reference reads the document, which is no resource', () => {
  assert.deepEqual(
    files.filter((file) => /\bfetch\(|XMLHttpRequest|EventSource|WebSocket/.test(read(file))),
    ['docs-document.ts'],
  );
});

test('nothing writes HTML, and only the theme, the list of recent projects and saved views are in storage', () => {
  assert.deepEqual(
    files.filter((file) =>
      /dangerouslySetInnerHTML|innerHTML|document\.cookie|sessionStorage|indexedDB/.test(read(file)),
    ),
    [],
  );
  assert.deepEqual(files.filter((file) => /localStorage/.test(read(file))).sort(), [
    'components/theme.tsx',
    'recent-projects.ts',
    'saved-views.ts',
  ]);
});

test('no file has more than 300 lines, and every name explains it', () => {
  assert.deepEqual(
    files.filter((file) => read(file).trimEnd().split('\n').length > 300),
    [],
  );
  const banned = /(^|\/)(utils?|helpers?|common|shared|lib|core|index)(\.tsx?|\/)/;
  assert.deepEqual(
    files.filter((file) => banned.test(file) || !/^[a-z0-9/]+(-[a-z0-9]+)*\.tsx?$/.test(file)),
    [],
  );
});
