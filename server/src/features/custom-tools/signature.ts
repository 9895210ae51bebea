// hmac_signature: the canonical string and its headers (contract 6, docs/signatures.md). Pure: `vectors/tool-signature.json` pins it.

import { hash } from 'node:crypto';
import type { HmacKey } from './hmac.ts';

/** What is signed, each as it goes on the wire. */
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
  body: Buffer | string;
  project_id: string;
  integration_id: string | null;
  /** As in its header: see encodeMemberId. */
  member_id: string | null;
};

/** The names of the lines, in their order. */
export const lineNames = [
  'version',
  'timestamp',
  'request_id',
  'method',
  'host',
  'path',
  'query',
  'body_sha256',
  'project_id',
  'integration_id',
  'member_id',
] as const;

const EMPTY_SHA256 = hash('sha256', '');

export function canonicalString(signed: Signed): string {
  const { timestamp, request_id, method, host, path, query, body, project_id, integration_id, member_id } = signed;
  const body_sha256 = body.length === 0 ? EMPTY_SHA256 : hash('sha256', body);
  return `v1\n${timestamp}\n${request_id}\n${method}\n${host}\n${path}\n${query}\n${body_sha256}\n${project_id}\n${integration_id ?? ''}\n${member_id ?? ''}`;
}

/** The value of X-Toolgate-Signature: one entry for each active secret, the newest first. */
export function signatureHeader(key: HmacKey, previous: HmacKey | null, canonical: string): string {
  return previous === null ? `v1=${key(canonical)}` : `v1=${key(canonical)},v1=${previous(canonical)}`;
}

/** A header holds ASCII only; an external id may be any text. */
export function encodeMemberId(external_id: string): string {
  return encodeURIComponent(external_id);
}
