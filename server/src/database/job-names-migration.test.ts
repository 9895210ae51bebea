import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { copyTemplate } from '../../test/test-database.ts';
import { clientConfig } from './connection.ts';
import { migrate, readMigrations } from './migrate.ts';

const { url, drop } = await copyTemplate();
const client = new pg.Client(clientConfig({ connectionString: url }));
await client.connect();
after(async () => {
  await client.end();
  await drop();
});

test('a job that is leased while the columns are renamed keeps its lease and its fencing token', async () => {
  const all = await readMigrations();
  await client.query('drop schema public cascade; create schema public');
  await migrate(
    client,
    all.filter(({ name }) => name < '0016'),
  );
  await client.query(`
    insert into jobs (kind, subject, lane, state, run_at, takes) values
      ('delivery', 'leased', 'hook', 'taken', '2026-11-15T00:00:45Z', 3),
      ('delivery', 'waiting', 'hook', 'waiting', '2026-11-15T01:00:00Z', 0)`);
  await migrate(client, all);
  const { rows } = await client.query(
    `select subject, concurrency_key, state, run_at, fencing_token from jobs order by subject`,
  );
  assert.deepEqual(
    rows.map(({ run_at, ...row }) => ({ ...row, run_at: new Date(run_at).toISOString() })),
    [
      {
        subject: 'leased',
        concurrency_key: 'hook',
        state: 'claimed',
        fencing_token: 3,
        run_at: '2026-11-15T00:00:45.000Z',
      },
      {
        subject: 'waiting',
        concurrency_key: 'hook',
        state: 'waiting',
        fencing_token: 0,
        run_at: '2026-11-15T01:00:00.000Z',
      },
    ],
  );
});
