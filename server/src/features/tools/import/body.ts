// The body of an operation as arguments, and in which format they become the body again.

import { type BodyEncoding, isJsonMediaType, isMediaType } from '@toolgate/contract/custom-tools/body-format.ts';
import type { CustomToolDefinition } from '@toolgate/contract/custom-tools/custom-tool.ts';
import { isObject, type SchemaObject } from '../../../engines/json-schema/keywords.ts';
import { encodingOf } from './body-encoding.ts';
import { fileArgument, fileSchemaOf, isFileType } from './file-schema.ts';
import { count, lookUp, NotATool, type Reading, refusePrototype, type SchemaCopier } from './references.ts';

/** The schemas of each member: several where the forms of a body differ. */
type Members = { schemas: Map<string, unknown[]>; required: Set<string> };

/** What a tool says about its body. */
export type BodyFields = Partial<
  Pick<CustomToolDefinition, 'body_format' | 'body_encoding' | 'body_argument' | 'body_content_type'>
>;

export type BodyArguments = { properties: Map<string, unknown>; required: Set<string>; fields: BodyFields };

const DEEPEST = 10;
/** For one member, in the forms of a body. */
const MOST_VARIANTS = 10;
/** Of one body. */
const MOST_TYPES = 100;
const FORM = /^application\/x-www-form-urlencoded\b/i;
const MULTIPART = /^multipart\/form-data\b/i;

/** Whether a media type of the document includes JSON. */
export const isJsonType = (type: string) => /^(?:application\/(?:[\w.-]+\+)?json\b|\*\/\*)/i.test(type);

/** In this order, the types that a body may have: the first is taken. */
const PREFERRED = [isJsonType, (type: string) => FORM.test(type), (type: string) => MULTIPART.test(type)];

export function bodyArguments(reading: Reading, operation: SchemaObject, copier: SchemaCopier): BodyArguments {
  const found = bodyOf(reading, operation);
  if (!found) return { properties: new Map(), required: new Set(), fields: {} };
  const { type, schema, encoding, is_required } = found;
  const isForm = FORM.test(type) || MULTIPART.test(type);
  const isMembers = (isForm || isJsonType(type)) && canBeMembers(reading, schema);
  if (!isMembers) {
    const file = isJsonType(type) ? null : fileBody(reading, type, schema);
    return rawBody(type, file ?? copier.copy(schema), { is_required, is_file: file !== null });
  }
  const body = membersAsArguments(reading, lookUp(reading, schema), copier);
  if (!isForm) return { ...body, fields: {} };
  const body_format = FORM.test(type) ? ('form' as const) : ('multipart' as const);
  const entries = [...body.properties].flatMap(([name, copied]): [string, BodyEncoding][] => {
    const given = isObject(encoding) && Object.hasOwn(encoding, name) ? encoding[name] : undefined;
    const made = encodingOf(body_format, given, copied, copier.defs);
    return made === null ? [] : [[name, made]];
  });
  return { ...body, fields: { body_format, body_encoding: Object.fromEntries(entries) } };
}

/** The members of a form alone: what a DELETE would send as its body goes to its query. */
export function formArguments(reading: Reading, operation: SchemaObject, copier: SchemaCopier): BodyArguments {
  const found = bodyOf(reading, operation);
  const isForm = found !== null && FORM.test(found.type) && canBeMembers(reading, found.schema);
  if (!isForm) return { properties: new Map(), required: new Set(), fields: {} };
  return { ...membersAsArguments(reading, lookUp(reading, found.schema), copier), fields: {} };
}

type FoundBody = { type: string; schema: unknown; encoding: unknown; is_required: boolean };

function bodyOf(reading: Reading, operation: SchemaObject): FoundBody | null {
  if (operation.requestBody === undefined) return null;
  const { content, required } = lookUp(reading, operation.requestBody);
  const entries = isObject(content) ? Object.entries(content).slice(0, MOST_TYPES) : [];
  const isText = (type: string) => /^text\//i.test(type);
  const tests = [...PREFERRED, isText, () => true];
  const entry = tests.map((test) => entries.find(([type]) => test(type))).find((each) => each !== undefined);
  if (!entry) return null;
  const [type, media] = entry;
  if (!isObject(media)) return { type, schema: {}, encoding: null, is_required: required === true };
  const isAny = isJsonType(type) || FORM.test(type) || MULTIPART.test(type);
  const schema = media.schema ?? (isAny ? { type: 'object' } : {});
  return { type, schema, encoding: media.encoding, is_required: required === true };
}

/** False: it is one value that is no object, such as a list. */
function canBeMembers(reading: Reading, schema: unknown, depth = 0): boolean {
  const body = lookUp(reading, schema);
  if (depth > DEEPEST) throw new NotATool('has a body whose parts are nested too deep');
  if (!mayBeObject(body)) return false;
  const isFine = (part: unknown) => canBeMembers(reading, part, depth + 1);
  const forms = [listIn(body.oneOf), listIn(body.anyOf)].filter((list) => list.length > 0);
  return listIn(body.allOf).every(isFine) && forms.every((list) => list.some(isFine));
}

/** One argument is the body. Its type is the one of the document, where that is a single one. */
function rawBody(
  type: string,
  copied: unknown,
  { is_required, is_file }: { is_required: boolean; is_file: boolean },
): BodyArguments {
  const isJson = isJsonType(type);
  const schema = isJson || is_file ? copied : textSchema(copied);
  // A file has a type of its own.
  const otherwise = isJson ? 'application/json' : is_file ? null : 'application/octet-stream';
  const body_content_type = isMediaType(type) ? type : otherwise;
  return {
    properties: new Map([['body', describeJson(schema, isJsonMediaType(body_content_type ?? ''))]]),
    required: new Set(is_required || isJson ? ['body'] : []),
    fields: { body_format: 'raw', body_argument: 'body', body_content_type },
  };
}

/** Null: the body is text. */
function fileBody(reading: Reading, type: string, schema: unknown): SchemaObject | null {
  const file = fileSchemaOf(reading, schema);
  if (file) return file;
  return isFileType(type) && isObject(schema) ? fileArgument(lookUp(reading, schema)) : null;
}

/** What is no JSON is given as text, whatever the document calls it. */
function textSchema(copied: unknown): SchemaObject {
  const { description } = isObject(copied) ? copied : {};
  return { type: 'string', ...(typeof description === 'string' ? { description } : {}) };
}

/** A string is sent as it is. */
const describeJson = (schema: unknown, isJson: boolean): unknown =>
  isJson && isObject(schema) && schema.type === 'string' && schema.description === undefined
    ? { ...schema, description: 'A JSON text, which is sent as it is' }
    : schema;

function membersAsArguments(reading: Reading, body: SchemaObject, copier: SchemaCopier) {
  const { schemas, required } = membersOf(reading, body);
  const properties = new Map<string, unknown>();
  for (const [name, variants] of schemas)
    properties.set(name, fileOf(reading, variants) ?? copyVariants(variants, copier));
  return { properties, required: new Set([...required].filter((name) => properties.has(name))) };
}

/** Null unless all forms of the member are files. */
function fileOf(reading: Reading, [first, ...others]: unknown[]): SchemaObject | null {
  const file = fileSchemaOf(reading, first);
  return file && others.every((each) => fileSchemaOf(reading, each) !== null) ? file : null;
}

/** All parts of `allOf`. The forms in `oneOf` and `anyOf` that are objects: a member of any form, required if it is in all. */
function membersOf(reading: Reading, body: SchemaObject, depth = 0): Members {
  if (depth > DEEPEST) throw new NotATool('has a body whose parts are nested too deep');
  const found: Members = { schemas: new Map(), required: new Set() };
  const inside = (part: SchemaObject) => membersOf(reading, part, depth + 1);
  for (const part of listIn(body.allOf)) addPart(reading, found, inside(lookUp(reading, part)));
  for (const forms of [listIn(body.oneOf), listIn(body.anyOf)]) {
    if (forms.length === 0) continue;
    const objects = forms.filter((form) => canBeMembers(reading, form, depth)).map((form) => lookUp(reading, form));
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
