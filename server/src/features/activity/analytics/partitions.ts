// The partitions of the call log: created ahead, and dropped when every row of theirs is older than the retention.

import type { App } from '../../../app.ts';
import { createDayPartitions, dropDayPartitions } from '../../../database/day-partitions.ts';

const DAY_MS = 86_400_000;
const DAYS_AHEAD = 2;

const tables = ['tool_calls', 'tool_call_payloads'] as const;

/** Also run at the start: the server may have been stopped for days. */
export async function createCallPartitions(app: App): Promise<boolean> {
  const now = app.now();
  await createDayPartitions(app.pool, tables, now, now + DAYS_AHEAD * DAY_MS);
  return false;
}

export async function applyCallRetention(app: App): Promise<boolean> {
  const before = app.now() - app.config.retention.call_log_days * DAY_MS;
  for (const table of tables) await dropDayPartitions(app.database, table, before);
  return false;
}
