// The parameters and the body of one operation → one input_schema, and the path and headers that take its arguments.

import { isSameField, rootOfName } from '@toolgate/contract/custom-tools/field-names.ts';
import { headerNameProblem } from '@toolgate/contract/custom-tools/header-rules.ts';
import { isReserved } from '@toolgate/contract/custom-tools/reserved-variables.ts';
import { isHeaderName } from '@toolgate/contract/header-rules.ts';
import { isObject, type SchemaObject } from '../../../engines/json-schema/keywords.ts';
import { MAX_SIBLINGS } from '../catalogue/check-schema.ts';
import { type BodyArguments, type BodyFields, bodyArguments, formArguments } from './body.ts';
import { asText } from './file-schema.ts';
import { freeNames } from './free-names.ts';
import { lookUp, NotATool, type Reading, refusePrototype, type SchemaCopier } from './references.ts';
import type { Credentials } from './security.ts';

export type Operation = { method: string; path: string; item: SchemaObject; operation: SchemaObject };

type Parameter = { name: string; in: string; required: boolean; schema: SchemaObject };

/** `query`: an argument that the service puts there. The others are placeholders of the definition. */
type Place = 'path' | 'query' | 'template query' | 'header' | 'cookie';

type Placed = Parameter & { place: Place };

export type Inputs = {
  input_schema: SchemaObject;
  endpoint_path: string;
  headers: Record<string, string>;
} & BodyFields;

/** RFC 9110 names that OpenAPI says to leave out of parameters, and one that the service sets. */
const IGNORED_HEADERS = ['accept', 'content-type', 'authorization', 'user-agent'];

const LONGEST_PATH = 2_048;
const LONGEST_NAME = 256;

/** What no argument may be. `key_parameter`: the query parameter that authenticates this tool. */
type Taken = Credentials & { key_parameter: string | null };

export function inputsOf(reading: Reading, given: Operation, copier: SchemaCopier, credentials: Taken): Inputs {
  if (given.path.length > LONGEST_PATH) throw new NotATool(`its path has more than ${LONGEST_PATH} characters`);
  const takesBody = given.method !== 'get' && given.method !== 'delete';
  const body = (takesBody ? bodyArguments : formArguments)(reading, given.operation, copier);
  // One argument is the body, and all others go to the query.
  const isRaw = body.fields.body_format === 'raw';
  const placed = parametersOf(reading, given).flatMap((parameter) => {
    const place = placeOf(parameter, given.path, takesBody && !isRaw, credentials);
    return place === null ? [] : [{ ...parameter, place }];
  });
  const schemas = placed.map(({ schema }) => asText(copier.copy(schema)));
  if (isRaw) renameBody(body, placed);
  leaveOut(body, MAX_SIBLINGS - placed.length);
  const names = argumentNames(placed, body, credentials.key_parameter);
  const properties = new Map<string, unknown>([
    ...names.map((name, at) => [name, schemas[at]] as const),
    ...[...body.properties].map(([name, schema]) => [name, takesBody ? schema : asText(schema)] as const),
  ]);
  for (const name of properties.keys())
    if (isReserved(name)) throw new NotATool(`has a parameter named ${name}, which only toolgate can set`);
  const required = [...names.filter((_name, at) => placed[at]?.required), ...body.required];
  const named = placed.map((parameter, at) => ({ ...parameter, argument: names[at] as string }));
  return {
    ...body.fields,
    endpoint_path: pathOf(given.path, named),
    headers: headersOf(named),
    input_schema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 ? { required } : {}),
      ...(Object.keys(copier.defs).length > 0 ? { $defs: copier.defs } : {}),
    },
  };
}

/** The query has names of the API, so the argument that is the body gets another. */
function renameBody(body: BodyArguments, placed: Placed[]): void {
  const taken = new Set(placed.map(({ name }) => name));
  const name = freeNames((each) => taken.has(each), LONGEST_NAME)('body');
  body.properties = new Map([[name, body.properties.get('body')]]);
  if (body.required.has('body')) body.required = new Set([name]);
  body.fields.body_argument = name;
}

/** Of more fields than a tool may have, those that are required stay, and the first of the others. */
function leaveOut({ properties, required, fields }: BodyArguments, most: number): void {
  let optional = most - required.size;
  for (const name of [...properties.keys()]) {
    if (required.has(name)) continue;
    optional -= 1;
    if (optional >= 0) continue;
    properties.delete(name);
    if (fields.body_encoding) delete fields.body_encoding[name];
  }
}

/** The operation's own go before those of its path. */
function parametersOf(reading: Reading, { item, operation }: Operation): Parameter[] {
  const found = new Map<string, Parameter>();
  for (const list of [item.parameters, operation.parameters]) {
    if (!Array.isArray(list)) continue;
    if (list.length > MAX_SIBLINGS) throw new NotATool(`has more than ${MAX_SIBLINGS} parameters`);
    for (const entry of list) {
      const parameter = readParameter(reading, lookUp(reading, entry));
      found.set(`${parameter.in} ${parameter.name}`, parameter);
    }
  }
  return [...found.values()];
}

function readParameter(reading: Reading, given: SchemaObject): Parameter {
  const { name, in: place, required, schema, description } = given;
  if (typeof name !== 'string' || typeof place !== 'string') throw new NotATool('has a parameter without a name');
  if (name.length > LONGEST_NAME)
    throw new NotATool(`has a parameter whose name has more than ${LONGEST_NAME} characters`);
  if (!name.isWellFormed()) throw new NotATool('has a parameter whose name is not valid text');
  refusePrototype({ [name]: true });
  return {
    name,
    in: isSupported(reading, given) ? place : `${place} in a form that is not supported`,
    required: required === true,
    schema: { ...(isObject(schema) ? schema : {}), ...(typeof description === 'string' ? { description } : {}) },
  };
}

function isSupported(reading: Reading, { in: place, schema, content, style, explode }: SchemaObject): boolean {
  if (content !== undefined || (style !== undefined && style !== 'form' && style !== 'simple')) return false;
  if (place === 'query') return explode !== false;
  if (place !== 'header' && place !== 'cookie') return true;
  const types = [isObject(schema) ? lookUp(reading, schema).type : undefined].flat();
  return !types.includes('object') && !(place === 'cookie' && types.includes('array'));
}

/** Null: it is left out. */
function placeOf(parameter: Parameter, path: string, takesBody: boolean, credentials: Taken): Place | null {
  const { name, required } = parameter;
  const lower = name.toLowerCase();
  if (parameter.in === 'path') return path.includes(`{${name}}`) ? 'path' : null;
  if (parameter.in === 'query' && credentials.query.has(rootOfName(name))) return null;
  if (parameter.in === 'query' && !takesBody) return 'query';
  // Where the arguments are the body, only what every call has can stand in the path's own query.
  if (parameter.in === 'query' && required) return 'template query';
  if (parameter.in === 'header') {
    if (IGNORED_HEADERS.includes(lower) || credentials.headers.has(lower)) return null;
    if (headerNameProblem(name) === null && !(isReserved(lower) && !required)) return 'header';
  }
  if (parameter.in === 'cookie') {
    if (credentials.headers.has(lower)) return null;
    if (isHeaderName(name) && !(isReserved(lower) && !required)) return 'cookie';
  }
  if (!required) return null;
  throw new NotATool(`requires ${name} as a ${parameter.in} parameter`);
}

/**
 * A name in the query or the body is the API's. The others are free: words of letters, digits and _, and the place where a name
 * is used twice. A member of the body that the path has too is left out unless the body needs it.
 */
function argumentNames(placed: Placed[], body: BodyArguments, key_parameter: string | null): string[] {
  const wanted = placed.map(({ name, place }) => (place === 'query' ? name : wordOf(name)));
  for (const [at, { place }] of placed.entries()) {
    const name = wanted[at] as string;
    if ((place === 'path' || place === 'template query') && !body.required.has(name)) body.properties.delete(name);
  }
  const taken = new Set([
    ...placed.filter(({ place }) => place === 'query').map(({ name }) => name),
    ...body.properties.keys(),
  ]);
  const isKey = (name: string) => key_parameter !== null && isSameField(name, key_parameter);
  for (const name of body.properties.keys()) if (isKey(name) && !body.required.has(name)) body.properties.delete(name);
  const isTaken = (name: string) => taken.has(name) || isKey(name);
  const freeName = freeNames(isTaken, LONGEST_NAME);
  return placed.map(({ place }, at) => {
    const name = wanted[at] as string;
    if (place === 'query') return name;
    const free = isTaken(name) ? freeName(`${name}_in_${place.replace('template ', '')}`) : name;
    taken.add(free);
    return free;
  });
}

const wordOf = (name: string) => name.replace(/\W+/g, '_').replace(/^(?=\d|$)/, '_');

type Named = Placed & { argument: string };

function pathOf(path: string, named: Named[]): string {
  const inPath = new Map(named.filter(({ place }) => place === 'path').map(({ name, argument }) => [name, argument]));
  const endpoint_path = path.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const argument = inPath.get(name);
    if (argument === undefined) throw new NotATool(`does not describe the path parameter ${whole}`);
    return `{{${argument}}}`;
  });
  const query = named
    .filter(({ place }) => place === 'template query')
    .map(({ name, argument }) => `${encodeURIComponent(name)}={{${argument}}}`);
  return query.length === 0 ? endpoint_path : `${endpoint_path}?${query.join('&')}`;
}

function headersOf(named: Named[]): Record<string, string> {
  const headers = Object.fromEntries(
    named.filter(({ place }) => place === 'header').map(({ name, argument }) => [name, `{{${argument}}}`]),
  );
  const cookies = named
    .filter(({ place }) => place === 'cookie')
    .map(({ name, argument }) => `${name}={{${argument}}}`);
  return cookies.length === 0 ? headers : { ...headers, Cookie: cookies.join('; ') };
}
