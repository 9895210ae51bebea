// Deletes the call log and the rollups of a deleted project, in batches. They have no foreign key to their project: that
// would cost every insert.

import { intervals } from '@toolgate/contract/analytics/rules.ts';
import type { App } from '../../../app.ts';
import { deleteRollupsOf } from './rollup-store.ts';
import { deleteCallsOf, deletePayloadsOf } from './store.ts';

const BATCH_SIZE = 5000;

/** Deletes one batch. Returns whether there may be more. */
export async function purgeCalls(app: App, project_id: string): Promise<boolean> {
  if ((await deletePayloadsOf(app.database, project_id, BATCH_SIZE)) === BATCH_SIZE) return true;
  if ((await deleteCallsOf(app.database, project_id, BATCH_SIZE)) === BATCH_SIZE) return true;
  for (const interval of intervals)
    if ((await deleteRollupsOf(app.database, project_id, interval, BATCH_SIZE)) === BATCH_SIZE) return true;
  return false;
}
