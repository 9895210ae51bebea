// npm test: what it prints and returns for tests that fail, and for arguments that are wrong.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../../..');
const fixtures = 'server/test/fixtures/runner';

function npmTest(...given: string[]) {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return spawnSync(process.execPath, ['server/test/run.ts', ...given], { cwd: root, env, encoding: 'utf8' });
}

for (const [file, named, reason] of [
  ['fails.ts', `test at ${fixtures}/fails.ts:9:1\n✖ a test that fails `, /\+ 'found'/],
  ['cannot-load.ts', `\n✖ ${fixtures}/cannot-load.ts `, /This file cannot be loaded\./],
  ['ends-process.ts', `\n✖ ${fixtures}/ends-process.ts\n`, /ended with 3 before its tests did/],
] as const)
  test(`${file}: a failure is reported with its reason and named last, and the files after it are run`, () => {
    const { status, stdout } = npmTest('--concurrency=1', `${fixtures}/${file}`, `${fixtures}/passes.ts`);
    assert.equal(status, 1, stdout);
    const [, end = ''] = stdout.split('✖ failing tests:\n');
    assert.ok(end.includes(named), stdout);
    assert.match(end, reason, 'the reason is named with it');
    assert.match(stdout, /✔ a test of the next file passes/);
    assert.match(stdout, /ℹ fail 1\n/);
  });

test('hooks of a file are run for its tests only', () => {
  const { stdout } = npmTest('--concurrency=1', `${fixtures}/fails.ts`, `${fixtures}/passes.ts`);
  assert.equal(stdout.split('A hook before a test of the first file.').length - 1, 2, stdout);
  assert.equal(stdout.split('The first file has ended.').length - 1, 1);
});

test('an error after the end of its test fails the run, and is printed with the name of the file', () => {
  const { status, stdout } = npmTest(`${fixtures}/late-error.ts`);
  assert.equal(status, 1, stdout);
  assert.match(stdout, /An uncaught error while server\/test\/fixtures\/runner\/late-error\.ts was run:.*comes late/s);
});

test('-t runs the tests whose name matches', () => {
  const { status, stdout } = npmTest(`${fixtures}/fails.ts`, '-t', 'that passes');
  assert.equal(status, 0, stdout);
  assert.match(stdout, /✔ a test that passes/);
  assert.doesNotMatch(stdout, /a test that fails/);
});

test('a run ends with its times, by kind of test and by file', () => {
  const { stdout } = npmTest(`${fixtures}/passes.ts`, `${fixtures}/fails.ts`);
  assert.match(
    stdout,
    /\| `server\/test\/fixtures` \| 2 \| \d+\.\d \| \d+\.\d \|\n\| PostgreSQL, start and end \| \| \d+\.\d \| \|\n\| in all \| 2 \|/,
  );
  assert.match(stdout, /\| `server\/test\/fixtures\/runner\/passes\.ts` \| \d+\.\d \| \d+\.\d \|/);
});

test('--shard runs one part of the files', () => {
  const files = ['fails', 'passes'].map((name) => `${fixtures}/${name}.ts`);
  const { stdout } = npmTest('--shard', '2/2', ...files);
  assert.match(stdout, /✔ a test of the next file passes/);
  assert.match(stdout, /ℹ tests 1\n/);
});

for (const [given, sentence] of [
  ['server/test/absent.test.ts', 'There is no file or folder server/test/absent.test.ts.'],
  ['docs/guides', 'There is no test below docs/guides.'],
  ['--again', "Unknown option '--again'."],
  ['--shard=3/2', '--shard is one part of several, such as 2/4, not 3/2.'],
  ['--watch', "Unknown option '--watch'."],
] as const)
  test(`npm test -- ${given} says what is wrong and how it is used, and runs nothing`, () => {
    const { status, stderr, stdout } = npmTest(given);
    assert.deepEqual([status, stdout], [2, '']);
    assert.ok(stderr.startsWith(sentence), stderr);
    assert.match(stderr, /Usage: npm test/);
    assert.doesNotMatch(stderr, /\n\s+at /);
  });
