// Headers whose values take arguments: `{{name}}`, as in endpoint_path. The name of a header is always that of the definition.
// Checked when the tool is saved, compiled when it is prepared, expanded on every call.

import { isHeaderName } from '../../outbound/header-rules.ts';
import { headerValueProblem } from './header-rules.ts';
import { compileTemplate } from './path-template.ts';
import { isReserved } from './reserved-variables.ts';
import { isObject } from './schema/keywords.ts';

/** texts[0], value of names[0], texts[1], … */
type Part = { texts: readonly string[]; names: readonly string[] };

export type HeaderTemplate = {
  /** In lower case. */
  name: string;
  /** One part; a Cookie header has one for each cookie. A part is left out while one of its arguments is not given. */
  parts: readonly Part[];
};

/** Of all headers with arguments together, expanded. Few servers accept as much. */
const MAX_EXPANDED = 16 * 1024;

/** What every request has. The body is always JSON. */
const SERVICE_DEFAULTS = ['accept', 'content-type', 'user-agent'];

/** Whether arguments are to be inserted, correctly written or not. */
export const hasPlaceholder = (value: string) => value.includes('{{');

/** Returns why this value, which has a placeholder, cannot be saved, or null. */
export function headerTemplateProblem(name: string, value: string): string | null {
  const lower = name.toLowerCase();
  if (SERVICE_DEFAULTS.includes(lower)) return 'must be fixed: the service sends its own unless the tool has another';
  const { parts } = compileHeader(lower, value);
  const isWritten = ({ texts, names }: Part) =>
    names.length > 0 && names.every(isPlaceholder) && !/[{}]/.test(texts.join(''));
  if (!parts.every(isWritten))
    return lower === 'cookie'
      ? COOKIE_RULE
      : 'must write placeholders as {{name}}, with a name of letters, digits and _ that is not reserved, and have no other braces';
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

/**
 * The headers of a stored tool. A value that was saved before headers could take arguments is fixed, also with braces in it: then
 * they name no property of the schema, or are not written as placeholders.
 */
export function splitHeaders(
  headers: Readonly<Record<string, string>>,
  input_schema: Readonly<Record<string, unknown>>,
): { fixed: Record<string, string>; templates: HeaderTemplate[] } {
  const fixed: Record<string, string> = {};
  const templates: HeaderTemplate[] = [];
  const properties = isObject(input_schema.properties) ? input_schema.properties : {};
  for (const [name, value] of Object.entries(headers)) {
    const template = compileHeader(name, value);
    const takesArguments = hasPlaceholder(value) && headerTemplateProblem(name, value) === null;
    if (takesArguments && namesIn(template).every((each) => Object.hasOwn(properties, each))) templates.push(template);
    else fixed[template.name] = value;
  }
  return { fixed, templates };
}

export type ExpandedHeaders = { headers: Record<string, string> } | { problem: { field: string; message: string } };

export function expandHeaders(
  templates: readonly HeaderTemplate[],
  values: Readonly<Record<string, unknown>>,
): ExpandedHeaders {
  const headers: Record<string, string> = {};
  let left = MAX_EXPANDED;
  for (const { name, parts } of templates) {
    const given = parts.filter(({ names }) => names.every((each) => isGiven(values, each)));
    const texts: string[] = [];
    for (const part of given) {
      const text = expandPart(part, values, name === 'cookie', left);
      if (typeof text !== 'string') return text;
      texts.push(text);
      left -= text.length;
    }
    if (texts.length > 0) headers[name] = texts.join('; ');
  }
  return { headers };
}

const isGiven = (values: Readonly<Record<string, unknown>>, name: string) =>
  Object.hasOwn(values, name) && values[name] !== undefined && values[name] !== null;

function expandPart(
  { texts, names }: Part,
  values: Readonly<Record<string, unknown>>,
  is_cookie: boolean,
  max_length: number,
): string | { problem: { field: string; message: string } } {
  let text = texts[0] ?? '';
  for (const [index, field] of names.entries()) {
    const value = is_cookie ? cookieText(values[field]) : headerText(values[field]);
    const message =
      value === null
        ? `must be a string, number or boolean${is_cookie ? '' : ', or a list of them'}: it is sent in a header`
        : text.length + value.length > max_length
          ? `makes the headers longer than ${MAX_EXPANDED} characters`
          : null;
    if (message !== null) return { problem: { field, message } };
    text += value + (texts[index + 1] ?? '');
  }
  const problem = headerValueProblem(text);
  return problem === null
    ? text
    : { problem: { field: names[0] ?? '', message: `${problem}: it is sent in a header` } };
}

/** RFC 9110 §5.6.1: a list is its items with commas between them. */
function headerText(value: unknown): string | null {
  if (!Array.isArray(value)) return plainText(value);
  const items = value.map(plainText);
  return items.includes(null) ? null : items.join(',');
}

/** Encoded, so that a value cannot end its cookie and begin another (RFC 6265 §4.1.1). */
function cookieText(value: unknown): string | null {
  const text = plainText(value);
  return text === null || !text.isWellFormed() ? null : encodeURIComponent(text);
}

function plainText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return (typeof value === 'number' && Number.isFinite(value)) || typeof value === 'boolean' ? String(value) : null;
}
