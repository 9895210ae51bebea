// docs/reference/cli.md and cli/src/operations.json are generated.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { processContext } from '../src/process-context.ts';
import { createProgram } from '../src/program.ts';
import { makeOperations } from '../write-operations.ts';
import { makeReference } from '../write-reference.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/reference/cli.md'), 'utf8');

test('docs/reference/cli.md is what npm run docs writes', () => {
  assert.equal(page, makeReference(), 'run npm run docs');
});

test('cli/src/operations.json is what npm run docs makes of the API document', async () => {
  const file = join(import.meta.dirname, '../src/operations.json');
  assert.ok(readFileSync(file, 'utf8') === (await makeOperations()), 'run npm run docs');
});

test('a command is written npx toolgate everywhere, which works in a clone and beside the package', () => {
  // "toolgate calls" may be a sentence; "toolgate calls list" is a command.
  const names = createProgram(processContext()).commands.map((command) => {
    const inside = command.commands.map((each) => each.name());
    return inside.length === 0 ? command.name() : `${command.name()} (?:${inside.join('|')})`;
  });
  const bare = new RegExp(`(?<!npx |[-/])\\btoolgate (?:${names.join('|')})\\b`);
  const root = join(import.meta.dirname, '../..');
  const files = globSync(
    ['*.md', 'docs/{,guides/,reference/}*.md', '{cli,contract,dashboard,server,sdk}/src/**/*.{ts,tsx}'],
    {
      cwd: root,
      exclude: ['CHANGELOG.md'],
    },
  );
  assert.ok(files.length > 1000);
  const isComment = (file: string, line: string) => !file.endsWith('.md') && /^\s*(\/\/|\*|\/\*)/.test(line);
  const found = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .filter((line) => bare.test(line) && !isComment(file, line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  assert.deepEqual(found, []);
});

test('the reference has every command and every option of the program', () => {
  const program = createProgram(processContext());
  const leaves = program.commands.flatMap((group) => (group.commands.length > 0 ? group.commands : [group]));
  assert.ok(leaves.length > 60);
  for (const command of leaves) {
    const name = command.parent === program ? command.name() : `${command.parent?.name()} ${command.name()}`;
    const start = page.indexOf(`\n${command.parent === program ? '##' : '###'} ${name}\n`);
    assert.ok(start >= 0, name);
    const section = page.slice(start, page.indexOf('\n#', start + 1)).replaceAll('\\|', '|');
    for (const { flags } of command.options) assert.ok(section.includes(`\`${flags}\``), `${name} ${flags}`);
    assert.ok(command.description() !== '', `${name} has no description`);
  }
});
