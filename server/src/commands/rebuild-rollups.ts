// toolgate rebuild-rollups: makes the rollups of analytics equal to the call log, day by day. Can run while servers run; if
// interrupted, the next run corrects the rest.

import type { Config } from '../config/config.ts';
import { type RebuiltDay, rebuildRollups } from '../features/activity/analytics/rebuild-rollups.ts';
import { openStore } from './open-store.ts';

export async function rebuildRollupsOf(config: Config, onDay: (day: RebuiltDay) => void): Promise<void> {
  const { database, close } = await openStore(config);
  try {
    const { call_log_days } = config.retention;
    await rebuildRollups({ database, call_log_days }, onDay);
  } finally {
    await close();
  }
}
