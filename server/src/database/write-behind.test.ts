import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { openTestDatabase } from '../../test/test-database.ts';
import { type Batch, createWriteBehind } from './write-behind.ts';

const { pool, close } = await openTestDatabase();
after(close);

await pool.query(`
  create table notes (n integer primary key check (n <> 13 and n <> 700));
  create table fault (code text);
  create function fail() returns trigger language plpgsql as $$
  declare fault_code text;
  begin
    select code into fault_code from fault;
    if fault_code = '57014' and (select count(*) from added) <= 100 then return null; end if;
    if fault_code is not null then raise exception using errcode = fault_code, message = 'planted'; end if;
    return null;
  end $$;
  create trigger fail after insert on notes referencing new table as added for each statement execute function fail();
`);
beforeEach(() => pool.query('truncate notes, fault'));

const notes: Batch<number> = {
  name: 'notes',
  write: (pool, rows) => pool.query('insert into notes select unnest($1::int[]) on conflict do nothing', [rows]),
};

function start() {
  const lines: object[] = [];
  const keep = (line: object) => void lines.push(line);
  const behind = createWriteBehind(pool, { warn: keep, error: keep } as never);
  for (let n = 1; n <= 1_000; n += 1) behind.add(notes, n);
  return { behind, lines };
}

async function count(): Promise<number> {
  const { rows } = await pool.query('select count(*)::int as count from notes');
  return rows[0].count;
}

test('rows that cannot be written are dropped alone: all others of their batch are written', async () => {
  const { behind, lines } = start();
  await behind.flush();
  assert.equal(await count(), 998);
  assert.deepEqual(lines.at(-1), { batch: 'notes', dropped: 2 });
});

for (const [name, code] of [
  ['given up for a deadlock', '40P01'],
  ['without room', '53100'],
  ['without its lock', '55P03'],
  ['told to go away', '57P01'],
]) {
  test(`a batch that is ${name} is kept whole and written later`, async () => {
    await pool.query('insert into fault values ($1)', [code]);
    const { behind, lines } = start();
    await behind.flush();
    assert.equal(await count(), 0);
    await pool.query('delete from fault');
    await behind.flush();
    assert.equal(await count(), 998);
    assert.deepEqual(lines.at(-1), { batch: 'notes', dropped: 2 });
  });
}

test('a batch that takes too long is written in smaller ones instead of being tried for ever', async () => {
  await pool.query("insert into fault values ('57014')");
  const { behind } = start();
  await behind.flush();
  assert.equal(await count(), 998);
});
