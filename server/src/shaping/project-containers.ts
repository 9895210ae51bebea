// What a projected schema says about the members of objects and the items of lists.

import { isObject, type Schema, type SchemaObject } from '../engines/json-schema/keywords.ts';
import type { State } from './automaton.ts';
import type { Node } from './project-schema.ts';

/** Whether a value in this state is in the result. `sometimes`: only an object, or only a list. */
type Fate = 'always' | 'sometimes' | 'never';

function fateOf(state: State): Fate {
  if (state.is_dropped) return 'never';
  if (state.is_selected) return 'always';
  return state.selects_members || state.selects_items ? 'sometimes' : 'never';
}

export function projectMembers(node: Node): SchemaObject {
  const { schema, state, redact, is_untouched, project } = node;
  const made: SchemaObject = {};
  const properties = isObject(schema.properties) ? schema.properties : {};
  const isRenamed = (name: string) => redact !== null && redact(name) !== name;
  const kept = Object.entries(properties).filter(
    ([name]) => !isRenamed(name) && fateOf(state.member(name)) !== 'never',
  );
  if (isObject(schema.properties))
    made.properties = Object.fromEntries(kept.map(([name, child]) => [name, project(child, state.member(name))]));
  if (Array.isArray(schema.required)) {
    const isSure = (name: unknown) =>
      typeof name === 'string' && !isRenamed(name) && isAlwaysThere(node, name, properties);
    const required = schema.required.filter(isSure);
    if (required.length > 0) made.required = required;
  }
  projectOtherMembers(node, made, Object.keys(properties).some(isRenamed));
  if (schema.maxProperties !== undefined) made.maxProperties = schema.maxProperties;
  if (schema.minProperties !== undefined && state.is_plain) made.minProperties = schema.minProperties;
  if (is_untouched) {
    if (schema.dependentRequired !== undefined) made.dependentRequired = schema.dependentRequired;
    for (const keyword of ['propertyNames', 'unevaluatedProperties'])
      if (schema[keyword] !== undefined) made[keyword] = project(schema[keyword], state);
    if (isObject(schema.dependentSchemas))
      made.dependentSchemas = mapValues(schema.dependentSchemas, (child) => project(child, state));
  }
  return made;
}

function isAlwaysThere({ state, resolve }: Node, name: string, properties: SchemaObject): boolean {
  const child = state.member(name);
  const fate = fateOf(child);
  if (fate !== 'sometimes') return fate === 'always';
  const schema = Object.hasOwn(properties, name) ? resolve(properties[name]) : undefined;
  const types = isObject(schema) && schema.nullable !== true ? [schema.type].flat() : [undefined];
  return types.every(
    (type) => (type === 'object' && child.selects_members) || (type === 'array' && child.selects_items),
  );
}

/** A detector may give any member another name, which no pattern knows. */
function projectOtherMembers({ schema, state, redact, project }: Node, made: SchemaObject, has_renamed: boolean): void {
  const { patternProperties: patterns, additionalProperties: others } = schema;
  const known = isObject(schema.properties) ? schema.properties : {};
  const isAnyKnown = [...state.named].every((name) => Object.hasOwn(known, name));
  const projectAny = (child: unknown): Schema =>
    fateOf(state.other()) === 'never' ? true : project(child, state.other());
  if (isObject(patterns))
    // A name may be that of a path and match the pattern, too.
    made.patternProperties = mapValues(patterns, (child) => (state.named.size > 0 ? true : projectAny(child)));
  if (others === undefined || (redact !== null && (has_renamed || isObject(patterns)))) return;
  if (others === false) made.additionalProperties = false;
  else if (isAnyKnown) made.additionalProperties = projectAny(others);
}

export function projectList(node: Node): SchemaObject {
  const { schema, state, redact, has_budget, is_untouched, project } = node;
  const made: SchemaObject = {};
  const child = state.item();
  const fate = fateOf(child);
  const { prefixItems, items } = schema;
  if (fate === 'always' || (fate === 'sometimes' && prefixItems === undefined)) {
    if (Array.isArray(prefixItems)) made.prefixItems = prefixItems.map((each) => project(each, child));
    if (items !== undefined) made.items = project(items, child);
  }
  if (schema.maxItems !== undefined) made.maxItems = schema.maxItems;
  const is_whole = fate === 'always' && !has_budget && state.max_items === Number.POSITIVE_INFINITY;
  if (schema.minItems !== undefined && is_whole) made.minItems = schema.minItems;
  // Items that differ may become the same.
  const are_items_whole = child.is_plain && !child.is_redacted && child.max_items === Number.POSITIVE_INFINITY;
  if (schema.uniqueItems !== undefined && are_items_whole && redact === null && !has_budget)
    made.uniqueItems = schema.uniqueItems;
  if (is_untouched) {
    for (const keyword of ['minContains', 'maxContains'])
      if (schema[keyword] !== undefined) made[keyword] = schema[keyword];
    for (const keyword of ['contains', 'unevaluatedItems'])
      if (schema[keyword] !== undefined) made[keyword] = project(schema[keyword], child);
  }
  return made;
}

const mapValues = (map: SchemaObject, change: (value: unknown) => Schema): SchemaObject =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value)]));
