// Binds new entries into the hash chain of their organization. Done by a job: in the transaction of a change, each change
// would wait for the commit of the one before it (docs/design/observability.md).

import { sql } from 'kysely';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { entryMac, entryText, linkHash } from './chain.ts';
import { lockHead, signHead } from './head.ts';
import { saveLinks, selectUnbound, selectUnboundOrganizations } from './store.ts';

/** Bounds the memory: an entry may hold a long text of the customer's. */
const BATCH = { count: 1000, bytes: 4_000_000 };

/** A condition in SQL, for the recurring job. */
export const hasUnbound = sql<boolean>`exists (select from audit_entries where seq is null)`;

/** Returns whether there may be more to bind. */
export async function bindEntries(app: App, batch = BATCH): Promise<boolean> {
  let hasMore = false;
  for (const organization_id of await selectUnboundOrganizations(app.database)) {
    const isFull = await transact(app, (app) => bindBatch(app, organization_id, batch));
    hasMore ||= isFull;
  }
  return hasMore;
}

async function bindBatch(app: App, organization_id: string, batch: typeof BATCH): Promise<boolean> {
  const head = await lockHead(app, organization_id);
  if (!head) return false;
  const { chain, tally } = head;
  const entries = await selectUnbound(app.database, organization_id, batch);
  const links: { id: string; seq: number; hash: Buffer }[] = [];
  let { mac_sum } = tally;
  for (const entry of entries) {
    const [previous, text] = [links.at(-1) ?? chain, entryText(entry)];
    const seq = previous.seq + 1;
    links.push({ id: entry.id, seq, hash: linkHash(app.audit_key, previous.hash, seq, text) });
    mac_sum += entryMac(app.audit_key, text);
  }
  const last = links.at(-1);
  if (!last) return false;
  await saveLinks(app.database, organization_id, links);
  const bound = { entries: tally.entries + links.length, mac_sum };
  await signHead(app, { ...chain, seq: last.seq, hash: last.hash }, bound);
  const sizeOf = (text: string | null) => Buffer.byteLength(text ?? '');
  const bytes = entries.reduce((sum, { before, after }) => sum + sizeOf(before) + sizeOf(after), 0);
  return entries.length >= batch.count || bytes >= batch.bytes;
}
