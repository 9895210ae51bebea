import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadOrMakeSecretFile } from './secret-file.ts';

const folder = await mkdtemp(join(tmpdir(), 'toolgate-secret-file-'));
after(() => rm(folder, { recursive: true }));

test('a secret file is created once, readable by its owner only, without other files', async () => {
  const path = join(folder, 'made.key');
  assert.equal(await loadOrMakeSecretFile(path, () => 'first'), 'first');
  assert.equal(await loadOrMakeSecretFile(path, () => 'second'), 'first');
  assert.equal(await readFile(path, 'utf8'), 'first\n');
  if (process.platform !== 'win32') assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(folder), ['made.key']);
});

test('concurrent creations of the same file all return its one content', async () => {
  const path = join(folder, 'raced.key');
  const texts = await Promise.all(
    Array.from({ length: 20 }, (_, n) => loadOrMakeSecretFile(path, () => `secret ${n}`)),
  );
  assert.equal(new Set(texts).size, 1);
  assert.equal(`${texts[0]}\n`, await readFile(path, 'utf8'));
});

test('an existing file is never overwritten, not even an empty one', async () => {
  const path = join(folder, 'empty.key');
  await writeFile(path, '');
  assert.equal(await loadOrMakeSecretFile(path, () => 'new'), '');
  assert.equal(await readFile(path, 'utf8'), '');
});

test('a folder that does not exist is an error', async () => {
  await assert.rejects(
    loadOrMakeSecretFile(join(folder, 'absent', 'x.key'), () => 'new'),
    { code: 'ENOENT' },
  );
});
