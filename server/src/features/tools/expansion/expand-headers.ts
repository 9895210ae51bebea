// Headers whose values take arguments: which of a stored tool do, and their values on every call.

import { headerValueProblem } from '@toolgate/contract/custom-tools/header-rules.ts';
import {
  compileHeader,
  type HeaderTemplate,
  hasPlaceholder,
  headerTemplateProblem,
  namesIn,
} from '@toolgate/contract/custom-tools/header-template.ts';
import { isObject } from '../../../engines/json-schema/keywords.ts';
import type { Problem } from '../../../engines/json-schema/problem.ts';

type Part = HeaderTemplate['parts'][number];

/** For all headers with arguments together, expanded. Few servers accept as much. */
const MAX_EXPANDED = 16 * 1024;

/**
 * The headers of a stored tool. A value that was saved before headers could take arguments is fixed, also with braces in it: then
 * they name no property of the schema, or are not written as placeholders.
 */
export function splitHeaders(
  headers: Readonly<Record<string, string>>,
  input_schema: Readonly<Record<string, unknown>>,
  fixed_arguments: Readonly<Record<string, unknown>> = {},
): { fixed: Record<string, string>; templates: HeaderTemplate[] } {
  const fixed: Record<string, string> = {};
  const templates: HeaderTemplate[] = [];
  const properties = { ...(isObject(input_schema.properties) ? input_schema.properties : {}), ...fixed_arguments };
  for (const [name, value] of Object.entries(headers)) {
    const template = compileHeader(name, value);
    const takesArguments = hasPlaceholder(value) && headerTemplateProblem(name, value) === null;
    if (takesArguments && namesIn(template).every((each) => Object.hasOwn(properties, each))) templates.push(template);
    else fixed[template.name] = value;
  }
  return { fixed, templates };
}

/** Adds to `problems` what is wrong with the values; then the result is of no use. */
export function expandHeaders(
  templates: readonly HeaderTemplate[],
  values: Readonly<Record<string, unknown>>,
  problems: Problem[],
): Record<string, string> {
  const headers: Record<string, string> = {};
  let left = MAX_EXPANDED;
  for (const { name, parts } of templates) {
    const given = parts.filter(({ names }) => names.every((each) => isGiven(values, each)));
    const texts: string[] = [];
    for (const part of given) {
      const text = expandPart(part, values, name === 'cookie', left, problems);
      texts.push(text);
      left -= text.length;
    }
    if (texts.length > 0) headers[name] = texts.join('; ');
  }
  return headers;
}

const isGiven = (values: Readonly<Record<string, unknown>>, name: string) =>
  Object.hasOwn(values, name) && values[name] !== undefined && values[name] !== null;

function expandPart(
  { texts, names }: Part,
  values: Readonly<Record<string, unknown>>,
  is_cookie: boolean,
  max_length: number,
  problems: Problem[],
): string {
  const wrong: Problem[] = [];
  let text = texts[0] ?? '';
  for (const [index, field] of names.entries()) {
    const value = is_cookie ? cookieText(values[field]) : headerText(values[field]);
    const message =
      value === null
        ? `must be a string, number or boolean${is_cookie ? '' : ', or a list of them'}: it is sent in a header`
        : text.length + value.length > max_length
          ? `makes the headers longer than ${MAX_EXPANDED} characters`
          : null;
    if (message !== null) wrong.push({ field, message });
    else text += value + (texts[index + 1] ?? '');
  }
  const problem = wrong.length === 0 ? headerValueProblem(text) : null;
  if (problem !== null) wrong.push({ field: names[0] ?? '', message: `${problem}: it is sent in a header` });
  problems.push(...wrong);
  return wrong.length === 0 ? text : '';
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
