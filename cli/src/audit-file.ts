// Verifies a file that an audit stream wrote, from the file and the published keys alone: its signature, that no line was changed,
// added, removed or moved, and for several files that they follow each other.

import { createHash, createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { AuditHead } from '@toolgate/contract/log-streams/audit-head.ts';

export type AuditKeys = { keys: (JsonWebKey & { kid?: string; retired_at?: string | null })[] };

/** A file that was being written when the key was replaced. */
const RETIREMENT_MARGIN_MS = 600_000;

export type FileReport = {
  file: string;
  /** Null: the file is as it was written. */
  problem: string | null;
  head: AuditHead | null;
  /** The place in the chain of its last entry. */
  last_seq: number | null;
};

type Line = { id: string; seq: number; project_id: string; hash: string };
type Head = AuditHead & { signature: string };

class Broken extends Error {}

export function verifyFile(file: string, content: Buffer, keys: AuditKeys): FileReport {
  try {
    const { head, last_seq } = readFile(content, keys);
    return { file, problem: null, head, last_seq };
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    return { file, problem: error.message, head: null, last_seq: null };
  }
}

function readFile(content: Buffer, keys: AuditKeys): { head: AuditHead; last_seq: number } {
  const text = unzipped(content);
  // The head is the last line, and every line ends with a line break.
  if (text.at(-1) !== 10) throw new Broken('its end is missing');
  const start = text.lastIndexOf(10, text.length - 2) + 1;
  const head = headOf(text.subarray(start).toString(), keys);
  const lines = text.subarray(0, start);
  if (createHash('sha256').update(lines).digest('hex') !== head.sha256)
    throw new Broken('its entries differ from the signed ones');
  return { head, last_seq: verifyOrder(entriesOf(lines), head) };
}

function unzipped(content: Buffer): Buffer {
  if (content[0] !== 0x1f || content[1] !== 0x8b) return content;
  try {
    return gunzipSync(content);
  } catch {
    throw new Broken('it cannot be decompressed');
  }
}

/** The head that the signature covers; the line must say the same. */
function headOf(line: string, keys: AuditKeys): AuditHead {
  const { signature, ...shown } = parse<Head>(line);
  if (shown.object !== 'audit_head' || typeof signature !== 'string')
    throw new Broken('it does not end with a signed head');
  const [header = '', payload = '', bytes = ''] = signature.split('.');
  const { alg, kid } = parse<{ alg: unknown; kid: unknown }>(decode(header));
  const key = keys.keys.find((each) => each.kid === kid);
  if (alg !== 'ES256' || key === undefined) throw new Broken('it is not signed with one of the keys');
  const signed = Buffer.from(`${header}.${payload}`);
  const options = { key: publicKey(key), dsaEncoding: 'ieee-p1363' } as const;
  if (!verify('sha256', signed, options, Buffer.from(bytes, 'base64url'))) throw new Broken('its signature is wrong');
  const head = parse<AuditHead>(decode(payload));
  if (JSON.stringify(head) !== JSON.stringify(shown)) throw new Broken('its head differs from the signed one');
  if (key.retired_at && Date.parse(head.created_at) > Date.parse(key.retired_at) + RETIREMENT_MARGIN_MS)
    throw new Broken('it is signed with a key that had already been replaced');
  return head;
}

function publicKey(key: JsonWebKey): KeyObject {
  try {
    return createPublicKey({ key, format: 'jwk' });
  } catch {
    throw new Broken('the key with this id cannot be read');
  }
}

function entriesOf(lines: Buffer): Line[] {
  return lines
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => parse<Line>(line));
}

function verifyOrder(entries: Line[], head: AuditHead): number {
  const isNamed = entries.at(0)?.id === head.first_id && entries.at(-1)?.id === head.last_id;
  if (entries.length !== head.entries || !isNamed) throw new Broken('its entries do not match its head');
  let last = head.after_seq;
  for (const { id, seq, project_id, hash } of entries) {
    if (project_id !== head.project_id) throw new Broken(`the entry ${id} belongs to another project`);
    if (!(seq > last && seq <= head.seq)) throw new Broken(`the entry ${id} is not in the order of the chain`);
    if (seq === head.seq && hash !== head.hash) throw new Broken(`the entry ${id} is not the end of the chain`);
    last = seq;
  }
  return last;
}

/** Files of one stream in any order: what is missing between them. A file may repeat entries of another. */
export function findGap(reports: FileReport[]): string | null {
  const files = reports.flatMap(({ file, head, last_seq }) =>
    head && last_seq !== null ? [{ file, head, last_seq }] : [],
  );
  files.sort((one, other) => one.head.after_seq - other.head.after_seq);
  let [until, last] = [files[0]?.head.after_seq ?? 0, files[0]];
  for (const each of files) {
    if (each.head.log_stream_id !== last?.head.log_stream_id)
      return `${each.file} belongs to another stream than ${last?.file}`;
    if (each.head.after_seq > until) return `a file is missing between ${last.file} and ${each.file}`;
    if (each.last_seq >= until) [until, last] = [each.last_seq, each];
  }
  return null;
}

const decode = (part: string) => Buffer.from(part, 'base64url').toString();

function parse<T>(text: string): T {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as T;
  } catch {
    // Reported below.
  }
  throw new Broken('one of its lines is not JSON');
}
