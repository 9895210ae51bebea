// Verifies the chains from their anchor to their head and reports the first broken link; then verifies the head, and that no
// entry was removed before it was bound.

import type { Database } from '../../../database/tables.ts';
import { entryMac, entryText, linkHash } from './chain.ts';
import { openHead, type Signer, type Tally } from './head.ts';
import {
  type Chain,
  type Link,
  pageOfUnbound,
  selectChains,
  selectLinks,
  selectOrganizations,
  selectTallies,
} from './store.ts';

const BATCH_SIZE = 100;

export type ChainReport = {
  organization_id: string;
  /** Entries verified without a problem. */
  verified: number;
  /** The end of the chain. A copy of it elsewhere proves later that nothing before it was rewritten. */
  head: { seq: number; hash: string };
  /** Entries of the last seconds that are not bound yet. */
  unbound: number;
  broken: { seq: number; id: string | null; reason: string } | null;
};

/** A head that was copied elsewhere; a field that is null is not compared. */
export type ExpectedHead = { organization_id: string | null; seq: number | null; hash: string };

type Point = { seq: number; hash: Buffer };

/** Reads one snapshot: chains grow, and lose their oldest links, meanwhile. */
export async function verifyAudit(
  database: Database,
  signer: Signer,
  expected: ExpectedHead[] = [],
): Promise<ChainReport[]> {
  const snapshot = database.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return snapshot.execute(async (database) => {
    const chains = new Map((await selectChains(database)).map((chain) => [chain.organization_id, chain]));
    const tallies = new Map((await selectTallies(database)).map((tally) => [tally.organization_id, tally]));
    const named = expected.flatMap(({ organization_id }) => organization_id ?? []);
    const reports: ChainReport[] = [];
    // Entries whose chain and tally are missing must not be overlooked: they were put in, or the rest was removed.
    const written = await selectOrganizations(database);
    for (const organization_id of new Set([...chains.keys(), ...tallies.keys(), ...written, ...named])) {
      const { entries, mac_sum } = tallies.get(organization_id) ?? { entries: 0, mac_sum: '0' };
      reports.push(
        await verifyChain(database, signer, {
          chain: chains.get(organization_id) ?? emptyChain(organization_id),
          written: { entries, mac_sum: BigInt(mac_sum) },
          expected: expected.filter((head) => (head.organization_id ?? organization_id) === organization_id),
        }),
      );
    }
    return reports;
  });
}

/** Nothing is bound yet, or the whole chain was deleted: then the tally of inserted entries does not match. */
function emptyChain(organization_id: string): Chain {
  const none = Buffer.alloc(32);
  const head = { seq: 0, hash: none, anchor_seq: 0, anchor_hash: none };
  return { organization_id, ...head, bound: null, mac: null };
}

type Evidence = { chain: Chain; written: Tally; expected: ExpectedHead[] };

async function verifyChain(database: Database, signer: Signer, evidence: Evidence): Promise<ChainReport> {
  const { chain, written, expected } = evidence;
  const { organization_id, anchor_seq, seq } = chain;
  const unbound = await tallyUnbound(database, signer, organization_id);
  const links = await verifyLinks(database, signer, chain, expected);
  const report = {
    organization_id,
    verified: links.at.seq - anchor_seq,
    head: { seq, hash: chain.hash.toString('hex') },
    unbound: unbound.entries,
  };
  const problem = (reason: string) => ({ ...report, broken: { seq: links.at.seq, id: null, reason } });
  if (links.broken) return { ...report, broken: links.broken };
  const bound = await openHead(database, signer, chain);
  if (!bound) return problem('the head of the chain, or where it begins, was changed');
  const missing = written.entries - bound.entries - unbound.entries;
  if (missing > 0) return problem(`entries were removed before they were linked: ${missing}`);
  if (missing < 0 || written.mac_sum !== bound.mac_sum + unbound.mac_sum)
    return problem('entries were added or changed before they were linked');
  if (links.unmet.length > 0) return problem('the expected head is not in the chain');
  return { ...report, broken: null };
}

async function verifyLinks(database: Database, signer: Signer, chain: Chain, expected: ExpectedHead[]) {
  let at: Point = { seq: chain.anchor_seq, hash: chain.anchor_hash };
  let unmet = expected.filter((head) => !isAt(head, at));
  const end = (broken: ChainReport['broken']) => ({ at, unmet, broken });
  for (;;) {
    const links = await selectLinks(database, chain.organization_id, at.seq, BATCH_SIZE);
    for (const link of links) {
      const broken = problemOf(signer, link, at);
      if (broken) return end(broken);
      at = link;
      if (unmet.length > 0) unmet = unmet.filter((head) => !isAt(head, link));
    }
    if (links.length < BATCH_SIZE) break;
  }
  if (at.seq < chain.seq) return end({ seq: at.seq + 1, id: null, reason: 'the entry is missing' });
  if (!at.hash.equals(chain.hash) || at.seq > chain.seq)
    return end({ seq: at.seq, id: null, reason: 'the chain ends elsewhere' });
  return end(null);
}

const isAt = (head: ExpectedHead, { seq, hash }: Point) =>
  (head.seq ?? seq) === seq && head.hash === hash.toString('hex');

function problemOf({ audit_key }: Signer, link: Link, before: Point): ChainReport['broken'] {
  if (link.seq !== before.seq + 1) return { seq: before.seq + 1, id: null, reason: 'the entry is missing' };
  if (linkHash(audit_key, before.hash, link.seq, entryText(link)).equals(link.hash)) return null;
  return { seq: link.seq, id: link.id, reason: 'the entry, or the one before it, was changed' };
}

/** The tally of the entries that are not bound yet, computed from the entries themselves. */
async function tallyUnbound(
  database: Database,
  { audit_key }: Pick<Signer, 'audit_key'>,
  organization_id: string,
): Promise<Tally> {
  const tally: Tally = { entries: 0, mac_sum: 0n };
  let after = '';
  for (;;) {
    const entries = await pageOfUnbound(database, organization_id, after, BATCH_SIZE);
    for (const entry of entries) {
      tally.entries += 1;
      tally.mac_sum += entryMac(audit_key, entryText(entry));
      after = entry.id;
    }
    if (entries.length < BATCH_SIZE) return tally;
  }
}
