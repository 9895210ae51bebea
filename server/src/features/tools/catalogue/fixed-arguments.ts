// Arguments that a tool sets itself: models neither see nor send them. They are checked when the tool is saved, so that a call needs
// no more than to merge them.

import { createHash } from 'node:crypto';
import type { CustomToolDefinition } from '@toolgate/contract/custom-tools/custom-tool.ts';
import { compileTemplate } from '@toolgate/contract/custom-tools/path-template.ts';
import { isReserved } from '@toolgate/contract/custom-tools/reserved-variables.ts';
import { MAX_FIXED_ARGUMENTS } from '@toolgate/contract/custom-tools/rules.ts';
import { isStorableJson } from '../../../database/storable-text.ts';
import {
  isObject,
  mapReferences,
  referencesOf,
  resolvePointer,
  type SchemaObject,
} from '../../../engines/json-schema/keywords.ts';
import type { Problem } from '../../../engines/json-schema/problem.ts';
import type { Validators } from '../../../engines/json-schema/validator.ts';
import { inexactNumbers } from '../../../engines/json-text/inexact-numbers.ts';
import { invalidField } from '../../../errors/errors.ts';
import { expandHeaders, splitHeaders } from '../expansion/expand-headers.ts';
import { expand } from '../expansion/expand-path.ts';
import { prepareBody } from '../expansion/prepare-body.ts';

const MAX_BYTES = 16 * 1024;

type Fixed = Pick<CustomToolDefinition, 'fixed_arguments' | 'input_schema'>;

const refuseArgument = (name: string, message: string): never => {
  throw invalidField(`fixed_arguments${name === '' ? '' : `.${name.slice(0, 128)}`}`, message);
};

/** Everything but whether the values match the schema, which has to be compiled for that. */
export function checkFixedArguments(definition: CustomToolDefinition): void {
  const { fixed_arguments, input_schema, source } = definition;
  const names = Object.keys(fixed_arguments);
  if (names.length === 0) return;
  if (names.length > MAX_FIXED_ARGUMENTS) refuseArgument('', `must be at most ${MAX_FIXED_ARGUMENTS}`);
  if (Buffer.byteLength(JSON.stringify(fixed_arguments)) > MAX_BYTES) refuseArgument('', 'must be at most 16 KiB');
  const references = referencesOf(input_schema);
  const referred = namesBehindReferences(input_schema);
  for (const name of names) {
    if (!isStorableJson({ [name]: fixed_arguments[name] }))
      refuseArgument(name, 'must not contain NUL or half of a surrogate pair');
    if (source === null && isReserved(name)) refuseArgument(name, 'is reserved: toolgate sets it');
    const pointer = `#/properties/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    // The listed schema would point to what it no longer has.
    if (references.some((each) => each === pointer || each.startsWith(`${pointer}/`)))
      refuseArgument(name, 'has a schema that another part of input_schema refers to: move it to $defs');
    // It would stay listed.
    if (referred.has(name))
      refuseArgument(name, 'is declared or required behind a $ref: declare or require it in input_schema itself');
  }
  const [inexact] = inexactNumbers(fixed_arguments);
  if (inexact !== undefined) refuseArgument(inexact, 'is a number that would lose precision');
  refuseRequestProblem(definition);
}

/** Values that cannot be part of the path, a header or the body. What callers give is not known yet. */
function refuseRequestProblem(definition: CustomToolDefinition): void {
  const { endpoint_path, headers, input_schema, fixed_arguments } = definition;
  const problems: Problem[] = [];
  expand(compileTemplate(endpoint_path), fixed_arguments, problems);
  expandHeaders(splitHeaders(headers, input_schema, fixed_arguments).templates, fixed_arguments, problems);
  prepareBody(definition)(fixed_arguments, problems);
  const problem = problems.find(({ field }) => Object.hasOwn(fixed_arguments, field));
  if (problem) refuseArgument(problem.field, problem.message);
}

/** Whose schemas are compiled, and where. */
export type CompileContext = { validators: Validators; fairness_key: string };

/** Refuses values that the schema of their argument does not allow. Other arguments may be missing: the caller gives them. */
export async function checkFixedValues(
  { validators, fairness_key }: CompileContext,
  { fixed_arguments, input_schema }: Fixed,
): Promise<void> {
  if (Object.keys(fixed_arguments).length === 0) return;
  const schema = schemaOfSome(input_schema);
  const hash = createHash('sha256').update(JSON.stringify(schema)).digest('hex');
  const validate = await validators.validatorFor(`${hash} fixed`, schema, fairness_key);
  const [problem] = validate(fixed_arguments) ?? [];
  if (problem) refuseArgument(problem.field, problem.message);
}

/** What the schema says about each argument by itself, and nothing about which of them there are. */
function schemaOfSome(input_schema: SchemaObject): SchemaObject {
  const { $id: _, $schema: __, ...rest } = mapReferences(input_schema, toInput);
  return { ...partOf(input_schema, input_schema, INPUT), $defs: { input: rest } };
}

const INPUT = '#/$defs/input';
const toInput = (pointer: string) => (pointer === '#' ? INPUT : pointer.replace('#/', `${INPUT}/`));

/** For the schema at `pointer`, and for all that must hold beside it. */
function partOf(root: SchemaObject, schema: SchemaObject, pointer: string, seen = new Set<string>()): SchemaObject {
  const to = (...path: string[]) => [pointer, ...path.map((name) => encodeURIComponent(escaped(name)))].join('/');
  const part: SchemaObject = { type: 'object' };
  for (const keyword of ['properties', 'patternProperties']) {
    const map = schema[keyword];
    if (isObject(map))
      part[keyword] = Object.fromEntries(Object.keys(map).map((name) => [name, { $ref: to(keyword, name) }]));
  }
  if ('additionalProperties' in schema) part.additionalProperties = { $ref: to('additionalProperties') };
  const beside = Array.isArray(schema.allOf)
    ? schema.allOf.flatMap((each, at) => (isObject(each) ? [partOf(root, each, to('allOf', String(at)), seen)] : []))
    : [];
  const target = typeof schema.$ref === 'string' ? resolvePointer(root, schema.$ref) : undefined;
  const place = toInput(String(schema.$ref));
  // Once is enough: all of it must hold.
  if (isObject(target) && !seen.has(place)) beside.push(partOf(root, target, place, seen.add(place)));
  return beside.length > 0 ? { ...part, allOf: beside } : part;
}

const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** Keywords whose schemas look at the same value as the schema they are in. */
const SAME_PLACE = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else']);

/** The schema of what a caller gives: without these arguments, which are always there. */
export function withoutArguments(schema: SchemaObject, names: ReadonlySet<string>): SchemaObject {
  if (names.size === 0) return schema;
  const rest: SchemaObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'properties' && isObject(value)) rest.properties = withoutNames(value, names);
    else if (keyword === 'required' && Array.isArray(value)) {
      const needed = value.filter((name) => !names.has(name));
      if (needed.length > 0) rest.required = needed;
    } else if (keyword === 'minProperties' && typeof value === 'number')
      rest.minProperties = Math.max(0, value - names.size);
    else if (keyword === 'maxProperties' && typeof value === 'number')
      rest.maxProperties = Math.max(0, value - names.size);
    else if (keyword === 'dependentRequired' && isObject(value)) rest[keyword] = dependentOn(value, names);
    else rest[keyword] = SAME_PLACE.has(keyword) ? insideOf(value, names) : value;
  }
  const needed = neededBeside(schema.dependentRequired, names);
  if (needed.length > 0) rest.required = [...new Set([...((rest.required as unknown[] | undefined) ?? []), ...needed])];
  return rest;
}

/** Names that others make necessary, without these. */
const dependentOn = (map: SchemaObject, names: ReadonlySet<string>): SchemaObject =>
  Object.fromEntries(
    Object.entries(withoutNames(map, names)).map(([name, list]) => [
      name,
      Array.isArray(list) ? list.filter((each) => !names.has(each)) : list,
    ]),
  );

/** What these arguments, which are always there, make necessary. */
const neededBeside = (map: unknown, names: ReadonlySet<string>): unknown[] =>
  isObject(map)
    ? [...names].flatMap((name) => {
        const list = Object.hasOwn(map, name) ? map[name] : [];
        return Array.isArray(list) ? list.filter((each) => !names.has(each)) : [];
      })
    : [];

/** Names that a schema declares or needs which the schema of the arguments refers to. */
function namesBehindReferences(root: SchemaObject): Set<string> {
  const found = new Set<string>();
  const seen = new Set<unknown>();
  const visit = (schema: unknown, is_behind: boolean): void => {
    if (Array.isArray(schema)) for (const each of schema) visit(each, is_behind);
    if (!isObject(schema) || seen.has(schema)) return;
    if (is_behind) {
      seen.add(schema);
      for (const name of namesIn(schema)) found.add(name);
    }
    for (const keyword of SAME_PLACE) visit(schema[keyword], is_behind);
    if (typeof schema.$ref === 'string') visit(resolvePointer(root, schema.$ref), true);
  };
  visit(root, false);
  return found;
}

function namesIn({ properties, required, dependentRequired }: SchemaObject): string[] {
  const declared = isObject(properties) ? Object.keys(properties) : [];
  const dependent = isObject(dependentRequired) ? Object.entries(dependentRequired).flat(2) : [];
  return [...declared, ...(Array.isArray(required) ? required : []), ...dependent].filter(
    (name): name is string => typeof name === 'string',
  );
}

const withoutNames = (map: SchemaObject, names: ReadonlySet<string>): SchemaObject =>
  Object.fromEntries(Object.entries(map).filter(([name]) => !names.has(name)));

function insideOf(value: unknown, names: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((each) => insideOf(each, names));
  return isObject(value) ? withoutArguments(value, names) : value;
}
