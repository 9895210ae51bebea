import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { inspect } from 'node:util';
import { openTestDatabase } from '../../test/support/database/test-database.ts';
import { createCache } from '../cache/cache.ts';
import { type MasterKey, parseMasterKeys } from '../config/master-keys.ts';
import { createSecrets } from './encryption.ts';
import { loadOrMakeMasterKeys, verifyMasterKeys } from './master-keys.ts';

const { database, close } = await openTestDatabase();
const folder = await mkdtemp(join(tmpdir(), 'toolgate-master-keys-'));
after(async () => {
  await close();
  await rm(folder, { recursive: true });
});

const context = { table: 'settings', column: 'secret', row_id: '1' };

function makeMasterKey(id: string): MasterKey {
  return { id, key: createSecretKey(randomBytes(32)) };
}

test('master keys are read in order, as base64 or base64url, padded or not', () => {
  const bytes = [randomBytes(32), Buffer.alloc(32, 0xff), randomBytes(32)] as const;
  const text = `k1:${bytes[0].toString('base64')}, k_2:${bytes[1].toString('base64url')},K-3:${bytes[2].toString('base64').slice(0, -1)}`;
  const { keys, problems } = parseMasterKeys(text);
  assert.deepEqual(problems, []);
  assert.deepEqual(
    keys.map(({ id, key }) => [id, key.export()]),
    [
      ['k1', bytes[0]],
      ['k_2', bytes[1]],
      ['K-3', bytes[2]],
    ],
  );
});

test('an empty text gives no key and no problem', () => {
  assert.deepEqual(parseMasterKeys(''), { keys: [], problems: [] });
  assert.deepEqual(parseMasterKeys('  \n'), { keys: [], problems: [] });
});

test('all problems with master keys are returned together, without the keys', () => {
  const good = randomBytes(32).toString('base64');
  const short = randomBytes(16).toString('base64');
  const { problems } = parseMasterKeys(
    `k1:${good},k1:${good},a.b:${good},k2:${short},k3,,${'x'.repeat(33)}:${good},k4:not base64!`,
  );
  const expected = [
    /"k1" is given twice/,
    /entry 3/,
    /"k2" is not 32/,
    /entry 5/,
    /entry 6/,
    /entry 7/,
    /"k4" is not 32/,
  ];
  assert.equal(problems.length, expected.length);
  for (const [index, words] of expected.entries()) assert.match(problems[index] ?? '', words);
  assert.ok(!problems.join().includes(good) && !problems.join().includes(short));
});

test('a master key that is printed does not show its bytes', () => {
  const bytes = randomBytes(32);
  const [key] = parseMasterKeys(`k1:${bytes.toString('base64')}`).keys;
  const shown = inspect(key, { depth: 9, showHidden: true }) + JSON.stringify(key);
  assert.ok(!shown.includes(bytes.toString('base64')) && !shown.includes(bytes.toString('hex').slice(0, 8)));
});

test('the embedded master key is created once and is the same at every start', async () => {
  const [first, ...more] = await loadOrMakeMasterKeys(folder);
  const [second] = await loadOrMakeMasterKeys(folder);
  assert.ok(first && second && more.length === 0);
  assert.equal(first.id, second.id);
  assert.ok(first.key.equals(second.key));
  const text = await readFile(join(folder, 'master.key'), 'utf8');
  assert.ok(parseMasterKeys(text).keys[0]?.key.equals(first.key));
});

test('a damaged master key file stops the start and is not changed', async () => {
  const broken = await mkdtemp(join(folder, 'broken-'));
  for (const text of ['', 'nonsense', `k1:${randomBytes(31).toString('base64')}`]) {
    await writeFile(join(broken, 'master.key'), text);
    await assert.rejects(loadOrMakeMasterKeys(broken), /master\.key cannot be used/);
    assert.equal(await readFile(join(broken, 'master.key'), 'utf8'), text);
  }
});

test('another key under a known id stops the start', async () => {
  const known = makeMasterKey('known');
  await verifyMasterKeys(database, [known]);
  await verifyMasterKeys(database, [known]);
  await assert.rejects(verifyMasterKeys(database, [makeMasterKey('known')]), /master key "known" is not the key/);
});

test('two servers that start with different keys under one new id do not both start', async () => {
  const starts = await Promise.allSettled([
    verifyMasterKeys(database, [makeMasterKey('raced')]),
    verifyMasterKeys(database, [makeMasterKey('raced')]),
  ]);
  assert.deepEqual(starts.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
});

test('a master key in use cannot be removed, and a refused start stores nothing', async () => {
  const [used, fresh] = [makeMasterKey('used'), makeMasterKey('fresh')];
  const secrets = createSecrets({ master_keys: [used], cache: createCache() });
  await secrets.verifyMasterKeys(database);
  await secrets.seal(database, null, context, 'x');
  await assert.rejects(verifyMasterKeys(database, [fresh]), /encrypted with master key "used"/);
  await verifyMasterKeys(database, [makeMasterKey('fresh'), used]);
});

test('nothing is sealed under a master key that was not verified', async () => {
  const other = await openTestDatabase();
  try {
    const secrets = createSecrets({ master_keys: [makeMasterKey('unverified')], cache: createCache() });
    await assert.rejects(secrets.seal(other.database, null, context, 'x'), /data_keys_master_key_id_fkey/);
  } finally {
    await other.close();
  }
});
