// Brings the schema up to date: numbered SQL files, once each, forward only, under a lock, before the server listens.
// A file that ran must not change: its checksum is recorded, and a difference stops the start.

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';

const folder = join(import.meta.dirname, '../../migrations');
const LOCK = 7_406_811; // any constant: one server migrates at a time

export type Migration = { name: string; text: string; checksum: string };

export async function readMigrations(from = folder): Promise<Migration[]> {
  const names = (await readdir(from)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(from, name), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/** Runs the missing migrations and returns their names. */
export async function migrate(client: pg.ClientBase, migrations: Migration[]): Promise<string[]> {
  await client.query('select pg_advisory_lock($1)', [LOCK]);
  try {
    await client.query(
      `create table if not exists migrations (name text primary key, checksum text not null, ran_at timestamptz not null default now())`,
    );
    const missing = missingFrom(await readRan(client), migrations);
    for (const { name, text, checksum } of missing) {
      await client.query('begin');
      try {
        await client.query(text);
        await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum]);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error });
      }
    }
    return missing.map(({ name }) => name);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK]);
  }
}

export type RanMigration = Pick<Migration, 'name' | 'checksum'>;

/** What ran on this database. Changes nothing; none ran on an empty database. */
export async function findRan(client: pg.ClientBase): Promise<RanMigration[]> {
  const { rows } = await client.query(`select to_regclass('migrations') is not null as has_table`);
  return rows[0].has_table ? readRan(client) : [];
}

/** The migrations to run on a database on which `ran` did. Throws if it was migrated by another set of files. */
export function missingFrom(ran: RanMigration[], migrations: Migration[]): Migration[] {
  const done = new Map(ran.map(({ name, checksum }) => [name, checksum]));
  refuseUnknownOrChanged(done, migrations);
  return migrations.filter(({ name }) => !done.has(name));
}

async function readRan(client: pg.ClientBase): Promise<RanMigration[]> {
  const { rows } = await client.query<RanMigration>('select name, checksum from migrations order by name');
  return rows;
}

function refuseUnknownOrChanged(ran: Map<string, string>, migrations: Migration[]): void {
  const known = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  for (const [name, checksum] of ran) {
    if (!known.has(name)) {
      throw new Error(`the database has run ${name}, which this version does not know: start a newer toolgate`);
    }
    if (known.get(name) !== checksum) {
      throw new Error(`${name} was changed after it ran on this database: restore the released file`);
    }
  }
}
