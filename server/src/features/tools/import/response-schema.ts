// The JSON response of an operation → output_schema. A call whose response violates it fails, and descriptions are seldom exact:
// only types, members and which of them are required are kept (docs/design/tool-definitions.md).

import { isObject, type SchemaObject } from '../../../engines/json-schema/keywords.ts';
import { isJsonType } from './body.ts';
import { lookUp, NotATool, type Reading, schemaCopier } from './references.ts';

const MOST_RESPONSES = 50;
const LARGEST = 16 * 1024;

/** Null where no one schema holds for every successful response, or where it cannot be listed: MCP needs an object. */
export function outputSchemaOf(reading: Reading, operation: SchemaObject): SchemaObject | null {
  try {
    const schema = successSchema(reading, operation);
    if (schema === null) return null;
    const { type, properties, allOf, oneOf, anyOf } = lookUp(reading, schema);
    const isObjectSchema =
      type === undefined ? (properties ?? allOf ?? oneOf ?? anyOf) : [type].flat().includes('object');
    if (!isObjectSchema) return null;
    const copier = schemaCopier(reading, loosened);
    const copied = copier.copy(lookUp(reading, schema)) as SchemaObject;
    const hasDefs = Object.keys(copier.defs).length > 0;
    const output = { ...copied, type: 'object', ...(hasDefs ? { $defs: copier.defs } : {}) };
    return JSON.stringify(output).length > LARGEST ? null : output;
  } catch (error) {
    if (error instanceof NotATool) return null;
    throw error;
  }
}

function successSchema(reading: Reading, { responses }: SchemaObject): unknown {
  if (!isObject(responses)) return null;
  const entries = Object.entries(responses);
  if (entries.length > MOST_RESPONSES) return null;
  const schemas = entries
    .filter(([status]) => /^2(\d\d|XX)$/i.test(status))
    .map(([, response]) => schemaIn(reading, response));
  const [first, ...others] = schemas;
  if (first === undefined) return null;
  return others.every((schema) => isSame(first, schema)) ? first : null;
}

/** Written once and referred to. Parts of a document are never compared as text: in YAML they may contain themselves. */
function isSame(one: unknown, other: unknown): boolean {
  return one === other || (isObject(one) && isObject(other) && typeof one.$ref === 'string' && one.$ref === other.$ref);
}

/** JSON, also where the API has other types too: every call asks for JSON first. */
function schemaIn(reading: Reading, response: unknown): unknown {
  const { content } = lookUp(reading, response);
  const json = isObject(content) ? Object.entries(content).find(([type]) => isJsonType(type)) : undefined;
  return isObject(json?.[1]) ? (json[1].schema ?? null) : null;
}

function loosened(schema: SchemaObject, copy: (part: unknown) => unknown): SchemaObject {
  const { type, title, description, properties, required, items, prefixItems, additionalProperties, nullable } = schema;
  const copied: SchemaObject = {};
  if (typeof title === 'string') copied.title = title;
  if (typeof description === 'string') copied.description = description;
  if (type !== undefined) copied.type = type;
  if (isObject(properties)) copied.properties = readable(properties, copy);
  const names = Array.isArray(required) ? required.filter((name) => !isWriteOnly(properties, name)) : [];
  if (names.length > 0) copied.required = names;
  if (isObject(items) && prefixItems === undefined) copied.items = copy(items);
  if (isObject(additionalProperties)) copied.additionalProperties = copy(additionalProperties);
  if (Array.isArray(schema.allOf)) copied.allOf = schema.allOf.map(copy);
  addForms(copied, schema, copy);
  return nullable === true ? withNull(copied) : copied;
}

/** `oneOf` too becomes `anyOf`: without their details several forms may match. */
function addForms(copied: SchemaObject, { oneOf, anyOf }: SchemaObject, copy: (part: unknown) => unknown): void {
  const [first, second] = [anyOf, oneOf].filter(Array.isArray).map((forms) => forms.map(copy));
  if (first) copied.anyOf = first;
  if (second) copied.allOf = [...((copied.allOf as unknown[] | undefined) ?? []), { anyOf: second }];
}

function readable(properties: SchemaObject, copy: (part: unknown) => unknown): SchemaObject {
  const shown = Object.entries(properties).filter(([name]) => !isWriteOnly(properties, name));
  return Object.fromEntries(shown.map(([name, schema]) => [name, copy(schema)]));
}

function isWriteOnly(properties: unknown, name: unknown): boolean {
  if (!isObject(properties) || typeof name !== 'string' || !Object.hasOwn(properties, name)) return false;
  const schema = properties[name];
  return isObject(schema) && schema.writeOnly === true;
}

/** OpenAPI 3.0's `nullable`, which MCP clients do not know. */
function withNull(schema: SchemaObject): SchemaObject {
  const { type } = schema;
  if (type === undefined) return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [...new Set([type, 'null'].flat())] };
}
