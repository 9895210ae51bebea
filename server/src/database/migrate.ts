// Brings the schema up to date: numbered SQL files, once each, forward only, under a lock, before the server listens.
// A file that ran must not change: its checksum is recorded, and a difference stops the start. Servers of the previous version go
// on with the new schema, except when a file is marked as breaking (docs/design/storage.md).

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { isLockUnavailable } from './connection.ts';
import { isMigration, isServerConnection, migrationsFolder, numberOf } from './schema-version.ts';

const LOCK = 7_406_811; // any constant: one server migrates at a time
const RETRY_AFTER_MS = 3_000;

export type Migration = {
  name: string;
  text: string;
  checksum: string;
  /** Servers that do not know the migration with this number cannot run with this one; 0: all can. */
  needs: number;
};

export async function readMigrations(from = migrationsFolder): Promise<Migration[]> {
  const names = (await readdir(from)).filter(isMigration).sort();
  return Promise.all(names.map(async (name) => toMigration(name, await readFile(join(from, name), 'utf8'))));
}

export function toMigration(name: string, text: string): Migration {
  return { name, text, checksum: createHash('sha256').update(text).digest('hex'), needs: readNeeds(name, text) };
}

/** The first line: `-- breaking`, or `-- breaking before 0031` when servers that know 0031 can run with it. */
function readNeeds(name: string, text: string): number {
  const [, before] = /^-- breaking(?: before (\d{4}))?\s*$/m.exec(text.split('\n', 1)[0] ?? '') ?? [null, null];
  if (before === null) return 0;
  return before === undefined ? numberOf(name) : Number(before);
}

/** Without `needs` it is unknown which versions can run with it. */
export type RanMigration = Pick<Migration, 'name' | 'checksum'> & { needs?: number };

/** Runs the missing migrations and returns their names. `onWait` is called each time one of them has to be tried again. */
export async function migrate(
  client: pg.ClientBase,
  migrations: Migration[],
  onWait: (name: string) => void = () => {},
): Promise<string[]> {
  await client.query('select pg_advisory_lock($1)', [LOCK]);
  try {
    await client.query(
      `create table if not exists migrations (
         name text primary key, checksum text not null, ran_at timestamptz not null default now(),
         needs integer not null default 0)`,
    );
    const ran = await readRan(client);
    const missing = missingFrom(ran, migrations);
    // An empty database has no servers.
    if (ran.length > 0) await refuseBesideOlder(client, missing);
    for (const migration of missing)
      while (!(await run(client, migration))) {
        onWait(migration.name);
        await sleep(RETRY_AFTER_MS);
      }
    return missing.map(({ name }) => name);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK]);
  }
}

/**
 * Returns false if it could not get a lock within a second. While it waits for a table, every statement on that table waits behind
 * it, and running servers would respond with 503 until a backup or a long query ends.
 */
async function run(client: pg.ClientBase, { name, text, checksum, needs }: Migration): Promise<boolean> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = '1s'`);
    await client.query(text);
    await client.query('insert into migrations (name, checksum, needs) values ($1, $2, $3)', [name, checksum, needs]);
    await client.query('commit');
    return true;
  } catch (error) {
    await client.query('rollback');
    if (isLockUnavailable(error)) return false;
    throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}

/** What ran on this database. Changes nothing; none ran on an empty database. */
export async function findRan(client: pg.ClientBase): Promise<RanMigration[]> {
  const { rows } = await client.query(`select to_regclass('migrations') is not null as has_table`);
  return rows[0].has_table ? readRan(client) : [];
}

/** The migrations to run on a database on which `ran` did. Throws if this version cannot run with one of them. */
export function missingFrom(ran: RanMigration[], migrations: Migration[]): Migration[] {
  refuseNewerOrChanged(ran, migrations);
  const done = new Set(ran.map(({ name }) => name));
  return migrations.filter(({ name }) => !done.has(name));
}

async function readRan(client: pg.ClientBase): Promise<RanMigration[]> {
  // Through JSON: the first unreleased versions had no such column, and their databases are refused by name.
  const { rows } = await client.query<RanMigration>(
    `select name, checksum, coalesce((to_jsonb(migrations) ->> 'needs')::integer, 0) as needs
     from migrations order by name`,
  );
  return rows;
}

function refuseNewerOrChanged(ran: RanMigration[], migrations: Migration[]): void {
  const known = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  const newest = Math.max(0, ...migrations.map(({ name }) => numberOf(name)));
  for (const { name, checksum, needs = Number.POSITIVE_INFINITY } of ran) {
    if (!known.has(name) && numberOf(name) <= newest) {
      throw new Error(
        `the database has run ${name}, which is not among the ${newest} migrations of this version: an unreleased version created it, and it cannot be upgraded. Use an empty database: another DATABASE_URL, or another TOOLGATE_DATA_DIR`,
      );
    }
    if (!known.has(name) && needs > newest) {
      throw new Error(`the database has run ${name}, which this version does not know: start a newer toolgate`);
    }
    if (known.has(name) && known.get(name) !== checksum) {
      throw new Error(`${name} was changed after it ran on this database: restore the released file`);
    }
  }
}

/** A server that is too old for one of these migrations must not be connected. */
async function refuseBesideOlder(client: pg.ClientBase, missing: Migration[]): Promise<void> {
  const [strictest] = missing.filter(({ needs }) => needs > 0).sort((a, b) => b.needs - a.needs);
  if (!strictest) return;
  const { rows } = await client.query<{ address: string; connections: number }>(
    `select coalesce(host(client_addr), 'this machine') as address, count(*)::integer as connections
     from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and ${isServerConnection}
       and substring(application_name from '\\d{4}')::integer < $1
     group by 1 order by 1`,
    [strictest.needs],
  );
  if (rows.length === 0) return;
  const where = rows.map(({ address, connections }) => `${address} (${connections} connections)`).join(', ');
  throw new Error(
    `${strictest.name} cannot run while servers of an older version are connected: stop those on ${where}, then start again`,
  );
}
