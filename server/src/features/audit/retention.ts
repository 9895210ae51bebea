// Entries are kept for 400 days unless told otherwise. What goes is always the beginning of a chain, never a link inside it.

import type { App } from '../../app.ts';
import { transact } from '../../database/transact.ts';
import { lockHead, signHead } from './head.ts';
import { foldTallies, removeUpTo, selectChains, selectLastBefore } from './store.ts';

const DAY_MS = 86_400_000;
const REMOVED_AT_ONCE = 1000;

export async function removeOldEntries(app: App): Promise<boolean> {
  const before = new Date(app.now() - app.config.retention.audit_days * DAY_MS).toISOString();
  let hasMore = false;
  for (const { organization_id } of await selectChains(app.database)) {
    await transact(app, async (app) => {
      const head = await lockHead(app, organization_id);
      const last = head && (await selectLastBefore(app.database, head.chain, before, REMOVED_AT_ONCE));
      if (!last) return;
      await removeUpTo(app.database, organization_id, last.seq);
      await signHead(app, { ...head.chain, anchor_seq: last.seq, anchor_hash: last.hash }, head.tally);
      hasMore ||= last.seq - head.chain.anchor_seq >= REMOVED_AT_ONCE;
    });
  }
  await foldTallies(app.database);
  return hasMore;
}
