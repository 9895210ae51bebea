// Deletes request traces after 24 hours.

import type { App } from '../../../app.ts';
import { deleteTracesBefore } from './trace-store.ts';

export const TRACE_RETENTION_MS = 24 * 3_600_000;
const BATCH_SIZE = 5000;

/** Returns whether there may be more to delete. */
export async function applyTraceRetention(app: App): Promise<boolean> {
  const before = new Date(app.now() - TRACE_RETENTION_MS).toISOString();
  return (await deleteTracesBefore(app.database, before, BATCH_SIZE)) === BATCH_SIZE;
}
