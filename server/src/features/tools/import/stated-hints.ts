// The MCP hints that an operation of a document states. OpenAPI has no field for them; generators of MCP servers read extensions such
// as `x-mcp`, with the hints in it or in its `annotations`.

import { hintNames, type SetAnnotations } from '@toolgate/contract/custom-tools/hints.ts';
import { isObject, type SchemaObject } from '../../../engines/json-schema/keywords.ts';

const EXTENSION = /^x-(?:[a-z0-9]+-)*mcp(?:-[a-z0-9]+)*$/i;
const LONGEST_TITLE = 128;

/** Null: it states none. */
export function statedHints(operation: SchemaObject): SetAnnotations | null {
  const stated: SetAnnotations = {};
  for (const [name, extension] of Object.entries(operation)) {
    if (!EXTENSION.test(name) || !isObject(extension)) continue;
    for (const source of [extension, extension.annotations]) if (isObject(source)) addHints(stated, source);
  }
  return Object.keys(stated).length > 0 ? stated : null;
}

function addHints(stated: SetAnnotations, source: SchemaObject): void {
  const { title } = source;
  if (typeof title === 'string' && title !== '') stated.title = title.slice(0, LONGEST_TITLE);
  for (const name of hintNames) {
    const value = source[name];
    if (typeof value === 'boolean') stated[name] = value;
  }
}
