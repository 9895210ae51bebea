// What a model is told about a result that is not whole: how much is there, and how to get the rest.

import { isObject } from '../../../../engines/json-schema/keywords.ts';
import type { Truncation } from '../../../../shaping/shape.ts';
import type { Schema } from '../tool-call.ts';

const MOST_NAMED = 10;
const MOST_PATHS = 3;

/** The arguments that a caller can give. */
export function argumentNames({ properties }: Schema): string[] {
  return isObject(properties) ? Object.keys(properties).slice(0, MOST_NAMED) : [];
}

/** One sentence. */
export function truncationText({ paths, next }: Truncation, input_schema: Schema): string {
  const missing = paths.slice(0, MOST_PATHS).map(({ path, kept, total }) => `${kept} of ${total ?? 'more'} of ${path}`);
  const more = paths.length > MOST_PATHS ? [`and ${paths.length - MOST_PATHS} more`] : [];
  const what =
    missing.length > 0 ? `Not everything is shown (${[...missing, ...more].join(', ')})` : 'There is another page';
  return `[${what}: ${howToGoOn(next, input_schema)}.]`;
}

function howToGoOn(next: Truncation['next'], input_schema: Schema): string {
  if (next) return `for the next page, call the tool again with ${next.argument} set to ${JSON.stringify(next.value)}`;
  const names = argumentNames(input_schema);
  return names.length > 0
    ? `for the rest, call the tool again with other arguments (${names.join(', ')})`
    : 'the tool has no argument for requesting the rest';
}
