// Brings the database to the schema of this version, at the start.

import type { Logger } from 'pino';
import { type Connection, refuseUnreachable, START_TIMEOUT_MS } from './connection.ts';
import { migrate, readMigrations } from './migrate.ts';
import { connectToPrimary } from './primary.ts';
import { setForSession } from './session-settings.ts';

export async function updateSchema(connection: Connection, log: Logger): Promise<void> {
  const options = { connectionTimeoutMillis: START_TIMEOUT_MS };
  const { client } = await connectToPrimary(connection, options).catch(refuseUnreachable);
  try {
    await setForSession(client);
    const onWait = (migration: string) =>
      log.warn({ migration }, 'the migration waits for a table that a backup or a long query is using');
    const names = await migrate(client, await readMigrations(), onWait);
    if (names.length > 0) log.info({ migrations: names.length, newest: names.at(-1) }, 'migrated');
  } finally {
    await client.end();
  }
}
