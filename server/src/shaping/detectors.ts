// Finds what people must not see in texts: email addresses, card numbers, IBANs and credentials, also where they are encoded. Each
// looks at a character a bounded number of times, whatever the text is.

import type { DetectorName } from '@toolgate/contract/custom-tools/response-paths.ts';
import { REDACTED } from '../redaction/context.ts';
import { type Find, joinRanges, NOTHING, replaceRanges } from '../redaction/ranges.ts';
import { findTokenForms, LONGEST_BEGINNING } from '../redaction/token-forms.ts';
import { findCards, isCardNumber } from './card-numbers.ts';
import { findEmails } from './email-addresses.ts';
import { findIbans } from './ibans.ts';
import { normalize } from './normalize.ts';

/**
 * Replaces what must not be seen in a text; returns the text itself if there is nothing. Of the beginning of a longer text the end is
 * left out, after that: it may be a part of something that only the whole text would show.
 */
export type Redact = (text: string, is_beginning?: boolean) => string;

export type Detectors = {
  redact: Redact | null;
  /** Whether the number of JSON between two places must not be seen; null: none is looked at. */
  isSecretNumber: ((text: string, from: number, to: number) => boolean) | null;
  /** Every JSON text without a backslash in which something is found has this, as latin1; null: there is no such sign. */
  sign: RegExp | null;
};

/** `unsure`: longer than the part of a value, also of an encoded one, that is not recognized yet. */
const detectors: Record<DetectorName, { find: Find; unsure: number }> = {
  '@email': { find: findEmails, unsure: 256 },
  '@card': { find: findCards, unsure: 256 },
  '@iban': { find: findIbans, unsure: 256 },
  '@token': { find: findTokenForms, unsure: LONGEST_BEGINNING },
};

/** An @, also of full width, or the beginning of an encoded one. */
const EMAIL_SIGN = /[@%&]|\xef[\xb9\xbc]/g;

export function detectorsOf(names: readonly DetectorName[]): Detectors {
  const chosen = [...new Set(names)].map((name) => detectors[name]);
  if (chosen.length === 0) return { redact: null, isSecretNumber: null, sign: null };
  const unsure = Math.max(...chosen.map((each) => each.unsure));
  const find = (text: string) => chosen.reduce((found, each) => joinRanges(found, each.find(text)), NOTHING);
  return {
    redact: (text, is_beginning) => (is_beginning ? withoutEnd(redactBy(find, text), unsure) : redactBy(find, text)),
    isSecretNumber: names.includes('@card') ? isCardNumber : null,
    sign: names.every((name) => name === '@email') ? EMAIL_SIGN : null,
  };
}

/** First as it is written: decoding can also hide what is there. */
function redactBy(find: Find, text: string): string {
  const plain = replaceRanges(text, find(text), REDACTED);
  const normalized = normalize(plain);
  if (normalized === null) return plain;
  return replaceRanges(plain, find(normalized.text).map(normalized.toOriginal), REDACTED);
}

/** Nothing is found in what was redacted, so that it can be cut anywhere; a mark is left whole. */
function withoutEnd(redacted: string, length: number): string {
  const end = Math.max(0, redacted.length - length);
  const mark = redacted.lastIndexOf(REDACTED, end);
  const kept = mark !== -1 && mark + REDACTED.length > end ? mark + REDACTED.length : end;
  return redacted.slice(0, kept).replace(/[\ud800-\udbff]$/, '');
}
