// Deletes the call log of a deleted project, in batches. The log has no foreign key to its project: that would cost every insert.

import type { App } from '../../app.ts';
import { deleteCallsOf, deletePayloadsOf } from './store.ts';

const BATCH_SIZE = 5000;

/** Deletes one batch. Returns whether there may be more. */
export async function purgeCalls(app: App, project_id: string): Promise<boolean> {
  if ((await deletePayloadsOf(app.database, project_id, BATCH_SIZE)) === BATCH_SIZE) return true;
  return (await deleteCallsOf(app.database, project_id, BATCH_SIZE)) === BATCH_SIZE;
}
