// Waits until so many statements wait for a lock.

import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { App } from '../../../src/app.ts';

export async function untilLockWait({ database }: Pick<App, 'database'>, statements = 1): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(database);
    if (rows.length >= statements) return;
    await sleep(2);
  }
}
