// toolgate completion: the script for bash completes as bash runs it; those for zsh and fish are parsed where they are installed.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runToolgate } from './run-toolgate.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolgate-cli-completion-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const script = (await runToolgate(['completion', 'bash'])).stdout;

/** What Tab offers after this line. */
function complete(line: string): string[] {
  const words = line.split(' ');
  const list = words.map((word) => `'${word}'`).join(' ');
  const ask = `${script}\nCOMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _toolgate; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-c', ask], { encoding: 'utf8' });
  assert.deepEqual([status, stderr], [0, '']);
  return stdout.trim().split('\n');
}

test('bash completes commands, their commands, options and choices', () => {
  assert.deepEqual(complete('toolgate to'), ['tools', 'toolsets']);
  assert.deepEqual(complete('toolgate tools im'), ['import']);
  assert.deepEqual(complete('toolgate tools import api.json --dr'), ['--dry-run']);
  assert.deepEqual(complete('toolgate --json completion z'), ['zsh']);
  assert.ok(complete('toolgate webhooks listen --').includes('--forward'));
  assert.ok(complete('toolgate webhooks listen --').includes('--project'), 'options of every command');
  assert.deepEqual(complete('toolgate tools delete x --forw'), ['']);
});

test('the scripts for zsh and fish are syntactically right where the shell is installed', async () => {
  for (const [shell, check] of [
    ['bash', '-n'],
    ['zsh', '-n'],
    ['fish', '--no-execute'],
  ] as const) {
    const { stdout, code } = await runToolgate(['completion', shell]);
    assert.equal(code, 0);
    assert.match(stdout, /\btoolgate\b/);
    const file = join(folder, shell);
    writeFileSync(file, stdout);
    const { error, status, stderr } = spawnSync(shell, [check, file], { encoding: 'utf8' });
    if (error === undefined) assert.equal(status, 0, stderr);
  }
});
