// toolgate migrate [--dry-run]: applies the missing migrations, as every start of the server does, or lists them.

import type { Config } from '../config/config.ts';
import { findRan, migrate, missingFrom, readMigrations } from '../database/migrate.ts';
import { hasEmbeddedStore, openStore, withClient } from './open-store.ts';

/** Returns the names of the missing migrations; with `dry_run` nothing is changed. */
export async function migrateDatabase(
  config: Config,
  options: { dry_run: boolean; onWait: (name: string) => void },
): Promise<string[]> {
  const migrations = await readMigrations();
  if (options.dry_run && !config.database_url && !hasEmbeddedStore(config.data_dir))
    return migrations.map(({ name }) => name);
  const store = await openStore(config, { may_create: true });
  try {
    return await withClient(store.connection, async (client) => {
      if (!options.dry_run) return migrate(client, migrations, options.onWait);
      return missingFrom(await findRan(client), migrations).map(({ name }) => name);
    });
  } finally {
    await store.close();
  }
}
