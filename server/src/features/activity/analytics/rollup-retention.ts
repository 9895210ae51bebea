// Deletes rollups, and counts of refused requests, by age.

import { intervals } from '@toolgate/contract/analytics/rules.ts';
import type { App } from '../../../app.ts';
import { keptSince } from './intervals.ts';
import { deleteRateLimitedBefore } from './rate-limited-counts.ts';
import { deleteRollupsBefore } from './rollup-store.ts';

const BATCH_SIZE = 10_000;

/** Deletes one batch of each interval. Returns whether there may be more. */
export async function applyRollupRetention(app: App): Promise<boolean> {
  let has_more = false;
  for (const interval of intervals) {
    const before = keptSince(interval, app.now());
    const rollups = await deleteRollupsBefore(app.database, interval, before, BATCH_SIZE);
    const counts = await deleteRateLimitedBefore(app.pool, interval, before, BATCH_SIZE);
    has_more ||= rollups === BATCH_SIZE || counts === BATCH_SIZE;
  }
  return has_more;
}
