// toolgate restore FILE: a backup into an empty database, or, if told, in the place of what is there. Everything that can be checked
// is checked before the first change, and a failure puts back what was there.

import type pg from 'pg';
import type { Config } from '../config/config.ts';
import type { MasterKey } from '../config/master-keys.ts';
import type { Environment } from '../config/read.ts';
import { findRan, migrate, missingFrom, readMigrations } from '../database/migrate.ts';
import { isServerConnection } from '../database/schema-version.ts';
import { resetTransactionIds } from '../features/activity/analytics/reset-transaction-ids.ts';
import { resetStreamCursors } from '../features/activity/log-streams/reset-cursors.ts';
import { verifyMasterKeys } from '../secrets/master-keys.ts';
import { type BackupFile, type BackupHeader, checkBackupFile, openBackupFile } from './backup-file.ts';
import { loadRows } from './logical-dump.ts';
import { openStore, type Store, withClient } from './open-store.ts';
import { majorVersionOf, runPgRestore } from './postgres-programs.ts';
import type { OnProgress } from './progress.ts';
import { chooseRestoredKeys, saveRestoredKeys } from './restored-keys.ts';
import { type AuditResult, verifyAuditOf } from './verify-audit.ts';

export type RestoreOptions = {
  /** Replace the data and the keys of a target that is not empty. */
  may_replace: boolean;
  environment: Environment;
  onProgress: OnProgress;
};

export type RestoreResult = Pick<BackupHeader, 'created_at' | 'data'> & {
  /** The key files that were written. */
  written: string[];
  audit: AuditResult;
};

const ASIDE = 'toolgate_before_restore';

export async function restore(config: Config, file: string, options: RestoreOptions): Promise<RestoreResult> {
  const backup = await openBackupFile(file);
  await refuseUnusable(file, backup, options);
  const keys = await chooseRestoredKeys(config, file, backup.header, options);
  const store = await openStore(config, { may_create: true, is_exclusive: true });
  try {
    return await withClient(store.connection, async (client) => {
      const is_empty = await inspectTarget(client, options);
      if (!is_empty) await client.query(`alter schema public rename to ${ASIDE}; create schema public`);
      const audit = await load({ backup, store, client, options, master_keys: keys.master_keys }).catch(
        (error: Error) => undo(client, is_empty, error),
      );
      const written = await saveRestoredKeys(keys);
      if (!is_empty) await client.query(`drop schema ${ASIDE} cascade`);
      return { created_at: backup.header.created_at, data: backup.header.data, written, audit };
    });
  } finally {
    await store.close();
  }
}

async function refuseUnusable(file: string, backup: BackupFile, { environment }: RestoreOptions): Promise<void> {
  const { data, pg_dump_version, migrations } = backup.header;
  missingFrom(migrations, await readMigrations());
  if (data === 'pg_dump') {
    const found = await majorVersionOf('pg_restore', environment);
    if (found === null || found < (pg_dump_version ?? 0)) {
      throw new Error(
        `${file} was created by pg_dump ${pg_dump_version}: install pg_restore ${pg_dump_version} or newer, or create the backup with --logical`,
      );
    }
  }
  await checkBackupFile(file, backup);
}

/** Whether the target is empty; throws if it may not be replaced. */
async function inspectTarget(client: pg.Client, { may_replace }: RestoreOptions): Promise<boolean> {
  const { rows } = await client.query(`
    select
      exists (select from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')) as has_tables,
      exists (select from pg_namespace where nspname = '${ASIDE}') as has_aside,
      exists (select from pg_stat_activity
        where datname = current_database() and ${isServerConnection} and pid <> pg_backend_pid()) as is_used`);
  const { has_tables, has_aside, is_used } = rows[0];
  if (is_used) throw new Error('a toolgate server is connected to this database: stop it first');
  if (has_aside) {
    throw new Error(
      `an earlier restore was interrupted, and the previous data is in the schema ${ASIDE}: drop that schema, or drop public and rename it to public`,
    );
  }
  if (has_tables && !may_replace)
    throw new Error('the target is not empty: use an empty database or folder, or add --replace to overwrite it');
  return !has_tables;
}

type Loading = {
  backup: BackupFile;
  store: Store;
  client: pg.Client;
  options: RestoreOptions;
  master_keys: MasterKey[];
};

async function load({ backup, store, client, options, master_keys }: Loading): Promise<AuditResult> {
  const { header } = backup;
  const migrations = await readMigrations();
  if (header.data === 'pg_dump') {
    options.onProgress({ step: 'pg_restore', done: 0, total: null });
    await runPgRestore(store.connection, options.environment, backup.body());
    missingFrom(await findRan(client), migrations);
  } else {
    // The schema of the backup first: later migrations then change the rows as they would at an upgrade.
    const names = new Set(header.migrations.map(({ name }) => name));
    await migrate(
      client,
      migrations.filter(({ name }) => names.has(name)),
    );
    await loadRows(client, header, backup.body(), options.onProgress);
  }
  await migrate(client, migrations);
  await resetTransactionIds(store.database);
  await resetStreamCursors(store.database);
  await client.query('analyze');
  await verifyMasterKeys(store.database, master_keys);
  options.onProgress({ step: 'audit log', done: 0, total: null });
  return verifyAuditOf(store, master_keys);
}

/** Puts back what was there, and throws why. */
async function undo(client: pg.Client, is_empty: boolean, cause: Error): Promise<never> {
  try {
    await client.query('drop schema public cascade');
    await client.query(is_empty ? 'create schema public' : `alter schema ${ASIDE} rename to public`);
  } catch (error) {
    const left = is_empty ? 'parts of the backup are in the database' : `the previous data is in the schema ${ASIDE}`;
    throw new Error(`${cause.message}; ${left}, because undoing failed too: ${(error as Error).message}`, { cause });
  }
  throw cause;
}
