// The keywords of JSON Schema 2020-12 that decide whether a value is valid, and where their subschemas are.
// Everything else (title, example, x-…, OpenAPI's additions) is kept with the tool and has no effect here.

export type SchemaObject = { [keyword: string]: unknown };
export type Schema = SchemaObject | boolean;

/** The steps to a subschema: `['properties', 'a', 'items']`. */
export type SchemaPath = readonly string[];

const withSchema = [
  ...['not', 'if', 'then', 'else', 'items', 'contains', 'additionalProperties', 'propertyNames'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
];
const withList = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
// `definitions` and `dependencies` are the draft-07 names, which many generators still write.
const withMap = ['properties', 'patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions'];

/** Checks without subschemas. `nullable` is OpenAPI 3.0's; who writes it means it. */
const plainKeywords: readonly string[] = [
  ...['type', 'enum', 'const', 'multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  ...[
    'maxLength',
    'minLength',
    'pattern',
    'format',
    'maxItems',
    'minItems',
    'uniqueItems',
    'maxContains',
    'minContains',
  ],
  ...['maxProperties', 'minProperties', 'required', 'dependentRequired', '$ref', 'nullable'],
];

export function isObject(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The schemas directly inside this one, with the path to each. Members of the wrong shape are left to the meta-schema. */
export function subschemasOf(schema: SchemaObject): [SchemaPath, Schema][] {
  const found: [SchemaPath, Schema][] = [];
  const add = (path: SchemaPath, value: unknown) => {
    if (isObject(value) || typeof value === 'boolean') found.push([path, value]);
  };
  for (const keyword of withSchema) add([keyword], schema[keyword]);
  for (const keyword of withList) {
    const list = schema[keyword];
    if (Array.isArray(list)) for (const [index, value] of list.entries()) add([keyword, String(index)], value);
  }
  for (const keyword of withMap) {
    const map = schema[keyword];
    if (isObject(map)) for (const [name, value] of Object.entries(map)) add([keyword, name], value);
  }
  return found;
}

/** A copy with only what decides validity, each subschema replaced by what `change` makes of it. */
export function mapSchema(schema: SchemaObject, change: (child: SchemaObject) => SchemaObject): SchemaObject {
  const changed = (value: unknown) => (isObject(value) ? change(value) : value);
  const copy: SchemaObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (plainKeywords.includes(keyword)) copy[keyword] = value;
    else if (withSchema.includes(keyword)) copy[keyword] = changed(value);
    else if (withList.includes(keyword) && Array.isArray(value)) copy[keyword] = value.map(changed);
    else if (withMap.includes(keyword) && isObject(value))
      copy[keyword] = Object.fromEntries(Object.entries(value).map(([name, child]) => [name, changed(child)]));
  }
  return copy;
}

/** What a reference inside the schema (`#`, `#/$defs/a`) points to, or undefined. */
export function resolvePointer(root: SchemaObject, pointer: string): Schema | undefined {
  let at: unknown = root;
  for (const step of pointerPath(pointer) ?? ['']) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = at[step as keyof typeof at];
  }
  return isObject(at) || typeof at === 'boolean' ? at : undefined;
}

/** `#/$defs/a~1b` → `['$defs', 'a/b']`; null for anything but a pointer into this same schema. */
function pointerPath(pointer: string): string[] | null {
  if (pointer === '#') return [];
  if (!pointer.startsWith('#/')) return null;
  try {
    const steps = decodeURIComponent(pointer.slice(2)).split('/');
    return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  } catch {
    return null;
  }
}

/** Every `$ref` in the schema. */
export function referencesOf(schema: SchemaObject): string[] {
  const inside = subschemasOf(schema).flatMap(([, child]) => (isObject(child) ? referencesOf(child) : []));
  return typeof schema.$ref === 'string' ? [schema.$ref, ...inside] : inside;
}

/** A copy with every `$ref` replaced by what `change` makes of it. Members that hold no schema are kept as they are. */
export function mapReferences(schema: SchemaObject, change: (pointer: string) => string): SchemaObject {
  const changed = (value: unknown) => (isObject(value) ? mapReferences(value, change) : value);
  const copy: SchemaObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === '$ref' && typeof value === 'string') copy[keyword] = change(value);
    else if (withSchema.includes(keyword)) copy[keyword] = changed(value);
    else if (withList.includes(keyword) && Array.isArray(value)) copy[keyword] = value.map(changed);
    else if (withMap.includes(keyword) && isObject(value))
      copy[keyword] = Object.fromEntries(Object.entries(value).map(([name, child]) => [name, changed(child)]));
    else copy[keyword] = value;
  }
  return copy;
}
