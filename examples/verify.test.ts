// The code for other languages accepts and refuses what vectors/ says. Python is required; Go and PHP run where they are installed.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const cache = mkdtempSync(join(tmpdir(), 'toolgate-examples-'));
after(() => rmSync(cache, { recursive: true, force: true }));

/** Nothing is written into the repository. */
const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', GOCACHE: cache, GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' };

const examples = [
  { folder: 'verify-python', program: 'python3', args: ['check_vectors.py'], is_required: true },
  { folder: 'verify-go', program: 'go', args: ['test', './...'], is_required: false },
  { folder: 'verify-php', program: 'php', args: ['check-vectors.php'], is_required: false },
];

for (const { folder, program, args, is_required } of examples) {
  test(`examples/${folder} agrees with vectors/`, (context) => {
    const result = spawnSync(program, args, { cwd: join(import.meta.dirname, folder), encoding: 'utf8', env });
    if (result.error && !is_required) {
      context.diagnostic(`NOT CHECKED: ${program} is not installed, so examples/${folder} did not run`);
      return;
    }
    assert.ifError(result.error);
    assert.equal(result.status, 0, `${result.stdout}${result.stderr}`);
  });
}
