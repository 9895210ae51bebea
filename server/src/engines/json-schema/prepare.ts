// The schema as it is given to the compiler: only what decides validity, a price on every check, and cut into functions
// small enough that the engine never parses deeply nested code, which takes it quadratic time.

import { formats } from './formats.ts';
import { isObject, mapSchema, resolvePointer, type Schema, type SchemaObject, subschemasOf } from './keywords.ts';
import { type EvaluationPlan, planEvaluation, type Source, type UnevaluatedKeyword } from './unevaluated.ts';

/** In units of the meter. `sized`: the price also grows with the value. */
export type Cost = { units: number; sized: boolean };

/** What replaces the value of `unevaluatedProperties` and `unevaluatedItems`. `guards` is how many there are. */
export type Unevaluated = {
  schema: Schema;
  sources: Source[];
  guards: number;
  [part: `guard${number}` | `contained${number}`]: SchemaObject;
};

type Plan = EvaluationPlan & { schema: SchemaObject; keyword: UnevaluatedKeyword };

/** As many subschemas go into one function; those beyond become functions of their own. */
const max_inline_nodes = 40;

export function prepareSchema(root: SchemaObject): SchemaObject {
  const plans = plansIn(root, root);
  // Used where they stand, and again to find out what they evaluate.
  const usedTwice = plans.flatMap(({ guards, contained }) => [...guards, ...contained]);
  const targets = new Set([...referencedIn(root, root), ...usedTwice]);
  const pointers = new Map<Schema, string>([[root, '#']]);
  const $defs: SchemaObject = {};

  const refer = (schema: Schema, body?: SchemaObject): SchemaObject => {
    let pointer = pointers.get(schema);
    if (pointer === undefined) {
      const name = String(pointers.size);
      pointer = `#/$defs/${name}`;
      pointers.set(schema, pointer);
      $defs[name] = body ?? (isObject(schema) ? prepare(schema).body : schema);
    }
    return priced({ $ref: pointer });
  };
  const prepare = (schema: SchemaObject): { body: SchemaObject; nodes: number } => {
    let nodes = 1;
    const { $defs: _moved, definitions: _movedToo, ...rest } = schema;
    const body = mapSchema(rest, (child) => {
      if (targets.has(child)) return refer(child);
      const inner = prepare(child);
      const own = inner.nodes > 1 && nodes + inner.nodes > max_inline_nodes;
      nodes += own ? 1 : inner.nodes;
      return own ? refer(child, inner.body) : inner.body;
    });
    const target = typeof body.$ref === 'string' ? resolvePointer(root, body.$ref) : undefined;
    if (target !== undefined) body.$ref = refer(target).$ref;
    for (const plan of plans) if (plan.schema === schema) replaceUnevaluated(body, plan, refer);
    return { body: priced(body), nodes };
  };
  const { body } = prepare(root);
  return { ...body, $defs };
}

function referencedIn(schema: SchemaObject, root: SchemaObject): Schema[] {
  const target = typeof schema.$ref === 'string' ? resolvePointer(root, schema.$ref) : undefined;
  const inside = subschemasOf(schema).flatMap(([, child]) => (isObject(child) ? referencedIn(child, root) : []));
  return target === undefined ? inside : [target, ...inside];
}

/** For each schema that has one of the two keywords. */
function plansIn(schema: SchemaObject, root: SchemaObject, plans: Plan[] = []): Plan[] {
  for (const keyword of ['unevaluatedProperties', 'unevaluatedItems'] as const)
    if (keyword in schema) plans.push({ schema, keyword, ...planEvaluation(root, schema, keyword) });
  for (const [, child] of subschemasOf(schema)) if (isObject(child)) plansIn(child, root, plans);
  return plans;
}

function replaceUnevaluated(body: SchemaObject, plan: Plan, refer: (schema: Schema) => SchemaObject): void {
  const { keyword, sources, guards, contained } = plan;
  const unevaluated: Unevaluated = { schema: body[keyword] as Schema, sources, guards: guards.length };
  for (const [index, guard] of guards.entries()) unevaluated[`guard${index}`] = refer(guard);
  for (const [index, schema] of contained.entries()) unevaluated[`contained${index}`] = refer(schema);
  const isAlwaysEvaluated = sources.some(({ all, conditions }) => all && conditions.length === 0);
  if (unevaluated.schema === true || isAlwaysEvaluated) delete body[keyword];
  else body[keyword] = unevaluated;
}

function priced(schema: SchemaObject): SchemaObject {
  // Ajv takes a name inherited from Object.prototype for a format, and throws at `nullable` without `type`.
  if (!Object.hasOwn(formats, String(schema.format))) delete schema.format;
  if (schema.type === undefined) delete schema.nullable;
  const cost = costOf(schema);
  return cost ? { ...schema, $work: cost } : schema;
}

/** Keywords that go through every character, item or name of the value. */
const sizedKeywords = [
  ...['minLength', 'maxLength', 'items', 'contains', 'unevaluatedItems', 'minProperties', 'maxProperties'],
  ...['additionalProperties', 'patternProperties', 'propertyNames', 'unevaluatedProperties'],
];

/** A leaf such as `{type: 'string'}` has no price of its own: the schema around it pays for looking into it. */
function costOf(schema: SchemaObject): Cost | null {
  // A reference is a call, which copies the errors found so far when it fails.
  const children = subschemasOf(schema).length + ('$ref' in schema ? 3 : 0);
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, dependencies } = schema;
  const compared = [schema.enum, schema.const, schema.required, schema.dependentRequired, dependencies];
  const limits = [minimum, maximum, exclusiveMinimum, exclusiveMaximum];
  const values = [...compared, ...limits].reduce<number>((sum, value) => sum + countValues(value), 0);
  const sized = sizedKeywords.some((keyword) => keyword in schema);
  return children + values > 0 || sized ? { units: 4 * (1 + children) + 2 * values, sized } : null;
}

function countValues(value: unknown): number {
  if (value === undefined) return 0;
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, member) => sum + countValues(member), 1);
}
