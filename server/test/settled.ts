// Waits for the database: until it is quiet (notes beside an answer, such as last_used_at, may come a moment later), or
// until a statement waits for a lock.

import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { App } from '../src/app.ts';

export async function settled({ pool }: Pick<App, 'pool'>): Promise<void> {
  while (pool.waitingCount > 0 || pool.idleCount < pool.totalCount) await sleep(2);
}

/** Until a statement waits for a lock that another one holds. */
export async function untilOneWaits({ database }: Pick<App, 'database'>): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(database);
    if (rows.length > 0) return;
    await sleep(2);
  }
}
