// The parameters and the JSON body of one operation → one input_schema, and the path that takes them.

import { isReserved } from '../reserved-variables.ts';
import { isObject, type SchemaObject } from '../schema/keywords.ts';
import { lookUp, NotATool, type Reading, type SchemaCopier } from './references.ts';

export type Operation = { method: string; path: string; item: SchemaObject; operation: SchemaObject };

type Parameter = { name: string; in: string; required: boolean; schema: SchemaObject };

export type Inputs = { input_schema: SchemaObject; endpoint_path: string };

/** RFC 9110 names that OpenAPI says to leave out of parameters. */
const IGNORED_HEADERS = ['accept', 'content-type', 'authorization'];

/** As many properties as a schema may have; each is looked for in the whole path. */
const MOST_PARAMETERS = 200;
const LONGEST_PATH = 2_048;
const LONGEST_NAME = 256;

export function inputsOf(reading: Reading, given: Operation, copier: SchemaCopier): Inputs {
  if (given.path.length > LONGEST_PATH) throw new NotATool(`its path has more than ${LONGEST_PATH} characters`);
  const takesBody = given.method !== 'get' && given.method !== 'delete';
  const properties = new Map<string, unknown>();
  const required = new Set<string>();
  let endpoint_path = given.path;
  const query: string[] = [];

  for (const parameter of parametersOf(reading, given)) {
    const { name } = parameter;
    const where = placeOf(parameter, takesBody);
    if (where === 'left out') continue;
    if (properties.has(name)) throw new NotATool(`has two parameters called ${name}`);
    if (where === 'path') endpoint_path = endpoint_path.replaceAll(`{${name}}`, `{{${name}}}`);
    if (where === 'template query') query.push(`${encodeURIComponent(name)}={{${name}}}`);
    properties.set(name, copier.copy(parameter.schema));
    if (parameter.required) required.add(name);
  }
  const body = takesBody ? bodyOf(reading, given.operation) : null;
  if (body) addBody(reading, body, copier, properties, required);
  for (const name of properties.keys())
    if (isReserved(name)) throw new NotATool(`has a parameter called ${name}, which only the service may set`);

  const left = /\{\w+\}(?!\})/.exec(endpoint_path.replace(/\{\{\w+\}\}/g, ''));
  if (left) throw new NotATool(`does not describe the path parameter ${left[0]}`);
  return {
    endpoint_path: query.length === 0 ? endpoint_path : `${endpoint_path}?${query.join('&')}`,
    input_schema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.size > 0 ? { required: [...required] } : {}),
      ...(Object.keys(copier.defs).length > 0 ? { $defs: copier.defs } : {}),
    },
  };
}

/** The operation's own go before those of its path. */
function parametersOf(reading: Reading, { item, operation }: Operation): Parameter[] {
  const found = new Map<string, Parameter>();
  for (const list of [item.parameters, operation.parameters]) {
    if (!Array.isArray(list)) continue;
    if (list.length > MOST_PARAMETERS) throw new NotATool(`has more than ${MOST_PARAMETERS} parameters`);
    for (const entry of list) {
      const { name, in: place, required, schema, description, content, style, explode } = lookUp(reading, entry);
      if (typeof name !== 'string' || typeof place !== 'string') throw new NotATool('has a parameter without a name');
      if (name.length > LONGEST_NAME)
        throw new NotATool(`has a parameter whose name has more than ${LONGEST_NAME} characters`);
      if (!name.isWellFormed()) throw new NotATool('has a parameter whose name is no text');
      const isPlain = content === undefined && (style === undefined || style === 'form' || style === 'simple');
      const isSupported = isPlain && !(place === 'query' && explode === false);
      found.set(`${place} ${name}`, {
        name,
        in: isSupported ? place : `${place} in a form that is not supported`,
        required: required === true,
        schema: {
          ...(isObject(schema) ? schema : {}),
          ...(typeof description === 'string' ? { description } : {}),
        },
      });
    }
  }
  return [...found.values()];
}

function placeOf(parameter: Parameter, takesBody: boolean): 'path' | 'arguments' | 'template query' | 'left out' {
  const { name, required } = parameter;
  if (parameter.in === 'path') return 'path';
  if (parameter.in === 'query' && !takesBody) return 'arguments';
  // Where the arguments are the body, only what every call has can stand in the path's own query.
  if (parameter.in === 'query' && required) return 'template query';
  if (!required || (parameter.in === 'header' && IGNORED_HEADERS.includes(name.toLowerCase()))) return 'left out';
  throw new NotATool(`needs ${name} as a ${parameter.in} parameter`);
}

function bodyOf(reading: Reading, operation: SchemaObject): SchemaObject | null {
  if (operation.requestBody === undefined) return null;
  const { content } = lookUp(reading, operation.requestBody);
  const entries = isObject(content) ? Object.entries(content) : [];
  const json = entries.find(([type]) => /^(?:application\/(?:[\w.-]+\+)?json\b|\*\/\*)/i.test(type));
  if (json) return lookUp(reading, isObject(json[1]) ? (json[1].schema ?? { type: 'object' }) : {});
  // Also where the body is optional: a tool without the fields of its body is of no use to a model.
  throw new NotATool(`takes a body of ${entries[0]?.[0].slice(0, 100) ?? 'an unknown type'}, not JSON`);
}

/** The members of the body become arguments, since the arguments become the body. */
function addBody(
  reading: Reading,
  body: SchemaObject,
  copier: SchemaCopier,
  properties: Map<string, unknown>,
  required: Set<string>,
  depth = 0,
): void {
  if (depth > 10) throw new NotATool('has a body whose parts are nested too deep');
  const { type = 'object', allOf, properties: members, required: needed, oneOf, anyOf } = body;
  if (![type].flat().includes('object') || oneOf !== undefined || anyOf !== undefined)
    throw new NotATool('takes a body that is not one JSON object');
  for (const part of Array.isArray(allOf) ? allOf : [])
    addBody(reading, lookUp(reading, part), copier, properties, required, depth + 1);
  const names = new Set(Array.isArray(needed) ? needed : []);
  for (const [name, schema] of Object.entries(isObject(members) ? members : {})) {
    if (isObject(schema) && schema.readOnly === true) continue;
    if (properties.has(name) && depth === 0) {
      if (names.has(name)) throw new NotATool(`has ${name} both as a parameter and in its body`);
      continue;
    }
    properties.set(name, copier.copy(schema));
    if (names.has(name)) required.add(name);
  }
}
