// A separate database for one test file: a copy of the migrated template that run.ts created.

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { openDatabase, openPool } from '../../../src/database/connection.ts';
import { newId } from '../../../src/database/ids.ts';
import type { Database } from '../../../src/database/tables.ts';

export async function copyTemplate(): Promise<{ url: string; drop(): Promise<void> }> {
  const { TEST_DATABASE_URL: server, TEST_TEMPLATE: template } = process.env;
  if (!server || !template) throw new Error('run the tests through npm: npm test -- path/to/x.test.ts');
  const name = `toolgate_test_${randomBytes(8).toString('hex')}`;
  await query(server, `create database ${name} template ${template}`);
  return {
    url: server.replace(/(@[^/]*\/)[^?]*/, `$1${name}`),
    drop: () => query(server, `drop database ${name} with (force)`),
  };
}

export type TestDatabase = { database: Database; pool: pg.Pool; url: string; close(): Promise<void> };

/** For tests that need a database but no server. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const { url, drop } = await copyTemplate();
  // Tests run side by side: a busy machine is not a database that is down.
  const pool = openPool({ connectionString: url }, { size: 10, connect_timeout_ms: 60_000 });
  const database = openDatabase(pool);
  return {
    database,
    pool,
    url,
    async close() {
      await database.destroy();
      await drop();
    },
  };
}

/** Inserts a project in a new organization. Returns its id. */
export async function insertProject(database: Database): Promise<string> {
  const [organization_id, id] = [newId('org'), newId('prj')];
  await database.insertInto('organizations').values({ id: organization_id, name: 'Acme' }).execute();
  await database
    .insertInto('projects')
    .values({
      id,
      organization_id,
      quota_group_id: id,
      name: 'Shop',
      environment: 'development',
      plan: 'free',
      settings: '{}',
    })
    .execute();
  return id;
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
