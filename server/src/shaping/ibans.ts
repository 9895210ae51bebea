// Finds international bank account numbers (ISO 13616).

import type { Range } from '../redaction/ranges.ts';

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
const LENGTHS = new Map(
  Object.entries(COUNTRIES_BY_LENGTH).flatMap(([length, countries]) =>
    countries.split(' ').map((country) => [country, Number(length)] as const),
  ),
);

const START = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?=[ .-]?[A-Za-z0-9])/g;

export function findIbans(text: string): Range[] {
  const ranges: Range[] = [];
  START.lastIndex = 0;
  for (let found = START.exec(text); found; found = START.exec(text)) {
    const length = LENGTHS.get(found[0].slice(0, 2).toUpperCase());
    const end = length === undefined ? null : endOfIban(text, found.index, length);
    if (end === null) continue;
    ranges.push({ start: found.index, end });
    START.lastIndex = end;
  }
  return ranges;
}

/** Null: it is not an IBAN. */
function endOfIban(text: string, start: number, length: number): number | null {
  let written = '';
  let at = start;
  while (written.length < length) {
    const sign = text[at];
    if (sign !== undefined && /[A-Z0-9]/i.test(sign)) written += sign;
    // Groups are written with a blank, hyphen or dot between them.
    else if (sign === undefined || !/[ .-]/.test(sign) || /[ .-]/.test(text[at - 1] as string)) return null;
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
