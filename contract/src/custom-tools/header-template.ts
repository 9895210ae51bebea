// Headers whose values take arguments: `{{name}}`, as in endpoint_path. The name of a header is always that of the definition.
// Checked when the tool is saved, compiled when it is prepared, expanded on every call.

import { isHeaderName } from '../header-rules.ts';
import { headerValueProblem } from './header-rules.ts';
import { compileTemplate } from './path-template.ts';
import { isReserved } from './reserved-variables.ts';

/** texts[0], value of names[0], texts[1], … */
type Part = { texts: readonly string[]; names: readonly string[] };

export type HeaderTemplate = {
  /** In lower case. */
  name: string;
  /** One part; a Cookie header has one for each cookie. A part is left out while one of its arguments is not given. */
  parts: readonly Part[];
};

/** What every request has. The body is always JSON. */
const SERVICE_DEFAULTS = ['accept', 'content-type', 'user-agent'];

/** Whether arguments are to be inserted, correctly written or not. */
export const hasPlaceholder = (value: string) => value.includes('{{');

/** Returns why this value, which has a placeholder, cannot be saved, or null. */
export function headerTemplateProblem(name: string, value: string): string | null {
  const lower = name.toLowerCase();
  if (SERVICE_DEFAULTS.includes(lower)) return 'must be fixed: toolgate sends its own unless the tool sets another';
  const { parts } = compileHeader(lower, value);
  const isWritten = ({ texts, names }: Part) =>
    names.length > 0 && names.every(isPlaceholder) && !/[{}]/.test(texts.join(''));
  if (!parts.every(isWritten))
    return lower === 'cookie'
      ? COOKIE_RULE
      : 'must write placeholders as {{name}}, where the name has only letters, digits and _ and is not reserved, and must have no other braces';
  if (lower === 'cookie' && !parts.every(isCookie)) return COOKIE_RULE;
  return headerValueProblem(parts.map(({ texts }) => texts.join('x')).join('; '));
}

const COOKIE_RULE = 'must be cookies such as a={{a}}; b={{b}}, each with an argument as its value';

const isPlaceholder = (name: string) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !isReserved(name);

function isCookie({ texts, names }: Part): boolean {
  const [start = '', end] = texts;
  return names.length === 1 && end === '' && start.endsWith('=') && isHeaderName(start.slice(0, -1));
}

export const namesIn = ({ parts }: HeaderTemplate) => parts.flatMap(({ names }) => names);

export function compileHeader(name: string, value: string): HeaderTemplate {
  const lower = name.toLowerCase();
  return { name: lower, parts: (lower === 'cookie' ? value.split('; ') : [value]).map(compileTemplate) };
}
