// What a tool's schema must satisfy before anything is compiled: cheap limits that keep every later step cheap.
// Drafts 7 and 2019-09 are read as 2020-12, which most generators that still name them in fact write.

import { isReserved } from '@toolgate/contract/custom-tools/reserved-variables.ts';
import { isStorableJson } from '../../../database/storable-text.ts';
import {
  isObject,
  resolvePointer,
  type Schema,
  type SchemaObject,
  type SchemaPath,
  subschemasOf,
} from '../../../engines/json-schema/keywords.ts';
import type { Problem } from '../../../engines/json-schema/problem.ts';

const max_bytes = 64 * 1024;
const max_nodes = 1_000;
const max_depth = 20;
/** Properties of one object, and members of any one list of schemas. */
export const MAX_SIBLINGS = 200;
const max_unique_items = 200;

const drafts = /^https?:\/\/json-schema\.org\/(draft-07|draft\/2019-09|draft\/2020-12)\/schema#?$/;

type Node = { path: SchemaPath; schema: Schema };

/** `upstream`: the input of a tool of an MCP server, where no variable is reserved. The first thing wrong, or null. `field` is the place in the schema. The meta-schema is checked later, in the worker. */
export function checkSchema(schema: unknown, kind: 'input' | 'output' | 'upstream'): Problem | null {
  if (!isObject(schema)) return { field: '', message: 'must be a JSON Schema object' };
  if (Buffer.byteLength(JSON.stringify(schema)) > max_bytes) return { field: '', message: 'must be at most 64 KiB' };
  if (!isStorableJson(schema)) return { field: '', message: 'must not contain NUL or half of a surrogate pair' };
  const nodes: Node[] = [];
  const problem = collectNodes({ path: [], schema }, nodes) ?? checkRoot(schema);
  if (problem) return problem;
  const known = new Set(nodes.map((node) => node.schema));
  return (
    firstProblem(nodes, (node) => checkNode(node, schema, known)) ?? (kind === 'input' ? checkReserved(schema) : null)
  );
}

/** Whether less of the schema could be saved. */
export function isTooLarge(schema: SchemaObject): boolean {
  if (Buffer.byteLength(JSON.stringify(schema)) > max_bytes) return true;
  const nodes: Node[] = [];
  return collectNodes({ path: [], schema }, nodes) !== null || nodes.some((node) => siblingsProblem(node) !== null);
}

const at = (path: SchemaPath, message: string): Problem => ({ field: path.join('.'), message });

function firstProblem<Item>(items: Iterable<Item>, check: (item: Item) => Problem | null): Problem | null {
  for (const item of items) {
    const problem = check(item);
    if (problem) return problem;
  }
  return null;
}

function collectNodes(node: Node, nodes: Node[], depth = 1): Problem | null {
  if (nodes.push(node) > max_nodes) return at([], `must contain at most ${max_nodes} schemas`);
  if (depth > max_depth) return at(node.path, `is nested more than ${max_depth} schemas deep`);
  if (!isObject(node.schema)) return null;
  return firstProblem(subschemasOf(node.schema), ([step, schema]) =>
    collectNodes({ path: [...node.path, ...step], schema }, nodes, depth + 1),
  );
}

function checkRoot(schema: SchemaObject): Problem | null {
  const { type } = schema;
  // MCP clients refuse the whole list of tools over one whose schema has another type.
  return type === 'object' ? null : at(['type'], 'must be "object"');
}

/** Keywords that would give a reference another meaning than "this place in this schema". */
const refusedKeywords = ['$dynamicAnchor', '$dynamicRef', '$recursiveRef', '$recursiveAnchor', '$async'];

function checkNode({ path, schema }: Node, root: SchemaObject, known: ReadonlySet<Schema>): Problem | null {
  if (!isObject(schema)) return null;
  for (const keyword of refusedKeywords)
    if (keyword in schema) return at([...path, keyword], 'is not supported; use $ref with $defs');
  const { $schema } = schema;
  if ($schema !== undefined && !(typeof $schema === 'string' && drafts.test($schema)))
    return at([...path, '$schema'], 'must be https://json-schema.org/draft/2020-12/schema or absent');
  if ('$id' in schema && schema !== root) return at([...path, '$id'], 'is allowed at the root only');
  const problem = siblingsProblem({ path, schema });
  if (problem) return problem;
  const { $ref, uniqueItems, maxItems } = schema;
  if (typeof $ref === 'string') {
    const target = resolvePointer(root, $ref);
    if (target === undefined || !known.has(target))
      return at([...path, '$ref'], 'must point to a schema inside this one, as in #/$defs/name');
  }
  if (uniqueItems === true && !(typeof maxItems === 'number' && maxItems <= max_unique_items))
    return at([...path, 'uniqueItems'], `requires maxItems of at most ${max_unique_items} next to it`);
  return null;
}

function siblingsProblem({ path, schema }: Node): Problem | null {
  for (const [keyword, value] of Object.entries(schema)) {
    const size = isObject(value) ? Object.keys(value).length : Array.isArray(value) ? value.length : 0;
    if (size > MAX_SIBLINGS && keyword !== 'enum')
      return at([...path, keyword], `must have at most ${MAX_SIBLINGS} properties`);
  }
  return null;
}

/** Keywords whose schemas look at the same value as the schema they are in. */
const samePlace = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas', 'dependencies']);

/** Wherever the schema speaks about the arguments themselves, it must not name a reserved variable. */
function checkReserved(root: SchemaObject): Problem | null {
  const seen = new Set<Schema>();
  const check = (schema: Schema, path: SchemaPath): Problem | null => {
    if (!isObject(schema) || seen.has(schema)) return null;
    seen.add(schema);
    const named = namedIn(schema).find(([, name]) => isReserved(name));
    if (named)
      return at([...path, ...named[0]], `must not declare the reserved variable ${named[1]}, which toolgate sets`);
    const target = typeof schema.$ref === 'string' ? resolvePointer(root, schema.$ref) : undefined;
    const problem =
      target === undefined ? null : check(target, schema.$ref === '#' ? [] : String(schema.$ref).slice(2).split('/'));
    const inside = subschemasOf(schema).filter(([[keyword = '']]) => samePlace.has(keyword));
    return problem ?? firstProblem(inside, ([step, child]) => check(child, [...path, ...step]));
  };
  return check(root, []);
}

/** Every name of an argument that this schema mentions, and where. */
function namedIn(schema: SchemaObject): [SchemaPath, string][] {
  const names: [SchemaPath, string][] = [];
  const add = (path: SchemaPath, list: unknown) => {
    for (const name of [list].flat()) if (typeof name === 'string') names.push([path, name]);
  };
  add(['required'], schema.required);
  for (const keyword of ['properties', 'dependentSchemas', 'dependentRequired', 'dependencies', 'patternProperties']) {
    const map = schema[keyword];
    if (!isObject(map)) continue;
    for (const [name, value] of Object.entries(map)) {
      add([keyword, name], keyword === 'patternProperties' ? literal(name) : name);
      if (Array.isArray(value)) add([keyword, name], value);
    }
  }
  const { propertyNames } = schema;
  if (isObject(propertyNames)) {
    add(['propertyNames'], [propertyNames.const, propertyNames.enum].flat());
    if (typeof propertyNames.pattern === 'string') add(['propertyNames', 'pattern'], literal(propertyNames.pattern));
  }
  return names;
}

/** `^(?:member_id)$` → `member_id`: a pattern that stands for one name. Wider ones are refused when an argument has the name. */
const literal = (pattern: string) => pattern.replace(/^\^?(\(\?:|\()?/, '').replace(/\)?\$?$/, '');
