// What a projected schema says about texts, numbers and fixed values.

import type { SchemaObject } from '../engines/json-schema/keywords.ts';
import { LONGEST_TEXT } from './cut-to-budget.ts';
import type { Node } from './project-schema.ts';

/** Schemas count characters, of which one may be two of the units that cutting counts. */
const LONGEST_IN_CHARACTERS = LONGEST_TEXT / 2;
const NUMBERS = ['multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum', 'nullable'];
const UNTOUCHED = ['default', 'examples', 'example', 'contentEncoding', 'contentMediaType', 'contentSchema'];
/** Texts of these are never so long that they are cut. */
const SHORT_FORMATS = new Set([
  ...['date', 'time', 'date-time', 'duration', 'uuid', 'email', 'idn-email'],
  ...['ipv4', 'ipv6', 'hostname', 'idn-hostname'],
]);

export function projectScalars(node: Node): SchemaObject {
  const { schema, redact, has_budget, is_untouched } = node;
  const { maxLength, minLength, pattern, format } = schema;
  const is_short = typeof maxLength === 'number' && maxLength <= LONGEST_IN_CHARACTERS;
  // A detector may replace any part of a text, also by a longer one.
  const is_whole = redact === null && (!has_budget || is_short);
  const kept: SchemaObject = {
    ...(redact === null ? { maxLength } : {}),
    ...(is_whole || (redact === null && Number(minLength) <= LONGEST_IN_CHARACTERS) ? { minLength } : {}),
    ...(is_whole ? { pattern } : {}),
    ...(is_whole || (redact === null && SHORT_FORMATS.has(String(format))) ? { format } : {}),
    ...fixedValues(node),
  };
  for (const keyword of NUMBERS) kept[keyword] = schema[keyword];
  if (is_untouched) for (const keyword of UNTOUCHED) kept[keyword] = schema[keyword];
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
}

/** A number has at least so many digits to be that of a card. */
const SMALLEST_SECRET = 1e12;

/** A number that must not be seen becomes a text. */
export function projectType({ schema, isSecretNumber }: Node): SchemaObject {
  const { type, maximum, exclusiveMaximum } = schema;
  if (type === undefined) return {};
  const types = [type].flat();
  const is_small = [maximum, exclusiveMaximum].some((most) => typeof most === 'number' && most < SMALLEST_SECRET);
  const mayBecomeText = isSecretNumber !== null && !is_small && (types.includes('number') || types.includes('integer'));
  return { type: mayBecomeText && !types.includes('string') ? [...types, 'string'] : type };
}

function fixedValues({ schema, redact, isSecretNumber, has_budget, is_untouched }: Node): SchemaObject {
  const isKept = (value: unknown) => {
    if (is_untouched) return true;
    if (typeof value === 'string') return redact === null && (!has_budget || value.length <= LONGEST_TEXT);
    if (typeof value === 'number') return !isSecretNumber?.(String(value), 0, String(value).length);
    return typeof value !== 'object' || value === null;
  };
  return {
    ...(Array.isArray(schema.enum) && schema.enum.every(isKept) ? { enum: schema.enum } : {}),
    ...('const' in schema && isKept(schema.const) ? { const: schema.const } : {}),
  };
}
