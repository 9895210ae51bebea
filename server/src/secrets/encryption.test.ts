import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { insertProject, openTestDatabase } from '../../test/support/database/test-database.ts';
import { createCache } from '../cache/cache.ts';
import type { MasterKey } from '../config/master-keys.ts';
import type { Database } from '../database/tables.ts';
import { SecretUnreadable } from './aes-gcm.ts';
import { createSecrets } from './encryption.ts';

const { database, close } = await openTestDatabase();
after(close);

const master: MasterKey = { id: 'k1', key: createSecretKey(randomBytes(32)) };
const secrets = createSecrets({ master_keys: [master], cache: createCache() });
await secrets.verifyMasterKeys(database);

const context = { table: 'custom_tools', column: 'auth_secret', row_id: 'tool_1' };

function dataKeysOf(project_id: string) {
  return database
    .selectFrom('data_keys')
    .select(['id', 'uses', 'retired_at'])
    .where('project_id', '=', project_id)
    .orderBy('created_at')
    .execute();
}

function dataKeyIn(blob: string): string {
  return blob.split('.')[2] as string;
}

test('a sealed secret opens in its context, in every process with the master key', async () => {
  const project_id = await insertProject(database);
  const elsewhere = createSecrets({ master_keys: [master], cache: createCache() });
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), async (bytes) => {
      const blob = await secrets.seal(database, project_id, context, bytes);
      assert.deepEqual(await secrets.open(database, project_id, context, blob), Buffer.from(bytes));
      assert.deepEqual(await elsewhere.open(database, project_id, context, blob), Buffer.from(bytes));
    }),
    { numRuns: 50 },
  );
  const text = 'pässwörd 🔑';
  assert.equal(
    (await secrets.open(database, null, context, await secrets.seal(database, null, context, text))).toString(),
    text,
  );
});

test('a blob names its keys, shows nothing of the secret and is never the same twice', async () => {
  const project_id = await insertProject(database);
  const secret = 'a very recognisable secret';
  const blobs = await Promise.all([1, 2].map(() => secrets.seal(database, project_id, context, secret)));
  for (const blob of blobs) {
    assert.match(blob, /^v1\.k1\.dek_[0-9A-Za-z]{22}\.[\w-]{16}\.[\w-]+$/);
    assert.ok(!blob.includes(secret) && !Buffer.from(blob.split('.')[4] as string, 'base64url').includes(secret));
  }
  assert.notEqual(blobs[0]?.split('.')[3], blobs[1]?.split('.')[3]);
  assert.equal(dataKeyIn(blobs[0] as string), dataKeyIn(blobs[1] as string));
});

test('a blob with any one character changed, added or removed cannot be opened', async () => {
  const project_id = await insertProject(database);
  const blob = await secrets.seal(database, project_id, context, 'a secret');
  const character = fc.oneof(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), fc.constantFrom(...'.-_=Aa0w'));
  const change = fc.record({
    at: fc.nat({ max: blob.length }),
    cut: fc.constantFrom(0, 1),
    insert: fc.oneof(character, fc.constant('')),
  });
  await fc.assert(
    fc.asyncProperty(change, async ({ at, cut, insert }) => {
      const changed = blob.slice(0, at) + insert + blob.slice(at + cut);
      if (changed === blob) return;
      await assert.rejects(secrets.open(database, project_id, context, changed), SecretUnreadable);
    }),
    { numRuns: 500 },
  );
});

test('a blob with other unused bits in its last character cannot be opened', async () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const blob = await secrets.seal(database, null, context, 'a'); // 17 bytes with the tag: two bits are unused
  for (const last of alphabet.replace(blob.at(-1) as string, '')) {
    await assert.rejects(secrets.open(database, null, context, blob.slice(0, -1) + last), SecretUnreadable);
  }
});

test('arbitrary text cannot be opened', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), (text) =>
      assert.rejects(secrets.open(database, null, context, text), SecretUnreadable),
    ),
  );
});

test('a blob moved to another row, column, table or project cannot be opened', async () => {
  const [mine, theirs] = [await insertProject(database), await insertProject(database)];
  const blob = await secrets.seal(database, mine, context, 'a secret');
  await secrets.seal(database, theirs, context, 'another');
  const name = fc.oneof(fc.string(), fc.constantFrom(...Object.values(context), 'tool_2', ''));
  await fc.assert(
    fc.asyncProperty(
      fc.record({ table: name, column: name, row_id: name }),
      fc.constantFrom(mine, theirs, null),
      async (other, project_id) => {
        if (project_id === mine && JSON.stringify(Object.values(other)) === JSON.stringify(Object.values(context)))
          return;
        await assert.rejects(secrets.open(database, project_id, other, blob), SecretUnreadable);
      },
    ),
    { numRuns: 300 },
  );
  const fresh = createSecrets({ master_keys: [master], cache: createCache() });
  for (const project_id of [theirs, null])
    await assert.rejects(fresh.open(database, project_id, context, blob), SecretUnreadable);
});

test('a data key moved to another project opens and seals nothing', async () => {
  const [mine, theirs] = [await insertProject(database), await insertProject(database)];
  const blob = await secrets.seal(database, mine, context, 'a secret');
  await database.updateTable('data_keys').set({ project_id: theirs }).where('id', '=', dataKeyIn(blob)).execute();
  const fresh = createSecrets({ master_keys: [master], cache: createCache() });
  for (const project_id of [mine, theirs])
    await assert.rejects(fresh.open(database, project_id, context, blob), SecretUnreadable);
  await assert.rejects(fresh.seal(database, theirs, context, 'x'), SecretUnreadable);
});

test('without its master key, or with another key under its id, nothing opens', async () => {
  const blob = await secrets.seal(database, null, context, 'a secret');
  for (const id of ['k1', 'k2']) {
    const stranger = createSecrets({
      master_keys: [{ id, key: createSecretKey(randomBytes(32)) }],
      cache: createCache(),
    });
    await assert.rejects(stranger.open(database, null, context, blob), SecretUnreadable);
  }
});

test('20 concurrent first seals create one data key', async () => {
  const project_id = await insertProject(database);
  const blobs = await Promise.all(Array.from({ length: 20 }, () => secrets.seal(database, project_id, context, 'x')));
  assert.equal(new Set(blobs.map(dataKeyIn)).size, 1);
  assert.equal((await dataKeysOf(project_id)).length, 1);
});

test('20 concurrent transactions, each with its first seal, create one data key and do not deadlock', async () => {
  const project_id = await insertProject(database);
  const blobs = await Promise.all(
    Array.from({ length: 20 }, () =>
      database.transaction().execute((transaction: Database) => secrets.seal(transaction, project_id, context, 'x')),
    ),
  );
  assert.equal(new Set(blobs.map(dataKeyIn)).size, 1);
  for (const blob of blobs) assert.equal((await secrets.open(database, project_id, context, blob)).toString(), 'x');
});

test('a secret can be sealed and opened in the transaction that creates its project', async () => {
  const { project_id, blob } = await database.transaction().execute(async (transaction: Database) => {
    const project_id = await insertProject(transaction);
    const blob = await secrets.seal(transaction, project_id, context, 'x');
    assert.equal((await secrets.open(transaction, project_id, context, blob)).toString(), 'x');
    return { project_id, blob };
  });
  assert.equal(
    (
      await createSecrets({ master_keys: [master], cache: createCache() }).open(database, project_id, context, blob)
    ).toString(),
    'x',
  );
});

test('a data key whose transaction rolled back seals nothing afterwards', async () => {
  const project_id = await insertProject(database);
  let ghost = '';
  await assert.rejects(
    database.transaction().execute(async (transaction: Database) => {
      ghost = await secrets.seal(transaction, project_id, context, 'x');
      await secrets.open(transaction, project_id, context, ghost);
      throw new Error('rolled back');
    }),
    /rolled back/,
  );
  assert.deepEqual(await dataKeysOf(project_id), []);
  const blob = await secrets.seal(database, project_id, context, 'x');
  assert.notEqual(dataKeyIn(blob), dataKeyIn(ghost));
  assert.equal(
    (
      await createSecrets({ master_keys: [master], cache: createCache() }).open(database, project_id, context, blob)
    ).toString(),
    'x',
  );
});

test('a data key is replaced when it has sealed as often as it may, and still opens', async () => {
  const project_id = await insertProject(database);
  const strict = createSecrets({ master_keys: [master], cache: createCache(), limits: { uses: 5, sample_rate: 1 } });
  const blobs: string[] = [];
  for (let n = 0; n < 12; n += 1) blobs.push(await strict.seal(database, project_id, context, `secret ${n}`));
  const keys = await dataKeysOf(project_id);
  assert.deepEqual(
    keys.map(({ uses }) => uses),
    [5, 5, 2],
  );
  assert.deepEqual(
    keys.map(({ retired_at }) => retired_at !== null),
    [true, true, false],
  );
  for (const [n, blob] of blobs.entries()) {
    assert.equal((await secrets.open(database, project_id, context, blob)).toString(), `secret ${n}`);
  }
});

test('one seal in many is counted, as that many', async () => {
  const project_id = await insertProject(database);
  const sampled = createSecrets({
    master_keys: [master],
    cache: createCache(),
    limits: { uses: 2 ** 31, sample_rate: 8 },
  });
  for (let n = 0; n < 800; n += 1) await sampled.seal(database, project_id, context, 'x');
  const [key] = await dataKeysOf(project_id);
  // A standard deviation is 75 here: eight of them never happen.
  assert.ok(Math.abs((key?.uses ?? 0) - 800) <= 600, `${key?.uses} counted of 800`);
  assert.equal((key?.uses ?? 1) % 8, 0);
});

test('the data keys of a deleted project are deleted', async () => {
  const project_id = await insertProject(database);
  await secrets.seal(database, project_id, context, 'x');
  await database.deleteFrom('projects').where('id', '=', project_id).execute();
  assert.deepEqual(await dataKeysOf(project_id), []);
});

test('a derived key depends on project and purpose, and stays the same when the data key or the master key is replaced', async () => {
  const [project_id, other] = [await insertProject(database), await insertProject(database)];
  const derive = async (from: typeof secrets, project: string, purpose: string) =>
    (await from.deriveKey(database, project, purpose)).export().toString('hex');
  const key = await derive(secrets, project_id, 'a');
  assert.equal(key.length, 64);
  assert.notEqual(await derive(secrets, project_id, 'b'), key);
  assert.notEqual(await derive(secrets, other, 'a'), key);

  await database
    .updateTable('data_keys')
    .set({ retired_at: new Date().toISOString() })
    .where('project_id', '=', project_id)
    .execute();
  await secrets.seal(database, project_id, context, 'x');
  assert.equal((await dataKeysOf(project_id)).length, 2);
  assert.equal(await derive(createSecrets({ master_keys: [master], cache: createCache() }), project_id, 'a'), key);

  const next: MasterKey = { id: 'k2', key: createSecretKey(randomBytes(32)) };
  const rewrapping = createSecrets({ master_keys: [next, master], cache: createCache() });
  await rewrapping.verifyMasterKeys(database);
  await rewrapping.rewrapDataKeys(database);
  assert.equal(await derive(createSecrets({ master_keys: [next], cache: createCache() }), project_id, 'a'), key);
});
