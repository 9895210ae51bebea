// How an audit entry is bound to the one before it. Pure, so that the verifier and the tests need nothing else.

import { createHash } from 'node:crypto';

/** What the hash covers; `before` and `after` are JSON text. */
export type EntryContent = {
  id: string;
  organization_id: string;
  project_id: string;
  created_at: string;
  actor_kind: string;
  actor_id: string | null;
  action: string;
  target_id: string;
  ip: string | null;
  request_id: string | null;
  before: string | null;
  after: string | null;
};

/** One spelling for each content: a list, so that no order of names matters, and times to the millisecond. */
export function entryText(entry: EntryContent): string {
  return JSON.stringify([
    entry.id,
    entry.organization_id,
    entry.project_id,
    new Date(entry.created_at).toISOString(),
    entry.actor_kind,
    entry.actor_id,
    entry.action,
    entry.target_id,
    entry.ip,
    entry.request_id,
    entry.before,
    entry.after,
  ]);
}

export function linkHash(previous: Buffer, seq: number, text: string): Buffer {
  const number = Buffer.alloc(8);
  number.writeBigInt64BE(BigInt(seq));
  return createHash('sha256').update(previous).update(number).update(text).digest();
}
