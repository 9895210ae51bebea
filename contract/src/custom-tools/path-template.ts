// endpoint_path: fixed text with {{placeholders}}. Checked when the tool is saved, compiled when it is prepared, expanded on every
// call. An expanded path has exactly the segments of the template, and a URL parser does not change it: what is signed is sent.

import { isReserved, reservedVariables } from './reserved-variables.ts';

export const MAX_TEMPLATE = 2_048;

/** texts[0], value of names[0], texts[1], … The first `in_path` values are before the `?`. */
export type PathTemplate = { texts: readonly string[]; names: readonly string[]; in_path: number };

export type TemplateProblem = 'not_absolute' | 'placeholder' | 'single_braces' | 'character' | 'dot_segment';

/** Messages for the customer, except `not_absolute`: the spec defines that message. */
export const templateProblems: Record<TemplateProblem, string> = {
  not_absolute: 'must start with /',
  placeholder: 'must write placeholders as {{name}}, where the name has only letters, digits and _',
  single_braces: 'must write placeholders with two braces: {{name}}, not {name}',
  character: 'must contain only characters that are allowed in a URL path and query, and must not start with //',
  dot_segment: 'must not have . or .. as a segment',
};

/** Returns why this is not a valid template, or null. Its length, and whether its placeholders have values, are checked elsewhere. */
export function checkTemplate(endpointPath: string): TemplateProblem | null {
  if (!endpointPath.startsWith('/')) return 'not_absolute';
  const { texts, names } = compileTemplate(endpointPath);
  // Each placeholder is replaced by a letter, so that the text around it is checked as it will be sent.
  const filled = texts.join('x');
  if (!names.every(isPlaceholder) || filled.includes('{{') || filled.includes('}}')) return 'placeholder';
  if (/\{\w*\}/.test(filled)) return 'single_braces';
  const [path = '', ...query] = filled.split('?');
  if (path.startsWith('//') || !pathText.test(path) || !queryText.test(query.join('?'))) return 'character';
  return dotSegment.test(path) ? 'dot_segment' : null;
}

export function compileTemplate(endpointPath: string): PathTemplate {
  // No brace inside: otherwise the time would be quadratic in the number of {{.
  const parts = endpointPath.split(/\{\{([^{}]*)\}\}/);
  const texts = parts.filter((_part, index) => index % 2 === 0);
  const names = parts.filter((_part, index) => index % 2 === 1);
  const withQuery = texts.findIndex((text) => text.includes('?'));
  return { texts, names, in_path: withQuery === -1 ? names.length : withQuery };
}

/** RFC 3986 pchar and /, without characters that a URL parser would rewrite. */
const pathText = /^(?:[\w\-.~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})*$/;
const queryText = /^(?:[\w\-.~!$&()*+,;=:@/?]|%[0-9A-Fa-f]{2})*$/;
/** URL parsers treat %2e as a dot here. */
const dotSegment = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i;

function isPlaceholder(name: string): boolean {
  // A reserved name in another letter case could never get a value: arguments with that name are refused.
  const isMisspelt = isReserved(name) && !(reservedVariables as readonly string[]).includes(name);
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !isMisspelt;
}
