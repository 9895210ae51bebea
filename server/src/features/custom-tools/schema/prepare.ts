// The schema as it is given to the compiler: only what decides validity, a price on every check, and cut into functions
// small enough that the engine never parses deeply nested code, which takes it quadratic time.

import { isObject, mapSchema, resolvePointer, type Schema, type SchemaObject, subschemasOf } from './keywords.ts';
import { formats } from './runtime.ts';

/** In units of the meter. `sized`: the price also grows with the value. */
export type Cost = { units: number; sized: boolean };

/** As many subschemas go into one function; those beyond become functions of their own. */
const max_inline_nodes = 40;

export function prepareSchema(root: SchemaObject): SchemaObject {
  const targets = new Set(referencedIn(root, root));
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

function priced(schema: SchemaObject): SchemaObject {
  // Ajv takes a name inherited from Object.prototype for a format, and throws at `nullable` without `type`.
  if (!Object.hasOwn(formats, String(schema.format))) delete schema.format;
  if (schema.type === undefined) delete schema.nullable;
  const cost = costOf(schema);
  return cost ? { ...schema, $work: cost } : schema;
}

/** Keywords that go through every character, item or name of the value. */
const sizedKeywords = [
  ...['minLength', 'maxLength', 'format', 'items', 'contains', 'unevaluatedItems', 'minProperties', 'maxProperties'],
  ...['additionalProperties', 'patternProperties', 'propertyNames', 'unevaluatedProperties'],
];

/** A leaf such as `{type: 'string'}` has no price of its own: the schema around it pays for looking into it. */
function costOf(schema: SchemaObject): Cost | null {
  const children = subschemasOf(schema).length + ('$ref' in schema ? 1 : 0);
  const compared = [schema.enum, schema.const, schema.required, schema.dependentRequired, schema.dependencies];
  const values = compared.reduce<number>((sum, value) => sum + countValues(value), 0);
  const sized = sizedKeywords.some((keyword) => keyword in schema);
  return children + values > 0 || sized ? { units: 4 * (1 + children) + values, sized } : null;
}

function countValues(value: unknown): number {
  if (value === undefined) return 0;
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, member) => sum + countValues(member), 1);
}
