import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from './config.ts';

const MASTER_KEYS = { TOOLGATE_MASTER_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}` };
const read = (settings: Record<string, string>) => readConfig({ ...MASTER_KEYS, ...settings });

test('without a direct URL, DATABASE_URL is the direct one, and it can name several hosts', () => {
  const url = 'postgres://u:p@a:5432,b:5432/name?target_session_attrs=read-write';
  const { database_url, direct_url } = read({ DATABASE_URL: url });
  assert.deepEqual([database_url, direct_url], [url, url]);
});

for (const settings of [
  { DATABASE_URL: 'postgres://u:secret@a:5432,b:x/name' },
  { DATABASE_URL: 'postgres://u:secret@a,b/name?target_session_attrs=any' },
  { DATABASE_DIRECT_URL: 'mysql://u:secret@direct', DATABASE_URL: 'postgres://db/name' },
  { DATABASE_DIRECT_URL: 'postgres://u:secret@direct/name' },
]) {
  const text = JSON.stringify(settings);
  test(`${text.replace('secret', '…')} is refused, and its password is not repeated`, () => {
    assert.throws(
      () => readConfig(settings.DATABASE_URL ? { ...MASTER_KEYS, ...settings } : settings),
      (error: Error) => {
        const [name] = Object.keys(settings) as [string];
        assert.match(error.message, new RegExp(`^.*\n {2}- ${name} [^\n]+$`));
        return !error.message.includes('secret');
      },
    );
  });
}
