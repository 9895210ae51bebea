// `unevaluatedProperties` and `unevaluatedItems`: which other keywords evaluate a member or an item of the same value, and
// under which conditions. Ajv's own versions are wrong beside `contains`, `if` and nested `items`, so ours replace them.

import { isObject, resolvePointer, type Schema, type SchemaObject } from './keywords.ts';

/** When the keywords of a source count: a schema is valid for the value, or is not, or a member exists. */
export type Condition = { guard: number; is_valid: boolean } | { has: string };

/** The keywords of one schema that evaluate members or items. */
export type Source = {
  conditions: Condition[];
  /** Every member, or every item. */
  all?: true;
  names?: string[];
  patterns?: string[];
  /** So many items from the first. */
  first?: number;
  /** Items that are valid for this schema, by its place in `contained`. */
  contained?: number;
};

/** `guards` are tried on the value itself, `contained` on each of its items. */
export type EvaluationPlan = { sources: Source[]; guards: SchemaObject[]; contained: Schema[] };

export type UnevaluatedKeyword = 'unevaluatedProperties' | 'unevaluatedItems';

/** How many schemas one such keyword may have to look through. */
const max_steps = 500;

export function planEvaluation(root: SchemaObject, top: SchemaObject, keyword: UnevaluatedKeyword): EvaluationPlan {
  const plan: EvaluationPlan = { sources: [], guards: [], contained: [] };
  const seen = new Map<Schema, Set<string>>();
  let steps = 0;

  const guardedBy = (schema: SchemaObject, is_valid = true): Condition => {
    const known = plan.guards.indexOf(schema);
    return { guard: known === -1 ? plan.guards.push(schema) - 1 : known, is_valid };
  };
  const visit = (schema: unknown, conditions: Condition[]): void => {
    if (!isObject(schema) || !isNew(schema, conditions)) return;
    if (++steps > max_steps) throw new Error(`${keyword} is next to too many alternatives`);
    const source = keyword === 'unevaluatedItems' ? itemSource(schema, plan) : memberSource(schema);
    if (keyword in schema && schema !== top) source.all = true;
    if (Object.keys(source).length > 0) plan.sources.push({ conditions, ...source });
    for (const child of schemasIn(schema.allOf)) visit(child, conditions);
    if (typeof schema.$ref === 'string') visit(resolvePointer(root, schema.$ref), conditions);
    for (const child of [...schemasIn(schema.anyOf), ...schemasIn(schema.oneOf)])
      if (isObject(child)) visit(child, and(conditions, guardedBy(child)));
    visitIf(schema, conditions);
    for (const dependent of [schema.dependentSchemas, schema.dependencies])
      if (isObject(dependent))
        for (const [has, child] of Object.entries(dependent)) visit(child, and(conditions, { has }));
  };
  const visitIf = (schema: SchemaObject, conditions: Condition[]): void => {
    if (schema.if === true) visit(schema.then, conditions);
    if (schema.if === false) visit(schema.else, conditions);
    if (!isObject(schema.if)) return;
    for (const child of [schema.if, schema.then]) visit(child, and(conditions, guardedBy(schema.if)));
    visit(schema.else, and(conditions, guardedBy(schema.if, false)));
  };
  const isNew = (schema: Schema, conditions: Condition[]): boolean => {
    const key = conditions
      .map((each) => JSON.stringify(each))
      .sort()
      .join();
    const known = seen.get(schema) ?? new Set();
    if (known.has(key)) return false;
    seen.set(schema, known.add(key));
    return true;
  };
  visit(top, []);
  return plan;
}

function memberSource(schema: SchemaObject): Omit<Source, 'conditions'> {
  const source: Omit<Source, 'conditions'> = {};
  if ('additionalProperties' in schema) source.all = true;
  if (isObject(schema.properties)) source.names = Object.keys(schema.properties);
  if (isObject(schema.patternProperties)) source.patterns = Object.keys(schema.patternProperties);
  return source;
}

function itemSource(schema: SchemaObject, plan: EvaluationPlan): Omit<Source, 'conditions'> {
  const source: Omit<Source, 'conditions'> = {};
  if ('items' in schema) source.all = true;
  if (Array.isArray(schema.prefixItems)) source.first = schema.prefixItems.length;
  if (schema.contains === true) source.all = true;
  if (isObject(schema.contains)) source.contained = plan.contained.push(schema.contains) - 1;
  return source;
}

function and(conditions: Condition[], added: Condition): Condition[] {
  const text = JSON.stringify(added);
  return conditions.some((each) => JSON.stringify(each) === text) ? conditions : [...conditions, added];
}

const schemasIn = (list: unknown): unknown[] => (Array.isArray(list) ? list : []);
