// Strict base64url: one text for one sequence of bytes, so that every changed character is noticed.

import { SecretUnreadable } from './aes-gcm.ts';

/** Node skips what it cannot decode and ignores unused bits; encoding again shows whether every character counted. */
export function fromBase64url(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) throw new SecretUnreadable('not base64url');
  return bytes;
}
