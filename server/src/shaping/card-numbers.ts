// Finds the numbers of payment cards: by their length, how they begin and their check digit (ISO/IEC 7812).

import { NOTHING, type Range } from '../redaction/ranges.ts';

const SHORTEST = 13;
const LONGEST = 19;

/** A number begins where a group of digits does: other numbers may be beside it, as in `4111 1111 1111 1111 12-26`. */
const START = /(?<!\d)[2-6]/g;

export function findCards(text: string): readonly Range[] {
  if (text.length < SHORTEST) return NOTHING;
  const ranges: Range[] = [];
  START.lastIndex = 0;
  for (let found = START.exec(text); found; found = START.exec(text)) {
    const end = endOfCard(text, found.index);
    if (end === 0) continue;
    ranges.push({ start: found.index, end });
    START.lastIndex = end;
  }
  return ranges;
}

/** Whether the number of JSON between `from` and `to` is that of a card, however it is written: `4111111111111111`, `4111111111111111.0`, `4.111111111111111e15`. */
export function isCardNumber(text: string, from: number, to: number): boolean {
  if (to - from < SHORTEST || !/[02-6]/.test(text[from] as string)) return false;
  const [, whole, fraction = '', exponent = '0'] = NUMBER.exec(text.slice(from, to)) ?? [];
  if (whole === undefined) return false;
  const length = whole.length + Number(exponent);
  const digits = (whole + fraction).slice(0, Math.max(0, length)).padEnd(length, '0').replace(/^0+/, '');
  return digits.length >= SHORTEST && digits.length <= LONGEST && endOfCard(digits, 0) === digits.length;
}

const NUMBER = /^(\d{1,20})(?:\.(\d+))?(?:[eE]([+-]?\d{1,2}))?$/;

const isDigit = (unit: number) => unit >= 48 && unit <= 57;
const DOT = 46;
const isSeparator = (unit: number) => unit === 32 || unit === 45 || unit === DOT;

/**
 * The end of the longest one; 0 if nothing was found. Groups have a single blank, hyphen or dot between them. No more digits are read
 * than a number can have, once for all lengths: the sums of the check digit are those of numbers that end at an even and at an odd place.
 */
function endOfCard(text: string, start: number): number {
  let even = 0;
  let odd = 0;
  let beginning = 0;
  let found = 0;
  let at = start;
  let group = start;
  let separator = 0;
  for (let count = 1; count <= LONGEST; count += 1) {
    const digit = text.charCodeAt(at) - 48;
    const doubled = digit > 4 ? digit * 2 - 9 : digit * 2;
    const is_even = (count & 1) === 1;
    even += is_even ? digit : doubled;
    odd += is_even ? doubled : digit;
    if (count <= 4) beginning = beginning * 10 + digit;
    at += 1;
    const next = text.charCodeAt(at);
    if (isDigit(next)) continue;
    if (count >= SHORTEST && (is_even ? even : odd) % 10 === 0 && isIssued(beginning, count)) found = at;
    if (!isSeparator(next) || !isDigit(text.charCodeAt(at + 1))) break;
    if (next === DOT || separator === DOT) {
      // Other numbers have dots, too: `5105.1051`. Those of cards are printed in groups of 3 to 6 digits, the first one of 4.
      const length = at - group;
      const isPrinted = group === start ? length === 4 : separator === next && length >= 3 && length <= 6;
      if (!isPrinted) break;
    }
    separator = next;
    at += 1;
    group = at;
  }
  return found;
}
/** The beginnings and lengths that issuers use (ISO/IEC 7812). `beginning`: the first four digits. */
function isIssued(beginning: number, length: number): boolean {
  const [two, three] = [Math.floor(beginning / 100), Math.floor(beginning / 10)];
  if (two >= 40 && two <= 49) return length === 13 || length === 16 || length === 19;
  if (two >= 60 || two === 50 || (two >= 56 && two <= 58)) return two <= 69;
  if (two === 34 || two === 37) return length === 15;
  if ((three >= 300 && three <= 305) || two === 36 || two === 38 || two === 39) return length === 14;
  const is_16 = (two >= 51 && two <= 55) || two === 35 || (beginning >= 2221 && beginning <= 2720);
  return is_16 && length === 16;
}
