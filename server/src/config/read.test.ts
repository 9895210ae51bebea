// Settings in files, and settings that belong together.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { problemsOf } from '../../test/support/servers/config-problems.ts';
import { readConfig } from './config.ts';

const KEY = Buffer.alloc(32, 1).toString('base64');
const POSTGRES = { DATABASE_URL: 'postgres://db/toolgate', TOOLGATE_MASTER_KEYS: `k1:${KEY}` };

test('the settings of the egress proxy are checked, and its password is not repeated', () => {
  const TOOLGATE_EGRESS_PROXY = 'http://gate:hunter2@proxy.internal/path';
  const problems = problemsOf({
    TOOLGATE_EGRESS_PROXY,
    TOOLGATE_EGRESS_PROXY_DNS: 'remote',
    TOOLGATE_EGRESS_NO_PROXY: 'api.internal:8443',
  });
  assert.deepEqual(
    problems.map((problem) => /TOOLGATE_\w+/.exec(problem)?.[0]),
    ['TOOLGATE_EGRESS_PROXY', 'TOOLGATE_EGRESS_PROXY_DNS', 'TOOLGATE_EGRESS_NO_PROXY'],
  );
  assert.ok(!problems.join().includes('hunter2'));
});

test('a setting can be in a file, without the line break at its end', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-settings-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const files = {
    DATABASE_URL_FILE: write('database_url', 'postgres://db/toolgate\n'),
    TOOLGATE_MASTER_KEYS_FILE: write('master_keys', `k1:${KEY}\n`),
    TOOLGATE_ROOT_KEY_FILE: write('root_key', `${'r'.repeat(32)}\r\n`),
  };
  const { database_url, master_keys, root_key } = readConfig(files);
  assert.deepEqual([database_url, master_keys.length, root_key], ['postgres://db/toolgate', 1, 'r'.repeat(32)]);
  assert.match(problemsOf({ ...files, ...POSTGRES }).join(), /DATABASE_URL and DATABASE_URL_FILE are both set/);
  const missing = problemsOf({ ...files, TOOLGATE_ROOT_KEY_FILE: join(folder, 'nothing') });
  assert.deepEqual(missing, ['  - TOOLGATE_ROOT_KEY_FILE cannot be read: ENOENT']);
  const wrong = problemsOf({ TOOLGATE_ROOT_KEY_FILE: write('short', 'secret') });
  assert.match(wrong.join(), /TOOLGATE_ROOT_KEY must/);
  assert.doesNotMatch(wrong.join(), /secret/);
});
