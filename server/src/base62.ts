// Random base62 text, for ids, tokens and keys.

import { randomBytes } from 'node:crypto';

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    // Six bits of each byte; 62 and 63 are discarded, so that every character is equally likely.
    for (const byte of randomBytes(length)) text += BASE62[byte & 63] ?? '';
  }
  return text.slice(0, length);
}
