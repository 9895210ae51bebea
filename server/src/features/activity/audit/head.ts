// The head of a chain: its first and last link, and the tally of what was bound into it. It is signed, and verified before it
// is changed: otherwise the next signature would cover what an attacker changed.

import type { KeyObject } from 'node:crypto';
import type { App } from '../../../app.ts';
import type { Database } from '../../../database/tables.ts';
import { SecretUnreadable } from '../../../secrets/aes-gcm.ts';
import type { Secrets } from '../../../secrets/encryption.ts';
import { sameBytes } from '../../../secrets/tokens.ts';
import { type Head, headMac } from './chain.ts';
import { type Chain, lockChain, saveHead, selectChains } from './store.ts';

/** All entries that were ever bound. Stored sealed: from two sums one could compute the MAC of an entry. */
export type Tally = { entries: number; mac_sum: bigint };

export type Signer = { audit_key: KeyObject; secrets: Secrets };

const place = (organization_id: string) => ({ table: 'audit_chains', column: 'bound', row_id: organization_id });

/** Returns the tally of the chain, or null if the head was not signed by us. */
export async function openHead(database: Database, signer: Signer, chain: Chain): Promise<Tally | null> {
  const isNew = chain.mac === null && chain.bound === null && chain.seq === 0 && chain.anchor_seq === 0;
  if (isNew) return { entries: 0, mac_sum: 0n };
  if (chain.mac === null || chain.bound === null || !sameBytes(chain.mac, headMac(signer.audit_key, chain)))
    return null;
  try {
    const text = await signer.secrets.open(database, null, place(chain.organization_id), chain.bound);
    const { entries, mac_sum } = JSON.parse(text.toString()) as { entries: number; mac_sum: string };
    return { entries, mac_sum: BigInt(mac_sum) };
  } catch (error) {
    if (error instanceof SecretUnreadable) return null;
    throw error;
  }
}

export async function signHead(app: App, head: Head, tally: Tally): Promise<void> {
  const text = JSON.stringify({ entries: tally.entries, mac_sum: tally.mac_sum.toString() });
  const bound = await app.secrets.seal(app.database, null, place(head.organization_id), text);
  const signed = { ...head, bound };
  await saveHead(app.database, { ...signed, mac: headMac(app.audit_key, signed) });
}

/** Organizations. */
const createReported = () => new Set<string>();

/** Locks the head until the transaction ends. Returns null, and logs an error once, if its signature is wrong. */
export async function lockHead(app: App, organization_id: string): Promise<{ chain: Chain; tally: Tally } | null> {
  const chain = await lockChain(app.database, organization_id);
  const tally = await openHead(app.database, app, chain);
  if (tally) return { chain, tally };
  const reported = app.stateOf(createReported);
  if (!reported.has(organization_id))
    app.log.error(
      { organization_id },
      'the head of the audit log was changed in the database: no more entries are linked',
    );
  reported.add(organization_id);
  return null;
}

export type ShownHead = { organization_id: string; seq: number; hash: string };

export async function listHeads(app: App): Promise<ShownHead[]> {
  const chains = await selectChains(app.database);
  return chains.map(({ organization_id, seq, hash }) => ({ organization_id, seq, hash: hash.toString('hex') }));
}

/** A copy of a head outside of the database proves later that nothing before it was rewritten. */
export async function logHeads(app: App): Promise<boolean> {
  for (const head of await listHeads(app)) app.log.info(head, 'the audit log ends here');
  return false;
}
