// Brings the database to the schema of this version, at the start.

import pg from 'pg';
import type { Logger } from 'pino';
import { type Connection, clientConfig } from './connection.ts';
import { migrate, readMigrations } from './migrate.ts';

/** No request waits for it, and a start that fails is worse than a slow one: a busy database or machine needs seconds. */
const CONNECT_TIMEOUT_MS = 15_000;

export async function updateSchema(connection: Connection, log: Logger): Promise<void> {
  const client = new pg.Client({ ...clientConfig(connection), connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect().catch((error: Error & { code?: string }) => {
    throw new Error(`the database cannot be reached: ${error.message || error.code}`, { cause: error });
  });
  try {
    const onWait = (migration: string) =>
      log.warn({ migration }, 'the migration waits for a table that a backup or a long query is using');
    const names = await migrate(client, await readMigrations(), onWait);
    if (names.length > 0) log.info({ migrations: names.length, newest: names.at(-1) }, 'migrated');
  } finally {
    await client.end();
  }
}
