// endpoint_path: fixed text with {{placeholders}}. Checked and taken apart when the tool is saved, filled on every call.
// A filled path has the template's segments and no others, and a URL parser leaves it as it is: what is signed is what is sent.

import { isReserved, reservedVariables } from './reserved-variables.ts';

export const MAX_TEMPLATE = 2_048;

/** Of path and query together, once filled. Few servers take as much. */
export const MAX_TARGET = 64 * 1024;
export const TARGET_TOO_LONG = `makes the path and query longer than ${MAX_TARGET} characters`;

/** texts[0], value of names[0], texts[1], … The first `in_path` values stand before the `?`. */
export type PathTemplate = { texts: readonly string[]; names: readonly string[]; in_path: number };

export type TemplateProblem = 'not_absolute' | 'placeholder' | 'character' | 'dot_segment';

/** For the customer, except `not_absolute`: the spec has words of its own for that. */
export const templateProblems: Record<TemplateProblem, string> = {
  not_absolute: 'must start with /',
  placeholder: 'must write placeholders as {{name}}, with a name of letters, digits and _',
  character: 'must hold only characters that an URL path and query may have, and must not start with //',
  dot_segment: 'must not have a segment . or ..',
};

/** Why this is no template, or null. Its length was checked before. Whether its placeholders have values is the tool's affair: see `names`. */
export function checkTemplate(endpointPath: string): TemplateProblem | null {
  if (!endpointPath.startsWith('/')) return 'not_absolute';
  const { texts, names } = compileTemplate(endpointPath);
  // A placeholder leaves a letter behind, so that what is beside it is judged as it will be sent.
  const filled = texts.join('x');
  if (!names.every(isPlaceholder) || filled.includes('{{') || filled.includes('}}')) return 'placeholder';
  const [path = '', ...query] = filled.split('?');
  if (path.startsWith('//') || !pathText.test(path) || !queryText.test(query.join('?'))) return 'character';
  return dotSegment.test(path) ? 'dot_segment' : null;
}

export function compileTemplate(endpointPath: string): PathTemplate {
  // No brace inside: with any character there, each of many {{ would be followed to the end of the text.
  const parts = endpointPath.split(/\{\{([^{}]*)\}\}/);
  const texts = parts.filter((_part, index) => index % 2 === 0);
  const names = parts.filter((_part, index) => index % 2 === 1);
  const withQuery = texts.findIndex((text) => text.includes('?'));
  return { texts, names, in_path: withQuery === -1 ? names.length : withQuery };
}

/** RFC 3986 pchar and /, less what a URL parser would rewrite. */
const pathText = /^(?:[\w\-.~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})*$/;
const queryText = /^(?:[\w\-.~!$&()*+,;=:@/?]|%[0-9A-Fa-f]{2})*$/;
/** URL parsers take %2e for a dot here. */
const dotSegment = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i;

function isPlaceholder(name: string): boolean {
  // In another letter case a reserved name could never get a value: arguments cannot have it.
  const isMisspelt = isReserved(name) && !(reservedVariables as readonly string[]).includes(name);
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !isMisspelt;
}

export type Expanded = { path: string; query: string } | { problem: { field: string; message: string } };

/** `query` is the template's own, without the `?`. The length is checked while it grows: a value may stand in it often. */
export function expand({ texts, names, in_path }: PathTemplate, values: Readonly<Record<string, unknown>>): Expanded {
  let target = texts[0] ?? '';
  for (let index = 0; index < names.length; index++) {
    const field = names[index] as string;
    const value = Object.hasOwn(values, field) ? values[field] : undefined;
    const text = typeof value === 'string' ? value : textOf(value);
    const message =
      text === null
        ? 'must be a string, number or boolean: it is part of the path'
        : unfit(text, index < in_path, MAX_TARGET - target.length);
    if (message !== null) return { problem: { field, message } };
    target += encodeURIComponent(text as string) + texts[index + 1];
    if (target.length > MAX_TARGET) return { problem: { field, message: TARGET_TOO_LONG } };
  }
  const mark = target.indexOf('?');
  return mark === -1 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

function textOf(value: unknown): string | null {
  return (typeof value === 'number' && Number.isFinite(value)) || typeof value === 'boolean' ? String(value) : null;
}

/** Any other text, once encoded, is neither empty nor `.` nor `..`, so no segment it is in can vanish or lead upwards. */
function unfit(text: string, isInPath: boolean, room: number): string | null {
  // Encoding makes no text shorter.
  if (text.length > room) return TARGET_TOO_LONG;
  if (!text.isWellFormed()) return 'must be well-formed text';
  if (!isInPath) return null;
  if (text === '') return 'must not be empty: it is part of the path';
  return text === '.' || text === '..' ? 'must not be . or ..: it is part of the path' : null;
}
