// References inside an OpenAPI document. Parameters and bodies are looked up; schemas keep their references, pointing to
// copies under `$defs`, so that a schema that contains itself stays finite.

import { isObject, type SchemaObject } from '../../../engines/json-schema/keywords.ts';
import { invalidField } from '../../../errors/errors.ts';
import { freeNames } from './free-names.ts';

/** Why an operation cannot become a tool; what is said goes into the response. */
export class NotATool extends Error {}

const TOO_LARGE = 'its schemas are too large';

/** It may become one with less of its schemas. */
export class TooLarge extends NotATool {
  constructor() {
    super(TOO_LARGE);
  }
}

const LONGEST_CHAIN = 10;
const LONGEST_REFERENCE = 1_000;
/** In its schemas, and in all: parts of a body may repeat each other without being copied. */
const MOST_NODES = 5_000;
const MOST_NODES_OF_OPERATION = 20_000;
/** Bounds the time that one document takes: some seconds. */
const MOST_NODES_OF_ALL = 10_000_000;
const DEEPEST = 64;
/** Longer lists are not compared item by item (schema/check.ts); the customer's API still refuses repeated ones. */
const MAX_UNIQUE_ITEMS = 200;

/** One document being read. Parts that are used again are read again, so what is read is counted, over all operations. */
export type Reading = {
  document: SchemaObject;
  nodes_read: number;
  /** The count at which the operation that is being read has read too much. */
  operation_ends_at: number;
};

export const startReading = (document: SchemaObject): Reading => ({ document, nodes_read: 0, operation_ends_at: 0 });

export function startOperation(reading: Reading): void {
  reading.operation_ends_at = reading.nodes_read + MOST_NODES_OF_OPERATION;
}

/** What stands here, or what a reference here leads to. */
export function lookUp(reading: Reading, value: unknown): SchemaObject {
  let at = value;
  count(reading);
  for (let step = 0; isObject(at) && typeof at.$ref === 'string'; step += 1) {
    if (step === LONGEST_CHAIN) throw new NotATool('a reference is circular');
    at = follow(reading, at.$ref);
  }
  if (!isObject(at)) throw new NotATool('a part of it is not an object');
  return at;
}

/** Call for each part of the document that is looked at. */
export function count(reading: Reading): void {
  reading.nodes_read += 1;
  if (reading.nodes_read > reading.operation_ends_at) throw new NotATool(TOO_LARGE);
  if (reading.nodes_read > MOST_NODES_OF_ALL)
    throw invalidField(
      'document',
      'its operations use too many schemas together: select some with include or exclude',
      {
        reason: 'document_too_large',
      },
    );
}

function follow(reading: Reading, reference: string): unknown {
  count(reading);
  if (reference.length > LONGEST_REFERENCE) throw new NotATool('has a reference that is too long');
  if (!reference.startsWith('#/')) throw new NotATool(`refers to another document: ${reference.slice(0, 100)}`);
  let at: unknown = reading.document;
  for (const step of reference.slice(2).split('/').map(decodeStep)) {
    at = typeof at === 'object' && at !== null && Object.hasOwn(at, step) ? at[step as keyof typeof at] : undefined;
  }
  if (at === undefined) throw new NotATool(`refers to something that does not exist: ${reference.slice(0, 100)}`);
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

/** Makes the copy of one object that is no reference; `copy` copies its parts. */
export type CopyObject = (value: SchemaObject, copy: (part: unknown) => unknown) => SchemaObject;

type Bounds = {
  most_nodes: number;
  /** What is copied differently at different levels has a copy for each. */
  level(): number;
};

const wholeBounds: Bounds = { most_nodes: MOST_NODES, level: () => 0 };

/** Copies schemas out of the document; what they refer to gathers in `defs`. */
export function schemaCopier(
  reading: Reading,
  copyObject: CopyObject = copyAll,
  { most_nodes, level }: Bounds = wholeBounds,
): SchemaCopier {
  const names = new Map<string, string>();
  const defs: Record<string, unknown> = {};
  const freeName = freeNames((name) => Object.hasOwn(defs, name), LONGEST_REFERENCE);
  let nodes = 0;

  function copy(value: unknown, depth = 0): unknown {
    count(reading);
    nodes += 1;
    if (nodes > most_nodes || depth > DEEPEST) throw new TooLarge();
    if (Array.isArray(value)) return value.map((item) => copy(item, depth + 1));
    if (!isObject(value)) return value;
    refusePrototype(value);
    if (typeof value.$ref === 'string') {
      const $ref = `#/$defs/${nameOf(value.$ref)}`;
      return typeof value.description === 'string' ? { $ref, description: value.description } : { $ref };
    }
    return copyObject(value, (part) => copy(part, depth + 1));
  }

  function nameOf(reference: string): string {
    const place = `${level()} ${reference}`;
    const known = names.get(place);
    if (known !== undefined) return known;
    const wanted = reference.slice(reference.lastIndexOf('/') + 1).replace(/[^A-Za-z0-9_.-]/g, '_') || 'schema';
    const name = freeName(wanted === '__proto__' ? 'schema' : wanted);
    names.set(place, name);
    defs[name] = true; // holds the name while what it refers to may refer to it
    defs[name] = copy(follow(reading, reference));
    return name;
  }

  return { copy: (schema) => copy(schema), defs };
}

function copyAll(value: SchemaObject, copy: (part: unknown) => unknown): SchemaObject {
  return modern(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member)] as const)));
}

/** JSON with such a member is refused as a whole; YAML is not. */
export function refusePrototype(members: SchemaObject): void {
  if (Object.hasOwn(members, '__proto__')) throw new NotATool('has a field named __proto__');
}

/** OpenAPI 3.0 wrote exclusive bounds as a boolean beside the bound. Some generators write `uniqueItems` beside every type. */
function modern(schema: SchemaObject): SchemaObject {
  if (schema.uniqueItems === true && !(typeof schema.maxItems === 'number' && schema.maxItems <= MAX_UNIQUE_ITEMS))
    delete schema.uniqueItems;
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
