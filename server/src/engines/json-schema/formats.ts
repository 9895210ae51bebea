// The formats that are validated, each at the price it was measured at. Any other format is only an annotation.

import type { FormatDefinition } from 'ajv';
import formatsModule from 'ajv-formats/dist/formats.js';
import { spend } from './work-meter.ts';

const { fullFormats } = formatsModule;

/** In units of the meter (20 ns): what one call costs, and each character of the longest text that it goes through. */
type Price = { call: number; character: number };

const usual: Price = { call: 20, character: 1 };

/** Measured on the worst of 75 texts for each format, short ones and ones of 240,000 characters, and rounded up. */
const prices: Record<string, Price> = {
  'date-time': { call: 60, character: 1 },
  'iso-date-time': { call: 60, character: 1 },
  ipv6: { call: 40, character: 1 },
  // Most texts are not valid, and an error is thrown and caught for each.
  regex: { call: 2_000, character: 5 },
  uri: { call: 20, character: 2 },
  url: { call: 20, character: 2 },
};

type Test = (text: string) => boolean;

const date = toTest(fullFormats.date);

/** Split at its fixed place: ajv's own makes a list as long as the text when it is full of separators. */
function dateTime(time: Test): Test {
  return (text) => /^[t\s]$/i.test(text.charAt(10)) && date(text.slice(0, 10)) && time(text.slice(11));
}

const tests: Record<string, Test> = {
  'date-time': dateTime(toTest(fullFormats.time)),
  'iso-date-time': dateTime(toTest(fullFormats['iso-time'])),
  // Ajv's own takes quadratic time.
  url: toTest(fullFormats.uri),
  // Ajv's own is content with one line that is base64.
  byte: (text) => /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text),
};

function toTest(format: (typeof fullFormats)[keyof typeof fullFormats]): Test {
  const check = typeof format === 'object' && 'validate' in format ? format.validate : format;
  if (check instanceof RegExp) return (text) => check.test(text);
  if (typeof check === 'function') return check as Test;
  throw new Error('Not a format of text');
}

function priced(name: string, test: Test): Test {
  const { call, character } = prices[name] ?? usual;
  return (text) => {
    spend(call + character * text.length);
    return test(text);
  };
}

/** Formats of numbers, and those that allow everything, cost nothing worth counting. */
function isFree(format: unknown): boolean {
  return format === true || (typeof format === 'object' && (format as FormatDefinition<number>).type === 'number');
}

export const formats = Object.fromEntries(
  Object.entries(fullFormats).map(([name, format]) => [
    name,
    isFree(format) ? format : priced(name, tests[name] ?? toTest(format)),
  ]),
) as typeof fullFormats;
