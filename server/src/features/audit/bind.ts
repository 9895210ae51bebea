// Binds new entries into their organization's chain. Not done by the change itself: every change would have to wait for the
// one before it to reach the disk (decision 0043).

import type { App } from '../../app.ts';
import { transact } from '../../database/transact.ts';
import { entryText, linkHash } from './chain.ts';
import { lockChain, saveLinks, selectUnbound, selectUnboundOrganizations } from './store.ts';

const BOUND_AT_ONCE = 1000;

export async function bindEntries(app: App): Promise<boolean> {
  let hasMore = false;
  for (const organization_id of await selectUnboundOrganizations(app.database)) {
    const count = await transact(app, (app) => bindSome(app, organization_id));
    hasMore ||= count === BOUND_AT_ONCE;
  }
  return hasMore;
}

async function bindSome(app: App, organization_id: string): Promise<number> {
  const { seq, hash } = await lockChain(app.database, organization_id);
  const entries = await selectUnbound(app.database, organization_id, BOUND_AT_ONCE);
  const links: { id: string; seq: number; hash: Buffer }[] = [];
  for (const entry of entries) {
    const before = links.at(-1) ?? { seq, hash };
    links.push({ id: entry.id, seq: before.seq + 1, hash: linkHash(before.hash, before.seq + 1, entryText(entry)) });
  }
  if (links.length > 0) await saveLinks(app.database, organization_id, links);
  return links.length;
}
