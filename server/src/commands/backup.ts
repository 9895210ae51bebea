// toolgate backup FILE: the whole installation as one file, while a server runs or none does. PostgreSQL's pg_dump makes it where it
// is installed and as new as the server; otherwise our own dump does.

import { existsSync } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { formatMasterKeys, type MasterKey } from '../config/master-keys.ts';
import type { Environment } from '../config/read.ts';
import { findRan, missingFrom, readMigrations } from '../database/migrate.ts';
import { version } from '../installation.ts';
import { compareMasterKeys, findUsedMasterKeys, masterKeyFile } from '../secrets/master-keys.ts';
import { rootKeyFile } from '../secrets/root-key.ts';
import { readIfExists } from '../secrets/secret-file.ts';
import { type BackupHeader, refuseExisting, writeBackupFile } from './backup-file.ts';
import { beginDump, dumpRows } from './logical-dump.ts';
import { findMasterKeys, openStore, type Store, withClient } from './open-store.ts';
import { majorVersionOf, runPgDump } from './postgres-programs.ts';
import type { OnProgress } from './progress.ts';

export type BackupOptions = {
  without_keys: boolean;
  /** Never pg_dump: such a backup can be restored where pg_restore is not installed. */
  is_logical: boolean;
  may_overwrite: boolean;
  /** For pg_dump. */
  environment: Environment;
  onProgress: OnProgress;
};

export type BackupResult = {
  file: string;
  bytes: number;
  created_at: string;
  data: BackupHeader['data'];
  has_keys: boolean;
};

const PROGRESS_EVERY_BYTES = 10_000_000;

export async function backUp(config: Config, file: string, options: BackupOptions): Promise<BackupResult> {
  if (!options.may_overwrite && existsSync(file)) refuseExisting(file);
  const store = await openStore(config);
  try {
    return await withClient(store.connection, async (client) => {
      const { header, body } = await dump(config, store, client, options);
      const bytes = await writeBackupFile(file, header, body, options);
      const { created_at, data, master_keys } = header;
      return { file, bytes, created_at, data, has_keys: master_keys !== null };
    });
  } finally {
    await store.close();
  }
}

async function dump(config: Config, store: Store, client: pg.Client, options: BackupOptions) {
  // Without `needs`: a version that does not know all tables must neither make nor restore the backup.
  const migrations = (await findRan(client)).map(({ name, checksum }) => ({ name, checksum }));
  if (migrations.length === 0) throw new Error('the database is empty: there is nothing to back up');
  missingFrom(migrations, await readMigrations());
  const { rows } = await client.query(
    `select now() as created_at, current_setting('server_version_num')::int / 10000 as server`,
  );
  const { created_at, server } = rows[0] as { created_at: string; server: number };
  const common = {
    toolgate_version: version,
    created_at,
    migrations,
    used_master_key_ids: await findUsedMasterKeys(store.database),
    ...(await keysFor(config, store, options)),
  };
  const pg_dump = options.is_logical ? null : await majorVersionOf('pg_dump', options.environment);
  // An older pg_dump refuses a newer server.
  if (pg_dump !== null && pg_dump >= server) {
    options.onProgress({ step: 'pg_dump', done: 0, total: null });
    const archive = runPgDump(store.connection, options.environment);
    const header = { ...common, data: 'pg_dump' as const, pg_dump_version: pg_dump, tables: [], day_partitions: [] };
    return { header, body: archive.compose(countBytes(options.onProgress)) as Readable };
  }
  const contents = await beginDump(client);
  const header = { ...common, data: 'logical' as const, pg_dump_version: null, ...contents };
  return { header, body: Readable.from(dumpRows(client, contents, options.onProgress)) };
}

/** Refuses keys that do not open what is backed up: the backup would be useless, and nobody would notice. */
async function keysFor(config: Config, { database }: Store, { without_keys }: BackupOptions) {
  if (without_keys) return { master_keys: null, root_key: null };
  const master_keys = await existingMasterKeys(config);
  await compareMasterKeys(database, master_keys);
  const root_key = config.root_key ? null : await readIfExists(rootKeyFile(config.data_dir));
  return { master_keys: formatMasterKeys(master_keys), root_key };
}

/** Unlike a start of the server, this never makes a key. */
async function existingMasterKeys(config: Config): Promise<MasterKey[]> {
  const path = masterKeyFile(config.data_dir);
  if (config.master_keys.length === 0 && (await readIfExists(path)) === null)
    throw new Error(`${path} is missing: restore it, or add --without-keys`);
  return findMasterKeys(config);
}

function countBytes(onProgress: OnProgress): Transform {
  let done = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, next) {
      const before = Math.floor(done / PROGRESS_EVERY_BYTES);
      done += chunk.length;
      if (Math.floor(done / PROGRESS_EVERY_BYTES) > before) onProgress({ step: 'pg_dump bytes', done, total: null });
      next(null, chunk);
    },
  });
}
