// Deletes the call log of a deleted project. The table has no foreign key that would do it: that would cost every insert.

import type { App } from '../../app.ts';
import { deleteCallsOf } from './store.ts';

const BATCH_SIZE = 5000;

/** Deletes one batch. Returns whether there may be more. */
export async function purgeCalls(app: App, project_id: string): Promise<boolean> {
  return (await deleteCallsOf(app.database, project_id, BATCH_SIZE)) === BATCH_SIZE;
}
