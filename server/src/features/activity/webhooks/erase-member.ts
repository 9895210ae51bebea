// Takes a deleted member out of the stored events and of what their receivers responded. Deliveries that are still due go on, without
// the member.

import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { eraseFromPayloads, lockEventsNaming } from '../events/store.ts';
import { eraseResponses, markErased } from './delivery-store.ts';

const BATCH_SIZE = 200;

/** Does a part. Returns whether there is more. */
export async function eraseFromEvents(app: App, member_id: string): Promise<boolean> {
  return transact(app, async ({ database }) => {
    const ids = await lockEventsNaming(database, member_id, BATCH_SIZE);
    if (ids.length === 0) return false;
    await eraseFromPayloads(database, member_id, ids);
    // An attempt that ends later finds the mark; one that has ended is found here.
    await eraseResponses(database, await markErased(database, ids));
    return true;
  });
}
