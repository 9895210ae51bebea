import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { openTestDatabase } from '../../test/test-database.ts';
import { noChanges, transact, type World } from './transact.ts';

const { database, pool, close } = await openTestDatabase();
after(close);
await pool.query('create table pairs (id integer primary key, n integer not null)');
await pool.query('insert into pairs values (1, 0), (2, 0)');

function world() {
  const dropped: string[] = [];
  const rings: string[] = [];
  const mine: World = {
    database,
    changes: noChanges,
    cache: { invalidate: (project_id) => void dropped.push(project_id) },
    job_notifier: { notify: () => void rings.push('ring') },
  };
  return { mine, dropped, rings };
}

const add = (database: World['database'], id: number) =>
  sql`update pairs set n = n + 1 where id = ${id}`.execute(database);

test('of two transactions in a deadlock both are done, and each says once what it changed', async () => {
  const { mine, dropped, rings } = world();
  const { promise: bothHold, resolve } = Promise.withResolvers<void>();
  let holding = 0;
  let runs = 0;
  const opposite = (first: number, second: number) =>
    transact(mine, async ({ database, changes, job_notifier }) => {
      runs += 1;
      changes.add(`prj_${runs}`);
      job_notifier.notify();
      await add(database, first);
      holding += 1;
      if (holding === 2) resolve();
      await bothHold;
      await add(database, second);
    });
  await Promise.all([opposite(1, 2), opposite(2, 1)]);
  assert.equal(runs, 3);
  assert.deepEqual((await pool.query('select n from pairs')).rows, [{ n: 2 }, { n: 2 }]);
  assert.equal(dropped.length, 2);
  assert.equal(rings.length, 2);
});

test('a transaction that is given up again is told, and leaves nothing', async () => {
  const { mine, dropped } = world();
  let runs = 0;
  const work = transact(mine, async ({ database, changes }) => {
    runs += 1;
    changes.add('prj_a');
    await add(database, 1);
    await sql`do $$ begin raise exception using errcode = '40001'; end $$`.execute(database);
  });
  await assert.rejects(work, { code: '40001' });
  assert.equal(runs, 2);
  assert.deepEqual(dropped, []);
  assert.deepEqual((await pool.query('select n from pairs where id = 1')).rows, [{ n: 2 }]);
});

test('any other failure is told at once', async () => {
  let runs = 0;
  const work = transact(world().mine, async () => {
    runs += 1;
    throw new Error('no');
  });
  await assert.rejects(work, /no/);
  assert.equal(runs, 1);
});
