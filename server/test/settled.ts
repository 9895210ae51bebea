// Notes that are written beside an answer (last_used_at) may come a moment later: this waits until the database is quiet.

import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../src/app.ts';

export async function settled({ pool }: Pick<App, 'pool'>): Promise<void> {
  while (pool.waitingCount > 0 || pool.idleCount < pool.totalCount) await sleep(2);
}
