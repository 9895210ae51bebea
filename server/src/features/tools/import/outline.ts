// Less of a schema, for an operation whose schemas are too large for a tool: types, members and which of them are required, some levels
// deep. What is below may be anything, which the customer's API validates.

import { isObject, type SchemaObject } from '../../../engines/json-schema/keywords.ts';
import { MAX_SIBLINGS } from '../catalogue/check-schema.ts';
import { type CopyObject, type Reading, refusePrototype, type SchemaCopier, schemaCopier } from './references.ts';

/** Null: everything. The first of them with which the tool can be saved is taken. */
export const outlineLevels = [null, 4, 2, 1, 0] as const;

/** So that the own words of as many arguments as there may be fit in a schema. */
const LONGEST_DESCRIPTION = 200;
const MOST_VALUES = 50;

/** About as many schemas as a tool may have. */
const MOST_NODES = 1_200;

type Copy = (part: unknown) => unknown;

/** A copier for one operation. The type of the items of a list is always kept, because its encoding depends on it. */
export function outlineCopier(reading: Reading, levels: number): SchemaCopier {
  // An argument itself is level 0.
  let level = 0;
  const copyObject: CopyObject = (schema, copy) => {
    const copied = ownKeywords(schema);
    level += 1;
    if (level <= levels) addParts(copied, schema, copy);
    if (level <= levels + 1 && isObject(schema.items) && schema.prefixItems === undefined)
      copied.items = copy(schema.items);
    level -= 1;
    return copied;
  };
  return schemaCopier(reading, copyObject, { most_nodes: MOST_NODES, level: () => level });
}

function ownKeywords({
  type,
  format,
  nullable,
  description,
  properties,
  items,
  ...schema
}: SchemaObject): SchemaObject {
  const known = type ?? (isObject(properties) ? 'object' : isObject(items) ? 'array' : undefined);
  return {
    ...(known === undefined ? {} : { type: known }),
    ...(typeof format === 'string' ? { format } : {}),
    ...(nullable === true ? { nullable } : {}),
    ...(typeof description === 'string'
      ? { description: description.slice(0, LONGEST_DESCRIPTION).toWellFormed() }
      : {}),
    ...(Array.isArray(schema.enum) && schema.enum.length <= MOST_VALUES ? { enum: schema.enum } : {}),
  };
}

function addParts(copied: SchemaObject, schema: SchemaObject, copy: Copy): void {
  const { properties, required, additionalProperties, allOf, anyOf, oneOf } = schema;
  if (isObject(properties)) {
    refusePrototype(properties);
    const entries = Object.entries(properties).slice(0, MAX_SIBLINGS);
    copied.properties = Object.fromEntries(entries.map(([name, each]) => [name, copy(each)]));
  }
  if (Array.isArray(required) && required.length <= MAX_SIBLINGS) copied.required = required;
  if (isObject(additionalProperties)) copied.additionalProperties = copy(additionalProperties);
  if (Array.isArray(allOf)) copied.allOf = allOf.slice(0, MAX_SIBLINGS).map(copy);
  // Fewer forms would refuse what the others allow, and of their outlines several may match.
  const [first, second] = [anyOf, oneOf].filter(Array.isArray).filter(({ length }) => length <= MAX_SIBLINGS);
  if (first) copied.anyOf = first.map(copy);
  if (second) copied.allOf = [...((copied.allOf as unknown[] | undefined) ?? []), { anyOf: second.map(copy) }];
}
