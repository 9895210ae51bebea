// An OpenAPI 3.0 or 3.1 document → its operations, those that were asked for, and the definition of a tool for each.

import { type CustomToolDefinition, customToolRequest } from '@toolgate/contract/custom-tools/custom-tool.ts';
import type { ToolImportOptions } from '@toolgate/contract/custom-tools/tool-import.ts';
import { isObject, type SchemaObject } from '../../../engines/json-schema/keywords.ts';
import { invalidField } from '../../../errors/errors.ts';
import { keyParameterOf } from '../catalogue/auth-rules.ts';
import { isTooLarge } from '../catalogue/check-schema.ts';
import { definitionOf } from '../catalogue/tool.ts';
import { freeNames } from './free-names.ts';
import { outlineCopier, outlineLevels } from './outline.ts';
import { type Inputs, inputsOf, type Operation } from './parameters.ts';
import { proposePolling } from './propose-polling.ts';
import { NotATool, type Reading, type SchemaCopier, schemaCopier, startOperation, TooLarge } from './references.ts';
import type { Credentials } from './security.ts';
import { isSelected } from './select.ts';
import { statedHints } from './stated-hints.ts';

/** As many tools as a project may have. */
const MAX_OPERATIONS = 10_000;
const LONGEST_NAME = 64;
const LONGEST_SERVER = 2_048;
/** For the tags that the response repeats. */
const MOST_TAGS = 10;
const LONGEST_TAG = 100;
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const OTHER_METHODS = ['head', 'options', 'trace', 'query'];

export type Skipped = { operation: string; reason: string };
export type NamedOperation = Operation & { name: string };

/** Names are given to all operations, so that an operation has the same name whatever else is selected. */
export function selectOperations(
  document: SchemaObject,
  options: Pick<ToolImportOptions, 'include' | 'exclude' | 'tool_names'>,
): { selected: NamedOperation[]; not_selected: number; names: string[] } {
  if (typeof document.openapi !== 'string' || !/^3\.[01]\.\d+/.test(document.openapi))
    throw invalidField('document.openapi', 'must be 3.0 or 3.1');
  if (!isObject(document.paths)) throw invalidField('document.paths', 'must be an object');
  const all = named(operationsOf(document.paths));
  const wanted = options.tool_names && new Set(options.tool_names);
  const selected = all.filter((given) => isSelected(given, options) && (wanted?.has(given.name) ?? true));
  if (selected.length > MAX_OPERATIONS)
    throw invalidField(
      'document.paths',
      `has ${selected.length} operations, and a project at most ${MAX_OPERATIONS} tools: select some with include or exclude`,
    );
  return { selected, not_selected: all.length - selected.length, names: all.map(({ name }) => name) };
}

function named(operations: Operation[]): NamedOperation[] {
  const taken = new Set<string>();
  const freeName = freeNames((name) => taken.has(name), LONGEST_NAME);
  return operations.map((given) => {
    const { operationId } = given.operation;
    const name = freeName(nameFrom(typeof operationId === 'string' ? operationId : given.method + given.path));
    taken.add(name);
    return { ...given, name };
  });
}

export const showOperation = ({ method, path }: Operation) => `${method.toUpperCase()} ${shortened(path)}`;

/** What the response repeats of the document: all operations may share one very long name. */
export const shortened = (text: string) => text.slice(0, 300);

/** What identifies the document when a newer version of it is imported: not its version, nor where it was read from. */
export function titleOf({ info }: SchemaObject): string {
  if (!isObject(info) || typeof info.title !== 'string') return '';
  // PostgreSQL stores no NUL and no lone surrogate.
  return shortened(info.title).replaceAll('\0', '').toWellFormed().trim();
}

/** For the operation, each once. */
export function tagsOf({ operation: { tags } }: Operation): string[] {
  if (!Array.isArray(tags)) return [];
  const names = tags.filter((tag) => typeof tag === 'string').map((tag) => tag.slice(0, LONGEST_TAG));
  return [...new Set(names)].slice(0, MOST_TAGS);
}

function operationsOf(paths: SchemaObject): Operation[] {
  const operations: Operation[] = [];
  for (const [path, item] of Object.entries(paths)) {
    if (!isObject(item)) continue;
    for (const method of [...METHODS, ...OTHER_METHODS]) {
      const operation = item[method];
      if (isObject(operation)) operations.push({ method, path, item, operation });
    }
  }
  return operations;
}

/** What all tools of an import get. */
export type SharedFields = Partial<
  Pick<CustomToolDefinition, 'base_url' | 'auth_strategy' | 'auth_config' | 'require_member' | 'context_in'>
>;

/** As much of the schemas as a tool may have. */
export function definitionFrom(
  reading: Reading,
  given: NamedOperation,
  shared: SharedFields,
  credentials: Credentials = { headers: new Set(), query: new Set() },
): CustomToolDefinition {
  startOperation(reading);
  if (!METHODS.includes(given.method)) throw new NotATool(`the method ${given.method.toUpperCase()} is not supported`);
  for (const levels of outlineLevels) {
    const copier = levels === null ? schemaCopier(reading) : outlineCopier(reading, levels);
    const definition = definitionWith(copier, reading, given, shared, credentials);
    if (definition !== null) return definition;
  }
  throw new TooLarge();
}

/** Null: the copies are too large. */
function definitionWith(
  copier: SchemaCopier,
  reading: Reading,
  given: NamedOperation,
  shared: SharedFields,
  credentials: Credentials,
): CustomToolDefinition | null {
  try {
    const inputs = inputsOf(reading, given, copier, { ...credentials, key_parameter: sharedKey(shared) });
    return isTooLarge(inputs.input_schema) ? null : definitionOfInputs(reading, given, shared, inputs);
  } catch (error) {
    if (error instanceof TooLarge) return null;
    throw error;
  }
}

function definitionOfInputs(
  reading: Reading,
  given: NamedOperation,
  shared: SharedFields,
  { endpoint_path, ...inputs }: Inputs,
): CustomToolDefinition {
  const { method, operation } = given;
  const { origin, base_path } = serverOf(reading.document, given, shared.base_url);
  const { summary, description } = operation;
  const words = [summary, description].filter((text) => typeof text === 'string' && text !== '');
  const shape = customToolRequest.safeParse({
    ...shared,
    name: given.name,
    title: typeof summary === 'string' && summary !== '' ? summary.slice(0, 128) : null,
    description: words.length > 0 ? words.join('\n\n').slice(0, 8192) : null,
    base_url: origin,
    endpoint_path: base_path + endpoint_path,
    method: method.toUpperCase(),
    ...inputs,
    annotations: statedHints(operation),
    polling: proposePolling(reading, operation, base_path),
  });
  if (!shape.success) {
    const [issue] = shape.error.issues;
    throw new NotATool(issue ? `${issue.path.join('.')}: ${issue.message}` : 'is not valid');
  }
  return definitionOf(shape.data);
}

/** The query parameter that authenticates this tool. */
const sharedKey = ({ auth_strategy, auth_config = {} }: SharedFields) =>
  auth_strategy === undefined ? null : keyParameterOf({ auth_strategy, auth_config });

/** A fixed base_url replaces the origin of the server; the path of the server stays. */
function serverOf(document: SchemaObject, { item, operation }: Operation, base_url: string | undefined) {
  const [server] =
    ([operation.servers, item.servers, document.servers].find((list) => Array.isArray(list) && list.length > 0) as
      | SchemaObject[]
      | undefined) ?? [];
  const text = isObject(server) ? fillVariables(server) : '/';
  const url = URL.parse(text, base_url ?? 'https://no-server.invalid');
  if (url === null) throw new NotATool('its server is not a URL');
  if (base_url === undefined && url.hostname === 'no-server.invalid')
    throw new NotATool('the document has no server with a host: set base_url');
  return { origin: base_url ?? url.origin, base_path: withoutSlashes(url.pathname) };
}

/** At its end. A pattern would look at each run of slashes again and again. */
function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

function fillVariables({ url, variables }: SchemaObject): string {
  if (typeof url !== 'string') throw new NotATool('its server has no url');
  const text = short(url).replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = isObject(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined;
    return isObject(variable) && typeof variable.default === 'string' ? short(variable.default) : whole;
  });
  return short(text);
}

function short(part: string): string {
  if (part.length > LONGEST_SERVER) throw new NotATool('its server has a URL that is too long');
  return part;
}

function nameFrom(text: string): string {
  return (
    text
      .slice(0, 200)
      .replace(/[^A-Za-z0-9_-]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, LONGEST_NAME) || 'tool'
  );
}
