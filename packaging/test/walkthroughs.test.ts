// The walkthroughs of CONTRIBUTING.md: their changes are made in a copy of the project, and what they promise works there.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const copy = mkdtempSync(join(tmpdir(), 'toolgate-walkthrough-'));
after(() => rmSync(copy, { recursive: true, force: true }));

const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');

type Step = { file: string; language: string; text: string };

/** The files of a walkthrough: each is named right before its block. */
function stepsOf(heading: string): Step[] {
  const [, rest = ''] = page.split(`## ${heading}\n`);
  const [section = ''] = rest.split('\n## ');
  return [...section.matchAll(/^`([^`\n]+)`[^\n]*:\n\n```(\w+)\n([\s\S]*?)^```$/gm)].map(
    ([, file = '', language = '', text = '']) => ({ file, language, text }),
  );
}

const field = stepsOf('Adding a field, step by step');
const resource = stepsOf('Adding a resource, step by step');

function run(...command: string[]): void {
  const [program = '', ...args] = command;
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: copy, encoding: 'utf8' });
  assert.equal(status, 0, `${command.join(' ')}\n${stdout}${stderr}`);
}

/** Everything that git knows, with the packages of this project; those of the project itself are the copied ones. */
function copyProject(): void {
  const { stdout } = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  for (const file of stdout.split('\0').filter((name) => name !== '' && existsSync(join(root, name))))
    cpSync(join(root, file), join(copy, file));
  const folders = ['.', 'server', 'dashboard', 'sdk', 'cli', 'contract'].filter((folder) =>
    existsSync(join(root, folder, 'node_modules')),
  );
  for (const folder of folders) {
    mkdirSync(join(copy, folder, 'node_modules'));
    for (const name of readdirSync(join(root, folder, 'node_modules')).filter((name) => name !== '@toolgate'))
      symlinkSync(join(root, folder, 'node_modules', name), join(copy, folder, 'node_modules', name));
  }
  const own = join(copy, 'node_modules/@toolgate');
  mkdirSync(own);
  for (const name of readdirSync(join(root, 'node_modules/@toolgate'))) symlinkSync(join(copy, name), join(own, name));
}

function apply({ file, language, text }: Step): void {
  const path = join(copy, file);
  if (language !== 'diff') {
    assert.equal(existsSync(path), false, `${file} exists already`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return;
  }
  let content = readFileSync(path, 'utf8');
  for (const hunk of text.split(/^ …\n/m)) {
    const lines = hunk.split('\n').filter((line) => line !== '');
    const without = (sign: string) =>
      lines
        .filter((line) => !line.startsWith(sign))
        .map((line) => `${line.slice(1)}\n`)
        .join('');
    assert.equal(content.split(without('+')).length, 2, `${file} does not have this part exactly once:\n${hunk}`);
    content = content.replace(without('+'), () => without('-'));
  }
  writeFileSync(path, content);
}

before(() => {
  copyProject();
  for (const step of [...field, ...resource]) apply(step);
  run('npm', 'run', 'tables');
  run('npm', 'run', 'docs:examples');
});

test('a field of a tool takes at most four files written by hand, a resource at most twelve', () => {
  assert.ok(field.length >= 3 && field.length <= 4, String(field.length));
  assert.ok(resource.length >= 10 && resource.length <= 12, String(resource.length));
});

test('the changed project compiles and is formatted', () => {
  run('npx', 'tsc', '--noEmit');
  const written = [...field, ...resource].map(({ file }) => file).filter((file) => file.endsWith('.ts'));
  run('npx', 'biome', 'check', '--error-on-warnings', ...written);
});

test('what they promise works over HTTP, in the SDK and on the command line; hashes of stored tools do not change, and the documents are complete', () => {
  const stories = [...field, ...resource].map(({ file }) => file).filter((file) => file.endsWith('.test.ts'));
  assert.equal(stories.length, 2);
  const clients = ['sdk/test/operations.test.ts', 'cli/test/resources.test.ts'];
  const server = ['server/src/features/tools/catalogue/tool.test.ts', 'server/test/contract/openapi.test.ts'];
  // One run: each starts a PostgreSQL.
  run('npm', 'test', '--', ...stories, ...clients, ...server);
});
