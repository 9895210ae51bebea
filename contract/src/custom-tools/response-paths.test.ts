import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deepSteps, escapeName, isDetector, parsePath, type ResponsePath } from './response-paths.ts';

/** A path as words: `.name` for a name, and the other steps as they are written. */
const steps = (text: string) => {
  const path = parsePath(text);
  const written = { any: '*', deep: '**', item: '[]' };
  if (typeof path === 'string') return path;
  return path.map((step) => (step.kind === 'member' ? `.${step.name}` : written[step.kind]));
};

for (const [text, expected] of [
  ['id', ['.id']],
  ['items[].id', ['.items', '[]', '.id']],
  ['[]', ['[]']],
  ['[].id', ['[]', '.id']],
  ['a[][].b', ['.a', '[]', '[]', '.b']],
  ['data.**._links', ['.data', '**', '._links']],
  ['*', ['*']],
  ['**', ['**']],
  ['*.id', ['*', '.id']],
  ['a\\.b', ['.a.b']],
  ['\\*', ['.*']],
  ['a\\[\\]', ['.a[]']],
  ['a\\\\b', ['.a\\b']],
  ['größe.🎉', ['.größe', '.🎉']],
] as [string, string[]][])
  test(`${text} is a path of ${expected.length} steps`, () => assert.deepEqual(steps(text), expected));

for (const text of ['', '.', '.a', 'a.', 'a..b', 'a[]b', 'a[0]', 'a]', '[', 'a*', '***', 'a\\', '[]a', 'a.[]'])
  test(`${JSON.stringify(text)} is no path`, () => assert.match(String(parsePath(text)), /^must be a path such as/));

test('a path has up to 16 steps and 512 characters', () => {
  const names = (count: number) => Array.from({ length: count }, () => 'a').join('.');
  assert.equal(steps(names(16)).length, 16);
  assert.equal(parsePath(names(17)), 'must have at most 16 steps');
  assert.equal(steps('a'.repeat(512)).length, 1);
  assert.equal(parsePath('a'.repeat(513)), 'must have at most 512 characters');
});

test('a name that is escaped is one step again, whatever it is', () => {
  for (const name of ['a', 'a.b', '*', '**', 'a[]', 'a\\', '\\.', '[0]'])
    assert.deepEqual(steps(escapeName(name)), [`.${name}`]);
});

test('only steps that go any depth count as deep', () => {
  assert.deepEqual(
    ['a.*', '**.a', '**.a.**'].map((text) => deepSteps(parsePath(text) as ResponsePath)),
    [0, 1, 2],
  );
});

test('a detector is one of the known names', () => {
  assert.deepEqual(['@email', '@card', 'email', '@Email'].map(isDetector), [true, true, false, false]);
});
