// Tokens: 30 random base62 characters and a checksum, so that a mistyped or invented one costs no lookup.
// Only their SHA-256 is ever stored: 178 random bits need no slow hash.

import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

export type TokenPrefix = 'svc_live_' | 'svc_test_' | 'svc_mst_';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 30;
const checksumLength = 6;

export function makeToken(prefix: TokenPrefix): string {
  const text = prefix + randomBase62(randomLength);
  return text + checksum(text);
}

/** Shape and checksum only; whether it exists is another question. */
export function isWellFormed(text: string, prefixes: readonly TokenPrefix[]): boolean {
  const prefix = prefixes.find((candidate) => text.startsWith(candidate));
  if (prefix === undefined || text.length !== prefix.length + randomLength + checksumLength) return false;
  for (let at = prefix.length; at < text.length; at += 1) {
    if (!isBase62(text.charCodeAt(at))) return false;
  }
  return text.endsWith(checksum(text.slice(0, -checksumLength)));
}

export function hashToken(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/** Takes the same time whatever the bytes are; only a difference in length shows. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/** What a list shows of a token. */
export function tokenPrefix(text: string): string {
  return text.slice(0, 12);
}

export function tokenLast4(text: string): string {
  return text.slice(-4);
}

/** `bytes` random bytes as base64url. */
export function randomSecret(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // Six bits of each byte; 62 and 63 are thrown away, so that every character is equally likely.
      text += alphabet[byte & 63] ?? '';
    }
  }
  return text.slice(0, length);
}

function checksum(text: string): string {
  let digits = '';
  for (let rest = crc32(text); rest > 0; rest = Math.floor(rest / 62)) digits = alphabet[rest % 62] + digits;
  return digits.padStart(checksumLength, '0');
}

function isBase62(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}
