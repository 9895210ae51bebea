// The members of an operation's JSON body, which become arguments, since the arguments become the body.

import { isObject, type SchemaObject } from '../../../json-schema/keywords.ts';
import { count, lookUp, NotATool, type Reading, refusePrototype, type SchemaCopier } from './references.ts';

/** The schemas of each member: several where the forms of a body differ. */
type Members = { schemas: Map<string, unknown[]>; required: Set<string> };

export type BodyArguments = { properties: Map<string, unknown>; required: Set<string> };

const DEEPEST = 10;
/** For one member, in the forms of a body. */
const MOST_VARIANTS = 10;

export function bodyArguments(reading: Reading, operation: SchemaObject, copier: SchemaCopier): BodyArguments {
  const body = bodyOf(reading, operation);
  const properties = new Map<string, unknown>();
  if (!body) return { properties, required: new Set() };
  const { schemas, required } = membersOf(reading, body);
  for (const [name, variants] of schemas) properties.set(name, copyVariants(variants, copier));
  return { properties, required: new Set([...required].filter((name) => properties.has(name))) };
}

function bodyOf(reading: Reading, operation: SchemaObject): SchemaObject | null {
  if (operation.requestBody === undefined) return null;
  const { content } = lookUp(reading, operation.requestBody);
  const entries = isObject(content) ? Object.entries(content) : [];
  const json = entries.find(([type]) => isJsonType(type));
  if (json) return lookUp(reading, isObject(json[1]) ? (json[1].schema ?? { type: 'object' }) : {});
  // Also where the body is optional: a tool without the fields of its body is of no use to a model.
  throw new NotATool(`takes a body of ${entries[0]?.[0].slice(0, 100) ?? 'an unknown type'}, not JSON`);
}

/** Whether a media type of the document includes JSON. */
export const isJsonType = (type: string) => /^(?:application\/(?:[\w.-]+\+)?json\b|\*\/\*)/i.test(type);

/** All parts of `allOf`. The forms in `oneOf` and `anyOf` that are objects: a member of any form, required if it is in all. */
function membersOf(reading: Reading, body: SchemaObject, depth = 0): Members {
  if (depth > DEEPEST) throw new NotATool('has a body whose parts are nested too deep');
  if (!mayBeObject(body)) throw new NotATool('takes a body that is not one JSON object');
  const found: Members = { schemas: new Map(), required: new Set() };
  const inside = (part: SchemaObject) => membersOf(reading, part, depth + 1);
  for (const part of listIn(body.allOf)) addPart(reading, found, inside(lookUp(reading, part)));
  for (const forms of [listIn(body.oneOf), listIn(body.anyOf)]) {
    if (forms.length === 0) continue;
    const objects = forms.map((form) => lookUp(reading, form)).filter(mayBeObject);
    if (objects.length === 0) throw new NotATool('takes a body that is not one JSON object');
    addForms(reading, found, objects.map(inside));
  }
  const { properties, required } = body;
  if (isObject(properties)) {
    refusePrototype(properties);
    for (const [name, schema] of Object.entries(properties)) {
      count(reading);
      if (!(isObject(schema) && schema.readOnly === true)) found.schemas.set(name, [schema]);
    }
  }
  for (const name of listIn(required)) if (typeof name === 'string') found.required.add(name);
  return found;
}

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const mayBeObject = ({ type = 'object' }: SchemaObject) => [type].flat().includes('object');

function addPart(reading: Reading, found: Members, { schemas, required }: Members): void {
  for (const [name, variants] of schemas) {
    count(reading);
    found.schemas.set(name, variants);
  }
  for (const name of required) found.required.add(name);
}

function addForms(reading: Reading, found: Members, forms: Members[]): void {
  const merged = new Map<string, unknown[]>();
  for (const { schemas } of forms)
    for (const [name, variants] of schemas) {
      count(reading);
      merged.set(name, [...(merged.get(name) ?? []), ...variants].slice(0, MOST_VARIANTS + 1));
    }
  for (const [name, variants] of merged) found.schemas.set(name, variants);
  const [first, ...others] = forms;
  for (const name of first?.required ?? [])
    if (others.every(({ required }) => required.has(name))) found.required.add(name);
}

function copyVariants(variants: unknown[], copier: SchemaCopier): unknown {
  if (variants.length > MOST_VARIANTS) return {};
  const [first, ...others] = variants.map((schema) => copier.copy(schema));
  const texts = new Set([JSON.stringify(first)]);
  const different = others.filter((schema) => !texts.has(JSON.stringify(schema)) && texts.add(JSON.stringify(schema)));
  return different.length === 0 ? first : { anyOf: [first, ...different] };
}
