// Entries are kept for 400 days unless told otherwise. What goes is always the beginning of a chain, never a link inside it.

import type { App } from '../../app.ts';
import { transact } from '../../database/transact.ts';
import { removeUpTo, selectChains, selectLastBefore } from './store.ts';

const DAY_MS = 86_400_000;
const REMOVED_AT_ONCE = 1000;

export async function removeOldEntries(app: App): Promise<boolean> {
  const before = new Date(app.now() - app.config.retention.audit_days * DAY_MS).toISOString();
  let hasMore = false;
  for (const chain of await selectChains(app.database)) {
    await transact(app, async (app) => {
      const last = await selectLastBefore(app.database, chain, before, REMOVED_AT_ONCE);
      if (!last) return;
      await removeUpTo(app.database, chain.organization_id, last);
      hasMore ||= last.seq - chain.anchor_seq >= REMOVED_AT_ONCE;
    });
  }
  return hasMore;
}
