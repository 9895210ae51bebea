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

test('the dashboard imports nothing of the server, of the SDK only the package, and of the contract no schema', () => {
  assert.ok(imports.length > 100, 'hardly any import was found: the pattern is broken');
  assert.deepEqual(
    local.filter(({ to }) => to.startsWith('..')),
    [],
  );
  assert.deepEqual(
    imports.filter(({ path }) => path.startsWith('node:') || /^@toolgate\/(?!sdk$|contract\/)/.test(path)),
    [],
  );
  // A schema is built when its file is loaded: one import would ship all of zod, and the schemas of that resource.
  const used = imports
    .map(({ path }) => /^@toolgate\/contract\/(.+)/.exec(path)?.[1])
    .filter((path) => path !== undefined);
  assert.ok(used.length > 10);
  assert.deepEqual([...new Set(used)].filter(importsZod), []);
});

const contract = join(import.meta.dirname, '../../contract/src');

function importsZod(file: string): boolean {
  const needed = [...readFileSync(join(contract, file), 'utf8').matchAll(/^import (?!type )[^;]*'([^']+)';$/gm)];
  return needed.some(([, path = '']) => path === 'zod' || importsZod(normalize(join(dirname(file), path))));
}

/** `features/x`, or the folder at the top. */
const roomOf = (file: string) => /^features\/[^/]+|^[^/]+/.exec(file)?.[0] ?? '';
const LAYERS = ['api', 'ui', 'features', 'app'];
const layerOf = (file: string) => LAYERS.indexOf(file.split('/')[0] ?? '');

test('api/ imports no other folder, ui/ no feature, and a feature nothing of app/', () => {
  const code = local.filter(({ to }) => !to.endsWith('.css'));
  assert.deepEqual(
    code.filter(({ from, to }) => layerOf(from) === -1 || layerOf(to) === -1 || layerOf(to) > layerOf(from)),
    [],
  );
});

test('features do not import each other in a circle', () => {
  const rooms = new Map<string, Set<string>>();
  for (const { from, to } of local)
    if (roomOf(from) !== roomOf(to)) rooms.set(roomOf(from), (rooms.get(roomOf(from)) ?? new Set()).add(roomOf(to)));
  const isReached = (target: string, from: string, seen = new Set<string>()): boolean =>
    [...(rooms.get(from) ?? [])].some(
      (next) => next === target || (!seen.has(next) && isReached(target, next, seen.add(next))),
    );
  assert.ok([...rooms.keys()].filter((room) => room.startsWith('features/')).length > 10);
  assert.deepEqual(
    [...rooms.keys()].filter((room) => isReached(room, room)),
    [],
  );
});

test('four files of a folder with the same first word are a folder of their own', () => {
  const counts = new Map<string, number>();
  for (const file of files) {
    const prefix = file.replace(/(\/[a-z0-9]+)[^/]*$/, '$1');
    counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
  }
  assert.deepEqual(
    [...counts].filter(([, count]) => count > 3),
    [],
  );
});

test('requests are made by the SDK only', () => {
  assert.deepEqual(
    files.filter((file) => /\bfetch\(|XMLHttpRequest|EventSource|WebSocket/.test(read(file))),
    [],
  );
});

test('nothing writes HTML, and only the theme, recent projects, saved views and drafts of tools are in storage', () => {
  assert.deepEqual(
    files.filter((file) =>
      /dangerouslySetInnerHTML|innerHTML|document\.cookie|sessionStorage|indexedDB/.test(read(file)),
    ),
    [],
  );
  assert.deepEqual(files.filter((file) => /localStorage/.test(read(file))).sort(), [
    'features/custom-tools/draft.ts',
    'features/projects/recent.ts',
    'ui/lists/stored-views.ts',
    'ui/theme.ts',
  ]);
});

test('no file has more than 300 lines, and every name explains it', () => {
  assert.deepEqual(
    files.filter((file) => read(file).trimEnd().split('\n').length > 300),
    [],
  );
  const banned = /(^|\/)(utils?|helpers?|common|shared|lib|core|index)(\.tsx?|\/)/;
  assert.deepEqual(
    files.filter((file) => banned.test(file) || !/^[a-z0-9]+([-/][a-z0-9]+)*\.tsx?$/.test(file)),
    [],
  );
});
