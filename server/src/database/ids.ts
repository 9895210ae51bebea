// Ids: a prefix that names the kind, and 130 random bits in base62. Opaque: they tell nothing about order or number.

import { randomFillSync } from 'node:crypto';

type Prefix =
  | 'org'
  | 'prj'
  | 'key'
  | 'int'
  | 'akey'
  | 'mem'
  | 'ses'
  | 'tool'
  | 'call'
  | 'wh'
  | 'evt'
  | 'dlv'
  | 'job'
  | 'aud'
  | 'req';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const length = 22;
const pool = Buffer.alloc(4096);
let at = pool.length;

export function newId(prefix: Prefix): string {
  let text = `${prefix}_`;
  for (let left = length; left > 0; ) {
    // Six bits of each byte; 62 and 63 are thrown away, so that every character is equally likely.
    const character = alphabet[nextByte() & 63];
    if (character === undefined) continue;
    text += character;
    left -= 1;
  }
  return text;
}

/** One system call gives the bytes of some 180 ids: every request needs one. */
function nextByte(): number {
  if (at === pool.length) {
    randomFillSync(pool);
    at = 0;
  }
  const byte = pool[at] as number;
  at += 1;
  return byte;
}
