// Tokens: 30 random base62 characters and a checksum, so that a mistyped or invented token needs no lookup.
// Only the SHA-256 of a token is stored: 178 random bits need no slow hash.

import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { BASE62, randomBase62 } from '../base62.ts';

export type TokenPrefix = 'svc_live_' | 'svc_test_' | 'svc_mst_' | 'svc_ocs_' | 'svc_ort_';

const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;

export function makeToken(prefix: TokenPrefix): string {
  const text = prefix + randomBase62(RANDOM_LENGTH);
  return text + checksum(text);
}

/** Checks format and checksum only, not whether the token exists. */
export function isWellFormed(text: string, prefixes: readonly TokenPrefix[]): boolean {
  const prefix = prefixes.find((candidate) => text.startsWith(candidate));
  if (prefix === undefined || text.length !== prefix.length + RANDOM_LENGTH + CHECKSUM_LENGTH) return false;
  return /^[0-9A-Za-z]+$/.test(text.slice(prefix.length)) && text.endsWith(checksum(text.slice(0, -CHECKSUM_LENGTH)));
}

export function hashToken(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/** The same hash in base64url: as the name of a cache entry. */
export function hashTokenText(text: string): string {
  return hash('sha256', text, 'base64url');
}

/** Compares in constant time; only a difference in length can be measured. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The part of a token that lists show. */
export function tokenPrefix(text: string): string {
  return text.slice(0, 12);
}

export function tokenLast4(text: string): string {
  return text.slice(-4);
}

/** Returns `bytes` random bytes as base64url. */
export function randomSecret(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

function checksum(text: string): string {
  let digits = '';
  for (let rest = crc32(text); rest > 0; rest = Math.floor(rest / 62)) digits = BASE62[rest % 62] + digits;
  return digits.padStart(CHECKSUM_LENGTH, '0');
}
