// Random base62 text, for ids, tokens and keys.

import { randomBytes } from 'node:crypto';

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Each call of randomBytes() is expensive, so one call asks for more bytes than will be discarded. */
const SPARE_BYTES = 10;

export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    // Six bits of each byte; 62 and 63 are discarded, so that every character is equally likely.
    for (const byte of randomBytes(length + SPARE_BYTES)) text += BASE62[byte & 63] ?? '';
  }
  return text.slice(0, length);
}
