// Random base62 text, for ids, tokens and keys.

import { randomFillSync } from 'node:crypto';

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** One call of randomFillSync() costs more than the text that is made of its bytes, so a call fills many. */
const pool = new Uint8Array(4096);
let used = pool.length;

/** A byte is given out once and then erased: a token that was made here must not stay readable in memory. */
function randomByte(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const byte = pool[used] as number;
  pool[used] = 0;
  used += 1;
  return byte;
}

export function randomBase62(length: number): string {
  let text = '';
  // Six bits of each byte; 62 and 63 are discarded, so that every character is equally likely.
  while (text.length < length) text += BASE62[randomByte() & 63] ?? '';
  return text;
}
