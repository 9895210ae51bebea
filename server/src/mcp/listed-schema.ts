// A tool's schema as `tools/list` returns it. Clients built with the MCP SDK reject the whole list if the schema of one property is
// `true` or `false`, so these are replaced by the equivalent objects.

import type { Schema } from '../features/tools/calls/tool-call.ts';
import { isObject } from './json-rpc.ts';

export function listedSchema(schema: Schema): Schema {
  const { properties } = schema;
  if (!isObject(properties) || Object.values(properties).every(isObject)) return schema;
  const asObject = (property: unknown) => (property === true ? {} : property === false ? { not: {} } : property);
  const listed = Object.entries(properties).map(([name, property]) => [name, asObject(property)]);
  return { ...schema, properties: Object.fromEntries(listed) };
}
