// Deletes audit entries by age, always from the beginning of a chain, so that the rest can still be verified.

import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { lockHead, signHead } from './head.ts';
import { deleteUpTo, foldTallies, selectChains, selectLastBefore } from './store.ts';

const DAY_MS = 86_400_000;
const BATCH_SIZE = 1000;

export async function applyAuditRetention(app: App): Promise<boolean> {
  const before = new Date(app.now() - app.config.retention.audit_days * DAY_MS).toISOString();
  let hasMore = false;
  for (const { organization_id } of await selectChains(app.database)) {
    await transact(app, async (app) => {
      const head = await lockHead(app, organization_id);
      const last = head && (await selectLastBefore(app.database, head.chain, before, BATCH_SIZE));
      if (!last) return;
      await deleteUpTo(app.database, organization_id, last.seq);
      await signHead(app, { ...head.chain, anchor_seq: last.seq, anchor_hash: last.hash }, head.tally);
      hasMore ||= last.seq - head.chain.anchor_seq >= BATCH_SIZE;
    });
  }
  await foldTallies(app.database);
  return hasMore;
}
