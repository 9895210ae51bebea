// Time-based one-time passwords (RFC 6238): SHA-1, 6 digits, 30 seconds, which every authenticator app supports. Pure functions.

import { createHmac, randomBytes } from 'node:crypto';
import { sameBytes } from '../../../secrets/tokens.ts';

const STEP_MS = 30_000;
const SECRET_BYTES = 20;
/** Codes of the step before and after are accepted too: clocks differ, and typing takes time. */
const WINDOW = 1;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A new secret in base32 (RFC 4648), as people type it into an app. */
export function makeTotpSecret(): string {
  return toBase32(randomBytes(SECRET_BYTES));
}

/** What authenticator apps read from a QR code. */
export function otpauthUrl(secret: string, { issuer, email }: { issuer: string; email: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=6&period=30`;
}

/** Returns the time step of the code, or null. A code of `last_step` or before it is refused: each works once. */
export function matchTotp(secret: string, code: string, now: number, last_step: number | null): number | null {
  const current = Math.floor(now / STEP_MS);
  let found: number | null = null;
  // All steps are compared, so that the time tells nothing about which one matched.
  for (let step = current - WINDOW; step <= current + WINDOW; step += 1) {
    const matches = sameBytes(Buffer.from(totpCode(secret, step)), Buffer.from(code));
    if (matches && step > (last_step ?? Number.NEGATIVE_INFINITY)) found ??= step;
  }
  return found;
}

export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  // Dynamic truncation, RFC 4226 5.3.
  const offset = (mac[mac.length - 1] as number) & 15;
  const number = mac.readUInt32BE(offset) & (2 ** 31 - 1);
  return String(number % 1_000_000).padStart(6, '0');
}

function toBase32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xffff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += ALPHABET[(value >> (bits - 5)) & 31];
  }
  if (bits > 0) text += ALPHABET[(value << (5 - bits)) & 31];
  return text;
}

function fromBase32(text: string): Buffer {
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const letter of text) {
    value = ((value << 5) | ALPHABET.indexOf(letter)) & 0xffff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >> bits) & 255);
  }
  return Buffer.from(bytes);
}
