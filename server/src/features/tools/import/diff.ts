// What an update changes of a tool, for people: fields, and inside a schema its keywords and properties.

import type { CustomToolDefinition } from '@toolgate/contract/custom-tools/custom-tool.ts';
import { isObject } from '../../../engines/json-schema/keywords.ts';
import { definitionOf, type ToolRow } from '../catalogue/tool.ts';

/** For one tool. */
const MOST_SHOWN = 50;
const LONGEST_NAME = 100;
/** `input_schema.properties.limit`: where people look. */
const DEPTH: Partial<Record<keyof CustomToolDefinition, number>> = { input_schema: 2, output_schema: 2 };

export function changedFields(old: ToolRow, saved: ToolRow): string[] {
  const [before, after] = [definitionOf(old), definitionOf(saved)];
  const fields = (Object.keys(before) as (keyof CustomToolDefinition)[]).flatMap((field) =>
    differences(field, before[field], after[field], DEPTH[field] ?? 0),
  );
  if (old.is_enabled !== saved.is_enabled) fields.push('is_enabled');
  return fields.slice(0, MOST_SHOWN);
}

function differences(path: string, before: unknown, after: unknown, depth: number): string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (depth === 0 || !isObject(before) || !isObject(after)) return [path];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const inside = names.flatMap((name) =>
    differences(`${path}.${name.slice(0, LONGEST_NAME)}`, own(before, name), own(after, name), depth - 1),
  );
  // Only the order of the members differs.
  return inside.length === 0 ? [path] : inside;
}

const own = (object: Record<string, unknown>, name: string) => (Object.hasOwn(object, name) ? object[name] : undefined);
