// Reads whose cost depends on the question, such as analytics and logs. The statement timeout of requests is for what a change may
// wait for; nobody waits so long for a page, and one project must not keep connections busy that others need.

import { sql } from 'kysely';
import { refuse } from '../errors/errors.ts';
import { isCanceled } from './connection.ts';
import type { Database } from './tables.ts';

const MAX_MS = 2_000;

/**
 * Calls `read` with a context whose `database` is a transaction in which PostgreSQL cancels a statement after 2 s, whatever it
 * waits for. Then the question is refused: repeating it would cost the same again, so there is no Retry-After.
 */
export async function readInTime<C extends { database: Database }, T>(
  context: C,
  read: (context: C) => Promise<T>,
): Promise<T> {
  try {
    return await context.database
      .transaction()
      .setAccessMode('read only')
      .execute(async (database) => {
        await sql`set local statement_timeout = ${sql.lit(MAX_MS)}`.execute(database);
        return read({ ...context, database });
      });
  } catch (error) {
    if (!isCanceled(error)) throw error;
    throw refuse.serviceUnavailable({ details: { reason: 'read_took_too_long' }, cause: error });
  }
}
