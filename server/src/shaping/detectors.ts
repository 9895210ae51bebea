// Finds what people must not see in texts: email addresses, card numbers, IBANs and credentials. Each looks at a character a bounded
// number of times, whatever the text is.

import type { DetectorName } from '@toolgate/contract/custom-tools/response-paths.ts';
import { redactTokenForms } from '../redaction/token-forms.ts';
import { REDACTED, type Redact } from './shape-json.ts';

/** Returns null without detectors. */
export function detectorsOf(names: readonly DetectorName[]): Redact | null {
  const chosen = [...new Set(names)].map((name) => detectors[name]);
  if (chosen.length === 0) return null;
  return (text) => chosen.reduce((rest, redact) => redact(rest), text);
}

/** A sign that is in every text in which they find something; null without such a sign. */
export const signOf = (names: readonly DetectorName[]) =>
  names.length > 0 && names.every((name) => name === '@email') ? '@' : null;

const detectors: Record<DetectorName, Redact> = {
  '@email': redactEmails,
  '@card': redactCards,
  '@iban': redactIbans,
  '@token': (text) => redactTokenForms(text, REDACTED),
};

type Range = { start: number; end: number };

function replaceRanges(text: string, ranges: readonly Range[]): string {
  let out = '';
  let from = 0;
  for (const { start, end } of ranges) {
    out += text.slice(from, start) + REDACTED;
    from = end;
  }
  return ranges.length === 0 ? text : out + text.slice(from);
}

const LOCAL = /[\p{L}\p{N}\p{M}.!#$%&'*+/=?^_`{|}~-]/u;
const LONGEST_LOCAL = 64;

/** Around each @: a pattern that begins with the local part would look at long texts again and again. */
function redactEmails(text: string): string {
  const ranges: Range[] = [];
  let from = 0;
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    let start = at;
    while (start > from && at - start < LONGEST_LOCAL && LOCAL.test(text[start - 1] as string)) start -= 1;
    const end = start === at ? at : endOfDomain(text, at + 1);
    if (end === at) continue;
    ranges.push({ start, end });
    from = end;
  }
  return replaceRanges(text, ranges);
}

const DOMAIN_PART = /[\p{L}\p{N}\p{M}-]{1,63}/uy;
const LONGEST_DOMAIN = 253;

/** The position of the @ if none follows. */
function endOfDomain(text: string, start: number): number {
  let end = start;
  let parts = 0;
  for (let at = start; at - start < LONGEST_DOMAIN; at = end + 1) {
    DOMAIN_PART.lastIndex = at;
    if (!DOMAIN_PART.test(text)) break;
    end = DOMAIN_PART.lastIndex;
    parts += 1;
    if (text[end] !== '.') break;
  }
  return parts >= 2 ? end : start - 1;
}

const SHORTEST_NUMBER = 13;
const LONGEST_CARD = 19;

/** A number begins where a group of digits does: other numbers may be beside it, as in `4111 1111 1111 1111 12-26`. */
function redactCards(text: string): string {
  if (text.length < SHORTEST_NUMBER) return text;
  const ranges: Range[] = [];
  let was_digit = false;
  let at = 0;
  while (at < text.length) {
    const is_digit = isDigit(text.charCodeAt(at));
    const end = is_digit && !was_digit ? endOfCard(text, at) : 0;
    if (end > 0) ranges.push({ start: at, end });
    was_digit = is_digit;
    at = end > 0 ? end : at + 1;
  }
  return replaceRanges(text, ranges);
}

const isDigit = (unit: number) => unit >= 48 && unit <= 57;
const isSeparator = (unit: number) => unit === 32 || unit === 45;

/**
 * The end of the longest one; 0 if nothing was found. Groups have a single blank or hyphen between them. No more digits are read than a
 * number can have, once for all lengths: the sums of the check digit are those of numbers that end at an even and at an odd place.
 */
function endOfCard(text: string, start: number): number {
  let even = 0;
  let odd = 0;
  let beginning = 0;
  let found = 0;
  let at = start;
  for (let count = 1; count <= LONGEST_CARD; count += 1) {
    const digit = text.charCodeAt(at) - 48;
    const doubled = digit > 4 ? digit * 2 - 9 : digit * 2;
    const is_even = (count & 1) === 1;
    even += is_even ? digit : doubled;
    odd += is_even ? doubled : digit;
    if (count <= 4) beginning = beginning * 10 + digit;
    at += 1;
    const next = text.charCodeAt(at);
    if (isDigit(next)) continue;
    if (count >= SHORTEST_NUMBER && (is_even ? even : odd) % 10 === 0 && isIssued(beginning, count)) found = at;
    if (!isSeparator(next) || !isDigit(text.charCodeAt(at + 1))) break;
    at += 1;
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

/** How long the IBAN of each country is (the registry of SWIFT). */
const COUNTRIES_BY_LENGTH: Record<number, string> = {
  15: 'NO',
  16: 'BE',
  18: 'DK FO FI GL NL SD FK',
  19: 'MK SI',
  20: 'AT BA EE KZ LT LU XK MN',
  21: 'CH HR LI LV',
  22: 'BG BH CR DE GB GE IE ME RS VA',
  23: 'AE GI IL IQ OM SO TL',
  24: 'AD CZ ES MD PK RO SA SE SK TN VG',
  25: 'LY PT ST',
  26: 'IS TR',
  27: 'BI DJ FR GR IT MC MR SM',
  28: 'AL AZ BY CY DO GT HU JO LB NI PL SV HN',
  29: 'BR EG PS QA UA',
  30: 'KW MU YE',
  31: 'MT SC',
  32: 'LC',
  33: 'RU',
};
const IBAN_LENGTHS = new Map(
  Object.entries(COUNTRIES_BY_LENGTH).flatMap(([length, countries]) =>
    countries.split(' ').map((country) => [country, Number(length)] as const),
  ),
);

const IBAN_START = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?=[ -]?[A-Za-z0-9])/g;

function redactIbans(text: string): string {
  if (text.length < SHORTEST_NUMBER) return text;
  const ranges: Range[] = [];
  for (const { 0: start, index } of text.matchAll(IBAN_START)) {
    const length = IBAN_LENGTHS.get(start.slice(0, 2).toUpperCase());
    const end = length === undefined ? null : endOfIban(text, index, length);
    if (end !== null && index >= (ranges.at(-1)?.end ?? 0)) ranges.push({ start: index, end });
  }
  return replaceRanges(text, ranges);
}

/** Null: it is not an IBAN. */
function endOfIban(text: string, start: number, length: number): number | null {
  let written = '';
  let at = start;
  while (written.length < length) {
    const sign = text[at];
    if (sign !== undefined && /[A-Z0-9]/i.test(sign)) written += sign;
    // Groups are written with a blank or hyphen between them.
    else if (sign === undefined || !/[ -]/.test(sign) || /[ -]/.test(text[at - 1] as string)) return null;
    at += 1;
  }
  const after = text[at];
  return (after === undefined || !/[A-Z0-9]/i.test(after)) && isIban(written.toUpperCase()) ? at : null;
}

/** ISO 13616: the number that the rearranged text stands for is 1 modulo 97. */
function isIban(written: string): boolean {
  let rest = 0;
  for (const sign of written.slice(4) + written.slice(0, 4))
    for (const digit of Number.parseInt(sign, 36).toString()) rest = (rest * 10 + Number(digit)) % 97;
  return rest === 1;
}
