import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { openTestDatabase } from '../../test/support/database/test-database.ts';
import { noChanges, type TransactionContext, transact } from './transact.ts';

const { database, pool, close } = await openTestDatabase();
after(close);
await pool.query('create table pairs (id integer primary key, n integer not null)');
await pool.query('insert into pairs values (1, 0), (2, 0)');

function makeContext() {
  const invalidated: string[] = [];
  const notifications: string[] = [];
  const followed: string[] = [];
  const context: TransactionContext = {
    database,
    changes: noChanges,
    cache: { invalidate: (project_id) => void invalidated.push(project_id) },
    afterChange: async ({ database }, project_id) => void followed.push(`${project_id} ${database.isTransaction}`),
    job_notifier: { notify: () => void notifications.push('jobs') },
  };
  return { context, invalidated, notifications, followed };
}

const add = (database: TransactionContext['database'], id: number) =>
  sql`update pairs set n = n + 1 where id = ${id}`.execute(database);

test('two transactions in a deadlock both commit, and each notifies of its changes once', async () => {
  const { context, invalidated, notifications, followed } = makeContext();
  const { promise: bothHold, resolve } = Promise.withResolvers<void>();
  let holding = 0;
  let runs = 0;
  const opposite = (first: number, second: number) =>
    transact(context, async ({ database, changes, job_notifier }) => {
      runs += 1;
      changes.add(`prj_${runs}`);
      job_notifier.notify('some');
      await add(database, first);
      holding += 1;
      if (holding === 2) resolve();
      await bothHold;
      await add(database, second);
    });
  await Promise.all([opposite(1, 2), opposite(2, 1)]);
  assert.ok(runs >= 3, 'there was no deadlock: the test shows nothing');
  assert.deepEqual((await pool.query('select n from pairs')).rows, [{ n: 2 }, { n: 2 }]);
  assert.equal(invalidated.length, 2);
  assert.equal(notifications.length, 2);
  assert.equal(followed.length, 2);
});

test('what follows a change is done after its commit, once for each project and before transact() returns', async () => {
  const { context, followed } = makeContext();
  const nested = async (outer: TransactionContext) =>
    transact(outer, async ({ changes }) => {
      changes.add('prj_b');
      changes.add('prj_b');
    });
  await transact(context, async (inner) => {
    inner.changes.add('prj_a');
    await nested(inner);
    assert.deepEqual(followed, []);
  });
  assert.deepEqual(followed, ['prj_a false', 'prj_b false']);
});

test('a transaction that is aborted three times rejects, and changes nothing', async () => {
  const { context, invalidated, followed } = makeContext();
  let runs = 0;
  const work = transact(context, async ({ database, changes }) => {
    runs += 1;
    changes.add('prj_a');
    await add(database, 1);
    await sql`do $$ begin raise exception using errcode = '40001'; end $$`.execute(database);
  });
  await assert.rejects(work, { code: '40001' });
  assert.equal(runs, 3);
  assert.deepEqual([...invalidated, ...followed], []);
  assert.deepEqual((await pool.query('select n from pairs where id = 1')).rows, [{ n: 2 }]);
});

test('any other error rejects without a second run', async () => {
  let runs = 0;
  const work = transact(makeContext().context, async () => {
    runs += 1;
    throw new Error('no');
  });
  await assert.rejects(work, /no/);
  assert.equal(runs, 1);
});
