// Whether a path can lead to anything in a value that is valid for a schema.

import type { ResponsePath } from '@toolgate/contract/custom-tools/response-paths.ts';
import { isObject, resolvePointer, type SchemaObject } from '../engines/json-schema/keywords.ts';

/** `type`: what the place must allow, if that matters. */
export function isPathInSchema(root: SchemaObject, path: ResponsePath, type?: 'array'): boolean {
  /** By schema, the steps that are being checked or were refused. */
  const tried = new Map<object, Set<number>>();

  const leads = (schema: unknown, step: number): boolean => {
    if (schema === false) return false;
    if (!isObject(schema)) return true;
    const steps = tried.get(schema) ?? new Set();
    tried.set(schema, steps);
    if (steps.has(step)) return false;
    steps.add(step);
    const response = leadsHere(schema, step) && leadsInParts(schema, step);
    if (response) steps.delete(step);
    return response;
  };

  const leadsInParts = (schema: SchemaObject, step: number): boolean => {
    const { $ref, allOf, anyOf, oneOf } = schema;
    if (typeof $ref === 'string' && !leads(resolvePointer(root, $ref) ?? true, step)) return false;
    if (Array.isArray(allOf) && !allOf.every((each) => leads(each, step))) return false;
    return [anyOf, oneOf].every((list) => !Array.isArray(list) || list.some((each) => leads(each, step)));
  };

  const leadsHere = (schema: SchemaObject, step: number): boolean => {
    const next = path[step];
    if (next === undefined) return type === undefined || allows(schema, type);
    if (next.kind === 'item') return leadsToItem(schema, step + 1);
    if (next.kind === 'member') return leadsToMember(schema, next.name, step + 1);
    if (next.kind === 'any') return leadsToSome(schema, step + 1);
    return leads({ ...schema, $ref: undefined }, step + 1) || leadsToSome(schema, step) || leadsToItem(schema, step);
  };

  const leadsToItem = (schema: SchemaObject, step: number): boolean => {
    const { prefixItems, items, maxItems } = schema;
    if (!allows(schema, 'array') || maxItems === 0) return false;
    return leads(items ?? true, step) || (Array.isArray(prefixItems) && prefixItems.some((each) => leads(each, step)));
  };

  const leadsToMember = (schema: SchemaObject, name: string, step: number): boolean => {
    const { properties, patternProperties, additionalProperties } = schema;
    if (!allows(schema, 'object')) return false;
    if (isObject(properties) && Object.hasOwn(properties, name)) return leads(properties[name], step);
    // Whether a pattern matches the name is not asked.
    return isObject(patternProperties) || leads(additionalProperties ?? true, step);
  };

  const leadsToSome = (schema: SchemaObject, step: number): boolean => {
    const { properties, patternProperties, additionalProperties } = schema;
    if (!allows(schema, 'object')) return false;
    if (isObject(patternProperties) || leads(additionalProperties ?? true, step)) return true;
    return isObject(properties) && Object.values(properties).some((each) => leads(each, step));
  };

  return leads(root, 0);
}

function allows({ type }: SchemaObject, wanted: 'object' | 'array'): boolean {
  return type === undefined || [type].flat().includes(wanted);
}
