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

const alphabet = Buffer.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');
const length = 22;
/** Of some 200 ids, made at once: every request needs one. Those before `at` have been given out. */
const letters = Buffer.alloc(200 * length);
let at = letters.length;

export function newId(prefix: Prefix): string {
  if (at === letters.length) {
    fillLetters();
    at = 0;
  }
  at += length;
  return `${prefix}_${letters.toString('latin1', at - length, at)}`;
}

function fillLetters(): void {
  for (let filled = 0; filled < letters.length; ) {
    randomFillSync(letters, filled);
    // In place: a letter never stands behind the byte it is made of.
    for (let from = filled; from < letters.length; from += 1) {
      // Six bits of each byte; 62 and 63 are thrown away, so that every character is equally likely.
      const letter = alphabet[(letters[from] as number) & 63];
      if (letter === undefined) continue;
      letters[filled] = letter;
      filled += 1;
    }
  }
}
