// Brings the database to the schema of this version, at the start.

import type { Logger } from 'pino';
import { type Connection, connectClient, refuseUnreachable, START_TIMEOUT_MS } from './connection.ts';
import { migrate, readMigrations } from './migrate.ts';

export async function updateSchema(connection: Connection, log: Logger): Promise<void> {
  const client = await connectClient(connection, { connectionTimeoutMillis: START_TIMEOUT_MS }).catch(
    refuseUnreachable,
  );
  try {
    const onWait = (migration: string) =>
      log.warn({ migration }, 'the migration waits for a table that a backup or a long query is using');
    const names = await migrate(client, await readMigrations(), onWait);
    if (names.length > 0) log.info({ migrations: names.length, newest: names.at(-1) }, 'migrated');
  } finally {
    await client.end();
  }
}
