// The hashes and MACs of the audit chain, as pure functions. Without the key no link, head or MAC of an entry can be made.

import { createHmac, type KeyObject } from 'node:crypto';

/** The fields that the hash covers; `before` and `after` are JSON text. */
export type EntryContent = {
  id: string;
  organization_id: string;
  /** Null: about the organization or its people. */
  project_id: string | null;
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

/** The canonical text of an entry: a JSON array, which has no order of names, and times in milliseconds. */
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

/** The hash of a link. */
export function linkHash(key: KeyObject, previous: Buffer, seq: number, text: string): Buffer {
  return createHmac('sha256', key).update('link').update(previous).update(eightBytes(seq)).update(text).digest();
}

/** A number, because the tally stores only the sum over all entries. */
export function entryMac(key: KeyObject, text: string): bigint {
  return BigInt(`0x${createHmac('sha256', key).update('entry').update(text).digest('hex')}`);
}

export type Head = {
  organization_id: string;
  seq: number;
  hash: Buffer;
  anchor_seq: number;
  anchor_hash: Buffer;
  bound: string | null;
};

export function headMac(key: KeyObject, head: Head): Buffer {
  const { organization_id, seq, hash, anchor_seq, anchor_hash, bound } = head;
  const text = [organization_id, seq, hash.toString('hex'), anchor_seq, anchor_hash.toString('hex')];
  return createHmac('sha256', key)
    .update('head')
    .update(JSON.stringify([...text, bound]))
    .digest();
}

function eightBytes(seq: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(seq));
  return bytes;
}
