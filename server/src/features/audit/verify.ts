// Walks the chains from their anchor to their end and names the first link that does not hold.

import type { Database } from '../../database/tables.ts';
import { entryText, linkHash } from './chain.ts';
import { type Chain, countUnbound, type Link, selectChains, selectLinks } from './store.ts';

const LINKS_AT_ONCE = 100;

export type ChainReport = {
  organization_id: string;
  /** Entries that hold. */
  verified: number;
  /** The end of the chain: noted elsewhere, it proves later that nothing before it was rewritten. */
  head: { seq: number; hash: string };
  /** Entries of the last seconds, not bound yet. */
  unbound: number;
  broken: { seq: number; id: string | null; reason: string } | null;
};

/** All of it as it was at one moment: chains grow, and lose their oldest links, while they are walked. */
export async function verifyAudit(database: Database): Promise<ChainReport[]> {
  const snapshot = database.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return snapshot.execute(async (database) => {
    const reports: ChainReport[] = [];
    for (const chain of await selectChains(database)) reports.push(await verifyChain(database, chain));
    return reports;
  });
}

async function verifyChain(database: Database, chain: Chain): Promise<ChainReport> {
  const { organization_id } = chain;
  const head = { seq: chain.seq, hash: chain.hash.toString('hex') };
  let at = { seq: chain.anchor_seq, hash: chain.anchor_hash };
  const unbound = await countUnbound(database, organization_id);
  const report = (broken: ChainReport['broken']) => ({
    organization_id,
    verified: at.seq - chain.anchor_seq,
    head,
    unbound,
    broken,
  });
  for (;;) {
    const links = await selectLinks(database, organization_id, at.seq, LINKS_AT_ONCE);
    for (const link of links) {
      const broken = problemOf(link, at);
      if (broken) return report(broken);
      at = link;
    }
    if (links.length < LINKS_AT_ONCE) break;
  }
  if (at.seq < chain.seq) return report({ seq: at.seq + 1, id: null, reason: 'the entry is missing' });
  if (!at.hash.equals(chain.hash) || at.seq > chain.seq)
    return report({ seq: at.seq, id: null, reason: 'the chain ends elsewhere' });
  return report(null);
}

function problemOf(link: Link, before: { seq: number; hash: Buffer }): ChainReport['broken'] {
  if (link.seq !== before.seq + 1) return { seq: before.seq + 1, id: null, reason: 'the entry is missing' };
  if (linkHash(before.hash, link.seq, entryText(link)).equals(link.hash)) return null;
  return { seq: link.seq, id: link.id, reason: 'the entry, or the one before it, was changed' };
}
