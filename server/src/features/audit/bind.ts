// Binds new entries into their organization's chain. Not done by the change itself: every change would have to wait for the
// one before it to reach the disk (decision 0043).

import type { App } from '../../app.ts';
import { transact } from '../../database/transact.ts';
import { entryMac, entryText, keyedLinkHash } from './chain.ts';
import { lockHead, signHead } from './head.ts';
import { saveLinks, selectUnbound, selectUnboundOrganizations } from './store.ts';

/** What is read into memory at once: an entry may hold a long text of the customer's. */
const AT_ONCE = { count: 1000, bytes: 4_000_000 };

/** Answers whether there is more to bind. */
export async function bindEntries(app: App, at_once = AT_ONCE): Promise<boolean> {
  let hasMore = false;
  for (const organization_id of await selectUnboundOrganizations(app.database)) {
    const isFull = await transact(app, (app) => bindSome(app, organization_id, at_once));
    hasMore ||= isFull;
  }
  return hasMore;
}

async function bindSome(app: App, organization_id: string, at_once: typeof AT_ONCE): Promise<boolean> {
  const head = await lockHead(app, organization_id);
  if (!head) return false;
  const { chain, tally } = head;
  const entries = await selectUnbound(app.database, organization_id, at_once);
  const links: { id: string; seq: number; hash: Buffer }[] = [];
  let { mac_sum } = tally;
  for (const entry of entries) {
    const [before, text] = [links.at(-1) ?? chain, entryText(entry)];
    const seq = before.seq + 1;
    links.push({ id: entry.id, seq, hash: keyedLinkHash(app.audit_key, before.hash, seq, text) });
    mac_sum += entryMac(app.audit_key, text);
  }
  const last = links.at(-1);
  if (!last) return false;
  await saveLinks(app.database, organization_id, links);
  const bound = { entries: tally.entries + links.length, mac_sum };
  await signHead(app, { ...chain, seq: last.seq, hash: last.hash }, bound);
  const sizeOf = (text: string | null) => Buffer.byteLength(text ?? '');
  const bytes = entries.reduce((sum, { before, after }) => sum + sizeOf(before) + sizeOf(after), 0);
  return entries.length >= at_once.count || bytes >= at_once.bytes;
}
