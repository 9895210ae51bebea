// Which operations of a document are imported: `include` and `exclude`, with `*` for any characters.

import type { ToolImportRule } from '@toolgate/contract/custom-tools/tool-import.ts';
import type { Operation } from './parameters.ts';

type Rules = { include?: readonly ToolImportRule[] | undefined; exclude: readonly ToolImportRule[] };

export function isSelected(given: Operation, { include, exclude }: Rules): boolean {
  const isMatched = (rule: ToolImportRule) => matches(rule, given);
  return (include === undefined || include.some(isMatched)) && !exclude.some(isMatched);
}

function matches({ tag, path, method, operation_id }: ToolImportRule, given: Operation): boolean {
  const { operationId, tags } = given.operation;
  const isTagged = (pattern: string) =>
    Array.isArray(tags) && tags.some((name) => typeof name === 'string' && matchesPattern(pattern, name));
  return (
    (method === undefined || matchesPattern(method.toLowerCase(), given.method)) &&
    (path === undefined || matchesPattern(path, given.path)) &&
    (operation_id === undefined || (typeof operationId === 'string' && matchesPattern(operation_id, operationId))) &&
    (tag === undefined || isTagged(tag))
  );
}

/** Not a regular expression: one with several `.*` may take time that grows with a power of the text's length. */
export function matchesPattern(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
