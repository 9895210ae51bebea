// A database with the schema of an earlier version, for tests of what a migration does with existing rows.

import { after } from 'node:test';
import pg from 'pg';
import { clientConfig } from '../src/database/connection.ts';
import { migrate, readMigrations } from '../src/database/migrate.ts';
import { copyTemplate } from './test-database.ts';

export type EarlierSchema = { client: pg.Client; migrateBefore(number: string): Promise<unknown> };

/** Runs the migrations before `number`, such as '0015'. The database is dropped after the test file. */
export async function openEarlierSchema(number: string): Promise<EarlierSchema> {
  const { url, drop } = await copyTemplate();
  const client = new pg.Client(clientConfig({ connectionString: url }));
  await client.connect();
  after(async () => {
    await client.end();
    await drop();
  });
  const all = await readMigrations();
  const migrateBefore = (end: string) =>
    migrate(
      client,
      all.filter(({ name }) => name < end),
    );
  await client.query('drop schema public cascade; create schema public');
  await migrateBefore(number);
  return { client, migrateBefore };
}
