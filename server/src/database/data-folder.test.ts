import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { prepareDataFolder } from './data-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolgate-data-folder-'));
after(() => rmSync(folder, { recursive: true, force: true }));
chmodSync(folder, 0o700);

for (const [what, data_dir] of [
  ['in /proc', '/proc/x'],
  ['below a folder that cannot exist', '/proc/x/y/z'],
  ['in a folder where nobody creates files', '/proc/self'],
  ['below a file', `${import.meta.filename}/data`],
  ['that is a file', import.meta.filename],
] as const) {
  test(`a data folder ${what} is refused in one sentence that says what to set`, async () => {
    await assert.rejects(prepareDataFolder(data_dir, { is_written: true }), ({ message }: Error) => {
      const words = /^the data folder (\S+) cannot be written \([A-Z]+\): set TOOLGATE_DATA_DIR to .+$/;
      return words.exec(message)?.[1] === data_dir;
    });
  });
}

test('missing folders are created, and nothing is left in them', async () => {
  const data_dir = join(folder, 'a/b');
  await prepareDataFolder(data_dir, { is_written: true });
  await prepareDataFolder(data_dir, { is_written: true });
  assert.deepEqual(readdirSync(data_dir), []);
});
