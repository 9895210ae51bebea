// Erases what was recorded of a deleted member, a part at a time: there may be millions of calls, and nobody else is to wait for them.
// What was on its way when the member was deleted is written without them, so that nothing is added meanwhile.

import type { App } from '../../../app.ts';
import { eraseFromLog } from '../../activity/analytics/erase-member.ts';
import { eraseFromEvents } from '../../activity/webhooks/erase-member.ts';
import { deleteDeletion, selectDeletions } from './store.ts';

/** Until then whoever deleted the member erases it. */
const UNFINISHED_AFTER_MS = 30_000;
/** Each gets its turn. */
const MAX_DELETIONS_PER_RUN = 20;

/** Does a part. Returns whether there may be more. Several may do it at the same time. */
export async function eraseMember(app: App, member: { project_id: string; member_id: string }): Promise<boolean> {
  if (await eraseFromLog(app, member)) return true;
  if (await eraseFromEvents(app, member.member_id)) return true;
  await deleteDeletion(app.database, member);
  return false;
}

/** A job: for those whose process ended, or that take too long for a request. Returns whether there may be more. */
export async function finishDeletions(app: App): Promise<boolean> {
  const before = new Date(app.now() - UNFINISHED_AFTER_MS).toISOString();
  const members = await selectDeletions(app.database, before, MAX_DELETIONS_PER_RUN);
  let hasMore = members.length === MAX_DELETIONS_PER_RUN;
  for (const member of members) if (await eraseMember(app, member)) hasMore = true;
  return hasMore;
}
