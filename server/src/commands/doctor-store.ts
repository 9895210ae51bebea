// The checks of doctor that need the database: whether it responds, how many connections it allows, its migrations, the master key and the clock.

import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { findRan, missingFrom, readMigrations } from '../database/migrate.ts';
import { maxConnections, readConnectionLimit } from '../database/pool-sizes.ts';
import { needsDirectUrl } from '../database/transaction-pooler.ts';
import { redactSecrets } from '../redaction/secret-patterns.ts';
import { compareMasterKeys, masterKeyFile } from '../secrets/master-keys.ts';
import { readIfExists } from '../secrets/secret-file.ts';
import { type Check, fail, ok, warn } from './check-result.ts';
import { checkServers } from './doctor-servers.ts';
import { findMasterKeys, hasEmbeddedStore, openStore, type Store, withClient } from './open-store.ts';

const OLDEST_POSTGRESQL = 14;
const CLOCK_WARN_MS = 2_000;
const CLOCK_FAIL_MS = 30_000;
const dependent = ['connections', 'migrations', 'master key', 'clock'];

export async function checkDatabase(config: Config): Promise<Check[]> {
  if (!config.database_url && !hasEmbeddedStore(config.data_dir)) {
    const missing = warn('database', `${config.data_dir} contains no database yet`, 'npx toolgate start');
    return [missing, ...notChecked('there is no database yet', 'npx toolgate start')];
  }
  let store: Store | undefined;
  try {
    store = await openStore(config);
    return await withClient(store.connection, (client) => checkOpened(config, store as Store, client));
  } catch (error) {
    const fix = fixOf(config, (error as Error).message);
    const message = redactSecrets((error as Error).message).replace(/\s*\n\s*/g, ' ');
    return [fail('database', message, fix), ...notChecked('the database does not respond', 'npx toolgate doctor')];
  } finally {
    await store?.close();
  }
}

function fixOf({ database_url, direct_url, data_dir }: Config, problem: string): string {
  if (problem === needsDirectUrl) return 'set DATABASE_DIRECT_URL to the URL of PostgreSQL itself';
  if (database_url === null) return `tail ${data_dir}/postgres.log`;
  return `psql "$${direct_url === database_url ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'}" -c "select 1"`;
}

const notChecked = (why: string, fix: string) => dependent.map((name) => warn(name, `not checked: ${why}`, fix));

async function checkOpened(config: Config, store: Store, client: pg.Client): Promise<Check[]> {
  return [
    await checkVersion(config, client),
    ...(await checkServers(config, client)),
    await checkConnections(config, client),
    await checkMigrations(client),
    await checkMasterKey(config, store, client),
    await checkClock(client),
  ];
}

async function checkVersion({ database_url }: Config, client: pg.Client): Promise<Check> {
  const { rows } = await client.query(`select current_setting('server_version') as version`);
  const { version } = rows[0] as { version: string };
  const kind = database_url ? 'the PostgreSQL in DATABASE_URL' : 'embedded';
  if (Number.parseInt(version, 10) >= OLDEST_POSTGRESQL) return ok('database', `PostgreSQL ${version}, ${kind}`);
  return fail('database', `PostgreSQL ${version} is too old`, `upgrade it to ${OLDEST_POSTGRESQL} or newer`);
}

/** The embedded one is started with as many as the workers need. */
async function checkConnections(config: Config, client: pg.Client): Promise<Check> {
  const name = 'connections';
  const needed = maxConnections(config);
  if (config.database_url === null) return ok(name, `this server opens at most ${needed}`);
  const allowed = await readConnectionLimit(client);
  const message = `this server opens at most ${needed}, but PostgreSQL allows ${allowed} for all servers together`;
  if (needed <= allowed) return ok(name, message);
  const fix = `psql "$DATABASE_URL" -c "alter system set max_connections = ${needed * 2}", restart PostgreSQL; or lower TOOLGATE_WORKERS`;
  return warn(name, message, fix);
}

async function checkMigrations(client: pg.Client): Promise<Check> {
  const ran = await findRan(client);
  try {
    const missing = missingFrom(ran, await readMigrations());
    if (missing.length === 0) return ok('migrations', `all ${ran.length} have run`);
    const message = `${missing.length} have not run yet, starting with ${missing[0]?.name}; the next start runs them`;
    return warn('migrations', message, 'npx toolgate migrate');
  } catch (error) {
    return fail('migrations', (error as Error).message, 'git status server/migrations');
  }
}

/** Never makes a key, as a start would: with a new one the stored secrets stay closed. */
async function checkMasterKey(config: Config, { database }: Store, client: pg.Client): Promise<Check> {
  const name = 'master key';
  const { rows } = await client.query(`select to_regclass('data_keys') is not null as has_table`);
  const path = masterKeyFile(config.data_dir);
  const is_setting = config.master_keys.length > 0;
  const place = is_setting ? 'TOOLGATE_MASTER_KEYS' : path;
  const fix = is_setting
    ? 'set TOOLGATE_MASTER_KEYS to the keys that the server used before'
    : `cp BACKUP/master.key ${path}, or: npx toolgate restore FILE --replace`;
  if (!rows[0].has_table) return warn(name, 'not checked: no migration has run', 'npx toolgate start');
  if (!is_setting && (await readIfExists(path)) === null) return fail(name, `${path} is missing`, fix);
  try {
    const keys = await findMasterKeys(config);
    await compareMasterKeys(database, keys);
    return ok(name, `"${keys[0]?.id}" from ${place} decrypts the stored secrets`);
  } catch (error) {
    return fail(name, (error as Error).message, fix);
  }
}

/** Sessions and signatures are dated by the database; customers compare them with their own clocks. */
async function checkClock(client: pg.Client): Promise<Check> {
  const before = Date.now();
  const { rows } = await client.query('select extract(epoch from clock_timestamp()) * 1000 as ms');
  const difference = Number(rows[0].ms) - (before + Date.now()) / 2;
  const seconds = (Math.abs(difference) / 1000).toFixed(1);
  const message = `the database's clock is ${seconds} s ${difference < 0 ? 'behind' : 'ahead of'} this machine's`;
  const fix = 'sudo timedatectl set-ntp true';
  if (Math.abs(difference) > CLOCK_FAIL_MS) return fail('clock', message, fix);
  return Math.abs(difference) > CLOCK_WARN_MS ? warn('clock', message, fix) : ok('clock', message);
}
