// Finds email addresses. Around each @: a pattern that begins with the local part would look at long texts again and again.

import type { Range } from '../redaction/ranges.ts';

const LOCAL = /[\p{L}\p{N}\p{M}.!#$%&'*+/=?^_`{|}~-]/u;
const LONGEST_LOCAL = 64;

export function findEmails(text: string): Range[] {
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
  return ranges;
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
