import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { insertProject, openTestDatabase, type TestDatabase } from '../../test/support/database/test-database.ts';
import { createCache } from '../cache/cache.ts';
import type { MasterKey } from '../config/master-keys.ts';
import { createSecrets, type Secrets } from './encryption.ts';

const opened: TestDatabase[] = [];
after(() => Promise.all(opened.map(({ close }) => close())));

const context = { table: 'custom_tools', column: 'auth_secret', row_id: 'tool_1' };

function makeMasterKey(id: string): MasterKey {
  return { id, key: createSecretKey(randomBytes(32)) };
}

/** A database of its own with `count` projects, each with a secret sealed under `master`. */
async function prepare(master: MasterKey, count: number) {
  const testDatabase = await openTestDatabase();
  opened.push(testDatabase);
  const { database } = testDatabase;
  const secrets = createSecrets({ master_keys: [master], cache: createCache() });
  await secrets.verifyMasterKeys(database);
  const sealed = new Map<string, string>();
  for (let n = 0; n < count; n += 1) {
    const project_id = await insertProject(database);
    sealed.set(project_id, await secrets.seal(database, project_id, context, project_id));
  }
  const assertAllOpen = async (by: Secrets) => {
    for (const [project_id, blob] of sealed) {
      assert.equal((await by.open(database, project_id, context, blob)).toString(), project_id);
    }
  };
  const countUnder = async (id: string) =>
    (await database.selectFrom('data_keys').select('id').where('master_key_id', '=', id).execute()).length;
  return { database, sealed, assertAllOpen, countUnder };
}

test('a master key is rotated end to end: add, put first, re-wrap, remove', async () => {
  const [old, next] = [makeMasterKey('old'), makeMasterKey('next')];
  const { database, assertAllOpen } = await prepare(old, 3);

  const added = createSecrets({ master_keys: [old, next], cache: createCache() });
  await added.verifyMasterKeys(database);
  const first = createSecrets({ master_keys: [next, old], cache: createCache() });
  await first.verifyMasterKeys(database);
  await assertAllOpen(first);
  assert.match(await first.seal(database, null, context, 'x'), /^v1\.next\./);

  const only = createSecrets({ master_keys: [next], cache: createCache() });
  await assert.rejects(only.verifyMasterKeys(database), /encrypted with master key "old"/);
  assert.deepEqual(await first.rewrapDataKeys(database), { rewrapped: 3, unreadable: [] });
  await only.verifyMasterKeys(database);
  await assertAllOpen(only);
  await assertAllOpen(added);
});

test('a re-wrap that was stopped continues where it stopped', async () => {
  const [old, next] = [makeMasterKey('old'), makeMasterKey('next')];
  const { database, assertAllOpen, countUnder } = await prepare(old, 250);
  const secrets = createSecrets({ master_keys: [next, old], cache: createCache() });
  await secrets.verifyMasterKeys(database);

  const stop = () => {
    throw new Error('stopped');
  };
  await assert.rejects(secrets.rewrapDataKeys(database, stop), /stopped/);
  assert.equal(await countUnder('next'), 100);
  await assertAllOpen(createSecrets({ master_keys: [next, old], cache: createCache() }));

  const progress: number[] = [];
  await secrets.rewrapDataKeys(database, ({ rewrapped }) => progress.push(rewrapped));
  assert.deepEqual(progress, [100, 150]);
  assert.equal(await countUnder('old'), 0);
  await assertAllOpen(createSecrets({ master_keys: [next], cache: createCache() }));
});

test('a re-wrap aborted in the middle of a batch leaves every data key under one master key or the other', async () => {
  const [old, next] = [makeMasterKey('old'), makeMasterKey('next')];
  const { database, assertAllOpen } = await prepare(old, 20);
  const secrets = createSecrets({ master_keys: [next, old], cache: createCache() });
  await secrets.verifyMasterKeys(database);
  await sql`create sequence seen`.execute(database);
  await sql`create function break_off() returns trigger language plpgsql as $$
    begin if nextval('seen') = 10 then raise exception 'broken off'; end if; return new; end $$`.execute(database);
  await sql`create trigger break_off before update on data_keys for each row execute function break_off()`.execute(
    database,
  );
  await assert.rejects(secrets.rewrapDataKeys(database), /broken off/);
  await assertAllOpen(createSecrets({ master_keys: [next, old], cache: createCache() }));
  assert.deepEqual(await secrets.rewrapDataKeys(database), { rewrapped: 20, unreadable: [] });
  await assertAllOpen(createSecrets({ master_keys: [next], cache: createCache() }));
});

test('two concurrent re-wraps, while a server seals, lose no data key and miss none', async () => {
  const [old, next] = [makeMasterKey('old'), makeMasterKey('next')];
  const { database, sealed, assertAllOpen, countUnder } = await prepare(old, 120);
  const secrets = createSecrets({
    master_keys: [next, old],
    cache: createCache(),
    limits: { uses: 2 ** 31, sample_rate: 1 },
  });
  await secrets.verifyMasterKeys(database);
  const seals = [...sealed.keys()].map(async (project_id) => {
    const blob = await secrets.seal(database, project_id, context, project_id);
    sealed.set(project_id, blob);
  });
  const results = await Promise.all([secrets.rewrapDataKeys(database), secrets.rewrapDataKeys(database)]);
  await Promise.all(seals);
  assert.equal(results[0].rewrapped + results[1].rewrapped, 120);
  assert.equal(await countUnder('old'), 0);
  await assertAllOpen(createSecrets({ master_keys: [next], cache: createCache() }));
});

test('a re-wrap waits at its end for a data key that another transaction has locked', async () => {
  const [old, next] = [makeMasterKey('old'), makeMasterKey('next')];
  const { database, countUnder } = await prepare(old, 3);
  const secrets = createSecrets({ master_keys: [next, old], cache: createCache() });
  await secrets.verifyMasterKeys(database);
  const isSomebodyWaiting = async () => {
    const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return (await waiting.execute(database)).rows.length > 0;
  };

  let result: unknown;
  const rewrap = await database.transaction().execute(async (transaction) => {
    await transaction.selectFrom('data_keys').select('id').limit(1).forUpdate().execute();
    const running = secrets.rewrapDataKeys(database).then((rewrapped) => {
      result = rewrapped;
    });
    while (result === undefined && !(await isSomebodyWaiting()));
    assert.equal(await countUnder('old'), 1);
    return { running };
  });
  await rewrap.running;
  assert.deepEqual(result, { rewrapped: 3, unreadable: [] });
});

test('a damaged data key is reported, and the others are re-wrapped', async () => {
  const [old, next] = [makeMasterKey('old'), makeMasterKey('next')];
  const { database, sealed, countUnder } = await prepare(old, 3);
  const secrets = createSecrets({ master_keys: [next, old], cache: createCache() });
  await secrets.verifyMasterKeys(database);
  const damaged = [...sealed.values()][1]?.split('.')[2] as string;
  await database
    .updateTable('data_keys')
    .set({ wrapped_key: randomBytes(60) })
    .where('id', '=', damaged)
    .execute();
  assert.deepEqual(await secrets.rewrapDataKeys(database), { rewrapped: 2, unreadable: [damaged] });
  assert.equal(await countUnder('old'), 1);
});
