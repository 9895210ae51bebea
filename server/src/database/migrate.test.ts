// Migrations on a real database: once each, all or nothing, one server at a time, never a changed file.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import pg from 'pg';
import { copyTemplate } from '../../test/support/database/test-database.ts';
import { clientConfig } from './connection.ts';
import { type Migration, migrate, readMigrations, toMigration } from './migrate.ts';

const { url, drop } = await copyTemplate();
const client = new pg.Client(url);
await client.connect();
after(async () => {
  await client.end();
  await drop();
});
beforeEach(() => client.query('drop schema public cascade; create schema public'));

const migration: (name: string, text: string) => Migration = toMigration;
const one = migration('0001_one.sql', 'create table one (id int primary key)');
const two = migration('0002_two.sql', 'create table two (id int); insert into one values (1);');

const tables = async () => {
  const { rows } = await client.query(`select table_name from information_schema.tables where table_schema = 'public'`);
  return rows.map((row) => row.table_name).sort();
};

test('an empty database gets every migration in order, and a second run nothing', async () => {
  assert.deepEqual(await migrate(client, [one, two]), ['0001_one.sql', '0002_two.sql']);
  assert.deepEqual(await tables(), ['migrations', 'one', 'two']);
  assert.deepEqual(await migrate(client, [one, two]), []);
});

test('only new migrations run', async () => {
  await migrate(client, [one]);
  assert.deepEqual(await migrate(client, [one, two]), ['0002_two.sql']);
});

test('a failing migration is rolled back and named in the error; earlier ones stay', async () => {
  const broken = migration('0002_broken.sql', 'create table half (id int); select nonsense;');
  await assert.rejects(migrate(client, [one, broken]), /migration 0002_broken\.sql failed: .*nonsense/);
  assert.deepEqual(await tables(), ['migrations', 'one']);
  assert.deepEqual(await migrate(client, [one, two]), ['0002_two.sql']);
});

test('a file that was changed after it ran stops the start', async () => {
  await migrate(client, [one]);
  const changed = migration('0001_one.sql', 'create table one (id bigint primary key)');
  await assert.rejects(migrate(client, [changed]), /0001_one\.sql was changed after it ran/);
});

test('a version goes on with the schema of a newer one, unless that is breaking for it', async () => {
  const compatible = migration('0003_three.sql', 'create table three (id int)');
  const breaking = migration('0004_four.sql', '-- breaking\ndrop table one');
  await migrate(client, [one, two, compatible]);
  assert.deepEqual(await migrate(client, [one, two]), []);
  await migrate(client, [one, two, compatible, breaking]);
  for (const known of [
    [one, two],
    [one, two, compatible],
  ])
    await assert.rejects(migrate(client, known), /has run 0004_four\.sql, which this version does not know/);
});

test('a migration can be breaking only for versions before another one', async () => {
  const three = migration('0003_three.sql', '-- breaking before 0002\ndrop table one');
  await migrate(client, [one, two, three]);
  assert.deepEqual(await migrate(client, [one, two]), []);
  await assert.rejects(migrate(client, [one]), /start a newer toolgate/);
});

test('a migration in the middle that this version does not know stops the start', async () => {
  await migrate(client, [one, migration('0002_other.sql', 'select 1')]);
  await assert.rejects(migrate(client, [one, two]), /has run 0002_other\.sql, which is not among the 2 migrations/);
});

test('a database of the numbering before the first release is refused, says what to do, and is not changed', async () => {
  await client.query(`
    create table migrations (name text primary key, checksum text not null, ran_at timestamptz not null default now());
    insert into migrations (name, checksum) values ('0001_projects.sql', 'x'), ('0002_api_keys.sql', 'x');
    create table projects (id text)`);
  const refusal =
    /has run 0001_projects\.sql, .* unreleased version created it, and it cannot be upgraded\. Use an empty database/;
  await assert.rejects(migrate(client, await readMigrations()), refusal);
  assert.deepEqual(await tables(), ['migrations', 'projects']);
});

for (const [what, application_name, isRefused] of [
  ['an older version', 'toolgate 0001', true],
  ['a version that can run with it', 'toolgate 0002', false],
  ['another program', 'psql', false],
] as const) {
  test(`a breaking migration is ${isRefused ? 'refused' : 'run'} while ${what} is connected`, async () => {
    const breaking = migration('0003_three.sql', '-- breaking before 0002\ncreate table three (id int)');
    await migrate(client, [one, two]);
    const other = new pg.Client({ ...clientConfig({ connectionString: url }), application_name });
    await other.connect();
    try {
      if (!isRefused) assert.deepEqual(await migrate(client, [one, two, breaking]), ['0003_three.sql']);
      else {
        const refusal =
          /0003_three\.sql cannot run while servers of an older version are connected: stop those on .+ \(1 connections\)/;
        await assert.rejects(migrate(client, [one, two, breaking]), refusal);
        assert.deepEqual(await tables(), ['migrations', 'one', 'two']);
      }
    } finally {
      await other.end();
    }
  });
}

test('a migration that is not breaking runs beside an older version', async () => {
  await migrate(client, [one]);
  const other = new pg.Client({ ...clientConfig({ connectionString: url }), application_name: 'toolgate 0001' });
  await other.connect();
  assert.deepEqual(await migrate(client, [one, two]), ['0002_two.sql']);
  await other.end();
});

test('a start without new migrations does not wait for a backup', async () => {
  await migrate(client, [one]);
  const backup = new pg.Client(url);
  await backup.connect();
  await backup.query('begin; select from migrations; select from one');
  await client.query(`set lock_timeout = '1s'`);
  assert.deepEqual(await migrate(client, [one]), []);
  await client.query('reset lock_timeout');
  await backup.end();
});

test('a migration that has to wait for a table lets others use it meanwhile, and runs when it is free', async () => {
  await migrate(client, [one]);
  const [backup, server] = [new pg.Client(url), new pg.Client(url)];
  await Promise.all([backup.connect(), server.connect()]);
  await backup.query('begin; select from one');
  // A migration that waited as long as the backup would fail here, and not hang.
  await client.query(`set statement_timeout = '10s'`);
  let reading: Promise<unknown> | undefined;
  const onWait = (name: string) => {
    assert.equal(name, '0002_column.sql');
    // Would wait for the migration if that still waited for the table; the backup ends only after it.
    reading ??= server.query('select from one').then(() => backup.query('commit'));
  };
  const column = migration('0002_column.sql', 'alter table one add column n integer');
  assert.deepEqual(await migrate(client, [one, column], onWait), ['0002_column.sql']);
  await reading;
  await client.query('reset statement_timeout');
  await Promise.all([backup.end(), server.end()]);
});

test('servers that start at the same moment run each migration once', async () => {
  const clients = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const another = new pg.Client(url);
      await another.connect();
      return another;
    }),
  );
  const ran = await Promise.all(clients.map((another) => migrate(another, [one, two])));
  assert.deepEqual(ran.flat().sort(), ['0001_one.sql', '0002_two.sql']);
  await Promise.all(clients.map((another) => another.end()));
});

test('the lock is free again after a failure', async () => {
  await assert.rejects(migrate(client, [migration('0001_broken.sql', 'nonsense')]));
  const another = new pg.Client(url);
  await another.connect();
  assert.deepEqual(await migrate(another, [one]), ['0001_one.sql']);
  await another.end();
});

test('the released files are numbered without gaps and have different names', async () => {
  const names = (await readMigrations()).map(({ name }) => name);
  assert.deepEqual(
    names.map((name) => Number(name.slice(0, 4))),
    names.map((_, index) => index + 1),
  );
});
