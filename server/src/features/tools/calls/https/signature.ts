// hmac_signature: the canonical string and its headers (contract 6, docs/signatures.md). Pure; `vectors/tool-signature.json`
// defines its results.

import { createHmac, hash, type KeyObject } from 'node:crypto';
import { signedLines } from '@toolgate/contract/custom-tools/signature-check.ts';

/** What is signed, each field as it is sent. */
export type Signed = {
  /** Unix seconds. */
  timestamp: number | string;
  request_id: string;
  method: string;
  /** As in the Host header. */
  host: string;
  path: string;
  /** Without the `?`. */
  query: string;
  body: Buffer | string | { sha256: string };
  project_id: string;
  integration_id: string | null;
  /** As in its header: see encodeMemberId. */
  member_id: string | null;
};

export function canonicalString(signed: Signed): string {
  return signedLines.map((name) => lineOf(signed, name)).join('\n');
}

function lineOf(signed: Signed, name: (typeof signedLines)[number]): number | string {
  if (name === 'version') return 'v1';
  if (name !== 'body_sha256') return signed[name] ?? '';
  const { body } = signed;
  return typeof body === 'object' && 'sha256' in body ? body.sha256 : hash('sha256', body);
}

/** HMAC-SHA256 in hex. */
export function sign(key: KeyObject, canonical: string): string {
  return createHmac('sha256', key).update(canonical).digest('hex');
}

/** The value of X-Toolgate-Signature: one entry for each active secret, the newest first. */
export function signatureHeader(keys: readonly KeyObject[], canonical: string): string {
  return keys.map((key) => `v1=${sign(key, canonical)}`).join(',');
}

/** A header contains ASCII only; an external id may be any text. */
export function encodeMemberId(external_id: string): string {
  return encodeURIComponent(external_id);
}
