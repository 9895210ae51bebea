// Strict base64url: each sequence of bytes has one encoding, so that every changed character is detected.

import { SecretUnreadable } from './aes-gcm.ts';

/** Node skips characters it cannot decode and ignores unused bits; encoding the result again detects both. */
export function fromBase64url(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) throw new SecretUnreadable('not base64url');
  return bytes;
}
