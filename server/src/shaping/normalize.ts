// A text as a person reads it: without the encodings of URLs, HTML and JSON, without characters that nobody sees, and with ordinary
// digits, letters, blanks, hyphens and dots. Detectors look at it, and what they find is replaced in the text as it is written.

import type { Range } from '../redaction/ranges.ts';

export type Normalized = { text: string; toOriginal(range: Range): Range };

/** An encoded text may be encoded again, in another way. */
const MAX_ROUNDS = 3;

/** Null: it is the text itself. */
export function normalize(given: string): Normalized | null {
  if (!/[%&\\\x80-\uffff]/.test(given)) return null;
  const steps: Normalized[] = [];
  let text = given;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const before = text;
    for (const pattern of [ENCODED, CHARACTERS]) {
      const step = replaceAll(pattern, text);
      if (step) steps.push(step);
      text = step?.text ?? text;
    }
    if (text === before) break;
  }
  if (steps.length === 0) return null;
  return { text, toOriginal: (range) => steps.reduceRight((found, step) => step.toOriginal(found), range) };
}

const ENTITIES: Record<string, string> = {
  ...{ commat: '@', period: '.', lowbar: '_', plus: '+', colon: ':', sol: '/' },
  ...{ nbsp: ' ', ensp: ' ', emsp: ' ', thinsp: ' ', hyphen: '-', dash: '-', shy: '', zwj: '', zwnj: '' },
};

/** Each alternative begins with a sign of its own, and a run of that sign is read once: the time is linear. */
const ENCODED = new RegExp(
  [
    // %40, %2540, %C2%A0
    '%(?:25)*[2-7][0-9a-f]|%[cde][0-9a-f](?:%[89ab][0-9a-f]){1,2}',
    // &#64; &#x40; &commat; &amp;#64;
    `&(?:amp;)*(?:#0{0,8}\\d{1,7}|#x0{0,8}[0-9a-f]{1,6}|${Object.keys(ENTITIES).join('|')});`,
    // \u0040, also in a text of JSON in a text of JSON; \x40
    '(?<!\\\\)\\\\+(?:u[0-9a-f]{4}|x[0-9a-f]{2})',
  ].join('|'),
  'gi',
);

const CHARACTERS = new RegExp(
  [
    // Most letters are skipped first, because that is much faster.
    '(?![\\0-\\x7f\\u0100-\\u033f\\u0370-\\u05ff\\u3040-\\u30ff\\u3400-\\u9fff\\uac00-\\ud7a3])(?:',
    // What nobody sees; digits; the wide and small forms of + - . / : @ _ and letters
    '[\\p{Cf}\\p{Default_Ignorable_Code_Point}\\p{Nd}]',
    '|[\\uff0b\\uff0d-\\uff0f\\uff1a\\uff20-\\uff3a\\uff3f\\uff41-\\uff5a\\ufe52\\ufe63\\ufe6b]',
    // Blanks, hyphens and dots, only inside of what may be a number or a name: many texts are full of them.
    '|(?<=[0-9A-Za-z])[\\p{Zs}\\p{Pd}\\u2212\\u2024\\u3002\\uff61](?=[0-9A-Za-z])',
    ')',
  ].join(''),
  'gu',
);

/** Null: there is nothing to replace. */
function replaceAll(pattern: RegExp, given: string): Normalized | null {
  pattern.lastIndex = 0;
  let found = pattern.exec(given);
  if (!found) return null;
  let text = '';
  let from = 0;
  /** From each of these places in the new text on: how much further it is in the given one. */
  const places: number[] = [];
  const shifts: number[] = [];
  for (; found; found = pattern.exec(given)) {
    text += given.slice(from, found.index) + meaningOf(found[0]);
    from = pattern.lastIndex;
    places.push(text.length);
    shifts.push(from - text.length);
  }
  const originalAt = (at: number) => at + (shifts[lastAtMost(places, at)] ?? 0);
  const toOriginal = ({ start, end }: Range) => ({ start: originalAt(start), end: originalAt(end) });
  return { text: text + given.slice(from), toOriginal };
}

/** The index of the last number that is not larger; -1: all are. */
function lastAtMost(numbers: readonly number[], most: number): number {
  let [low, high] = [-1, numbers.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) <= most) low = middle;
    else high = middle;
  }
  return low;
}

/** Texts repeat the few that they have. Long ones are not kept: they would keep the whole text in memory. */
const known = new Map<string, string>();
const MAX_KNOWN = 2_000;
const LONGEST_KNOWN = 12;

function meaningOf(written: string): string {
  const before = known.get(written);
  if (before !== undefined) return before;
  const meaning = findMeaning(written);
  if (written.length <= LONGEST_KNOWN && known.size < MAX_KNOWN) known.set(written, meaning);
  return meaning;
}

function findMeaning(written: string): string {
  switch (written[0]) {
    case '%':
      return /^%[c-e]/i.test(written) ? decodeUtf8(written) : characterOf(written.slice(-2), 16);
    case '&':
      return entityOf(written.slice(1, -1).split(';').at(-1) as string);
    case '\\':
      return characterOf(written.slice(written.lastIndexOf('\\') + 2), 16);
    default:
      return ordinaryOf(written);
  }
}

function decodeUtf8(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

function entityOf(name: string): string {
  if (/^#x/i.test(name)) return characterOf(name.slice(2), 16);
  return name.startsWith('#') ? characterOf(name.slice(1), 10) : (ENTITIES[name.toLowerCase()] as string);
}

function characterOf(number: string, base: number): string {
  const code = Number.parseInt(number, base);
  return code <= 0x10_ffff ? String.fromCodePoint(code) : '\ufffd';
}

function ordinaryOf(character: string): string {
  if (/[\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(character)) return '';
  if (/\p{Zs}/u.test(character)) return ' ';
  if (/[\p{Pd}\u2212]/u.test(character)) return '-';
  if (/[\u3002\uff61]/.test(character)) return '.';
  const ordinary = character.normalize('NFKC');
  return /^[!-~]$/.test(ordinary) ? ordinary : digitOf(character);
}

/** The digits of a script follow each other. */
function digitOf(character: string): string {
  const code = character.codePointAt(0) as number;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}
