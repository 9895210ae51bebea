// References inside an OpenAPI document. Parameters and bodies are looked up; schemas keep their references, pointing to
// copies under `$defs`, so that a schema that contains itself stays finite.

import { isObject, type SchemaObject } from '../schema/keywords.ts';

/** Why an operation cannot become a tool; what is said goes into the answer. */
export class NotATool extends Error {}

const LONGEST_CHAIN = 10;
const MOST_NODES = 5_000;
const DEEPEST = 64;

/** What stands here, or what a reference here leads to. */
export function lookUp(document: SchemaObject, value: unknown): SchemaObject {
  let at = value;
  for (let step = 0; isObject(at) && typeof at.$ref === 'string'; step += 1) {
    if (step === LONGEST_CHAIN) throw new NotATool('a reference leads in a circle');
    at = follow(document, at.$ref);
  }
  if (!isObject(at)) throw new NotATool('a part of it is not an object');
  return at;
}

function follow(document: SchemaObject, reference: string): unknown {
  if (!reference.startsWith('#/')) throw new NotATool(`refers to another document: ${reference.slice(0, 100)}`);
  let at: unknown = document;
  for (const step of reference.slice(2).split('/').map(decodeStep)) {
    at = typeof at === 'object' && at !== null && Object.hasOwn(at, step) ? at[step as keyof typeof at] : undefined;
  }
  if (at === undefined) throw new NotATool(`refers to what is not there: ${reference.slice(0, 100)}`);
  return at;
}

function decodeStep(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return step;
  }
}

export type SchemaCopier = { copy(schema: unknown): unknown; defs: Record<string, unknown> };

/** Copies schemas out of the document; what they refer to gathers in `defs`. */
export function schemaCopier(document: SchemaObject): SchemaCopier {
  const names = new Map<string, string>();
  const defs: Record<string, unknown> = {};
  let nodes = 0;

  function copy(value: unknown, depth = 0): unknown {
    nodes += 1;
    if (nodes > MOST_NODES || depth > DEEPEST) throw new NotATool('its schemas are too large');
    if (Array.isArray(value)) return value.map((item) => copy(item, depth + 1));
    if (!isObject(value)) return value;
    if (typeof value.$ref === 'string') {
      const $ref = `#/$defs/${nameOf(value.$ref)}`;
      return typeof value.description === 'string' ? { $ref, description: value.description } : { $ref };
    }
    const copied = Object.entries(value).map(([name, member]) => [name, copy(member, depth + 1)] as const);
    return modern(Object.fromEntries(copied));
  }

  function nameOf(reference: string): string {
    const known = names.get(reference);
    if (known !== undefined) return known;
    const wanted = reference.slice(reference.lastIndexOf('/') + 1).replace(/[^A-Za-z0-9_.-]/g, '_') || 'schema';
    let name = wanted;
    for (let count = 2; Object.hasOwn(defs, name); count += 1) name = `${wanted}_${count}`;
    names.set(reference, name);
    defs[name] = true; // holds the name while what it refers to may refer to it
    defs[name] = copy(follow(document, reference));
    return name;
  }

  return { copy: (schema) => copy(schema), defs };
}

/** OpenAPI 3.0 wrote exclusive bounds as a boolean beside the bound. */
function modern(schema: SchemaObject): SchemaObject {
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (typeof schema[exclusive] !== 'boolean') continue;
    if (schema[exclusive] && typeof schema[bound] === 'number') {
      schema[exclusive] = schema[bound];
      delete schema[bound];
    } else delete schema[exclusive];
  }
  return schema;
}
