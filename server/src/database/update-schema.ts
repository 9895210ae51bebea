// Brings the database to the schema of this version, at the start.

import pg from 'pg';
import type { Logger } from 'pino';
import { type Connection, clientConfig } from './connection.ts';
import { migrate, readMigrations } from './migrate.ts';

export async function updateSchema(connection: Connection, log: Logger): Promise<void> {
  const client = new pg.Client(clientConfig(connection));
  await client.connect().catch((error: Error & { code?: string }) => {
    throw new Error(`the database cannot be reached: ${error.message || error.code}`, { cause: error });
  });
  try {
    const onWait = (migration: string) =>
      log.warn({ migration }, 'the migration waits for a table that a backup or a long query uses');
    const names = await migrate(client, await readMigrations(), onWait);
    if (names.length > 0) log.info({ migrations: names.length, newest: names.at(-1) }, 'migrated');
  } finally {
    await client.end();
  }
}
