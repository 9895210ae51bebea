// A tool's schema as `tools/list` shows it. Clients made with the MCP SDK refuse the whole list over one property whose schema
// is `true` or `false`, so these are written as the objects that mean the same.

import type { Schema } from '../features/custom-tools/tool-call.ts';
import { isObject } from './json-rpc.ts';

export function listedSchema(schema: Schema): Schema {
  const { properties } = schema;
  if (!isObject(properties) || Object.values(properties).every(isObject)) return schema;
  const asObject = (property: unknown) => (property === true ? {} : property === false ? { not: {} } : property);
  const listed = Object.entries(properties).map(([name, property]) => [name, asObject(property)]);
  return { ...schema, properties: Object.fromEntries(listed) };
}
