// What must hold of the fields that say how arguments become a body, as far as the schema shows it; a call shows the rest.

import { type BodyEncoding, holdsObjects, nestingOf, takesBody } from '@toolgate/contract/custom-tools/body-format.ts';
import type { CustomToolDefinition } from '@toolgate/contract/custom-tools/custom-tool.ts';
import { namesIn } from '@toolgate/contract/custom-tools/header-template.ts';
import { compileTemplate } from '@toolgate/contract/custom-tools/path-template.ts';
import { isReserved } from '@toolgate/contract/custom-tools/reserved-variables.ts';
import { isObject, resolvePointer, type SchemaObject } from '../../../engines/json-schema/keywords.ts';
import { invalidField } from '../../../errors/errors.ts';
import { partOfReserved } from '../expansion/expand-form.ts';
import { splitHeaders } from '../expansion/expand-headers.ts';

export function checkBody(definition: CustomToolDefinition): void {
  const { method, body_format, body_encoding, body_content_type, headers } = definition;
  if (body_format !== 'json' && !takesBody(method))
    throw invalidField('body_format', `must be json: ${method} sends the arguments in the query`);
  const own = Object.keys(headers).find((name) => name.toLowerCase() === 'content-type');
  if (own !== undefined && (body_format === 'multipart' || body_format === 'raw'))
    throw invalidField(`headers.${own}`, `is set by toolgate with the body_format ${body_format}`);
  checkBodyArgument(definition);
  if (body_content_type !== null && body_format !== 'raw')
    throw invalidField('body_content_type', 'is only used with the body_format raw');
  for (const [name, encoding] of Object.entries(body_encoding)) checkEncoding(definition, name, encoding);
  if (body_format === 'form' || body_format === 'multipart') checkFields(definition);
}

function checkBodyArgument(definition: CustomToolDefinition): void {
  const { body_format, body_argument } = definition;
  const refuseIf = (is_wrong: boolean, message: string) => {
    if (is_wrong) throw invalidField('body_argument', message);
  };
  if (body_format !== 'raw') {
    refuseIf(body_argument !== null, 'is only used with the body_format raw');
    return;
  }
  refuseIf(body_argument === null, 'is required with the body_format raw');
  refuseIf(!isKnown(definition, body_argument as string), 'is not a property of input_schema');
  refuseIf(namesElsewhere(definition).has(body_argument as string), 'is sent in the path or a header already');
}

function checkEncoding(definition: CustomToolDefinition, name: string, encoding: BodyEncoding): void {
  const { body_format } = definition;
  if (body_format !== 'form' && body_format !== 'multipart')
    throw invalidField('body_encoding', 'is only used with the body_formats form and multipart');
  const field = `body_encoding.${name}`;
  if (!isKnown(definition, name)) throw invalidField(field, 'is not a property of input_schema');
  const unused = body_format === 'form' ? (['content_type'] as const) : (['style', 'explode'] as const);
  for (const part of unused)
    if (encoding[part] !== undefined)
      throw invalidField(`${field}.${part}`, `is not used with the body_format ${body_format}`);
}

/** A model passes only arguments that the schema describes, but it may describe them elsewhere. */
function isKnown({ input_schema, fixed_arguments }: CustomToolDefinition, name: string): boolean {
  const elsewhere = ['$ref', 'allOf', 'anyOf', 'oneOf', 'patternProperties'];
  return (
    Object.hasOwn(propertiesOf(input_schema), name) ||
    Object.hasOwn(fixed_arguments, name) ||
    elsewhere.some((keyword) => keyword in input_schema)
  );
}

const propertiesOf = ({ properties }: SchemaObject): SchemaObject => (isObject(properties) ? properties : {});

/** Arguments that the path or a header takes. */
export function namesElsewhere({
  endpoint_path,
  headers,
  input_schema,
  fixed_arguments,
}: CustomToolDefinition): Set<string> {
  const { templates } = splitHeaders(headers, input_schema, fixed_arguments);
  return new Set([...compileTemplate(endpoint_path).names, ...templates.flatMap(namesIn)]);
}

/** Each argument that the body has: whether it can be written, and whether another becomes the same field. */
function checkFields(definition: CustomToolDefinition): void {
  const { input_schema, body_format, body_encoding } = definition;
  const elsewhere = namesElsewhere(definition);
  const owners = new Map<string, string>();
  for (const [name, schema] of Object.entries(propertiesOf(input_schema))) {
    if (elsewhere.has(name)) continue;
    const refuseArgument = (message: string) => {
      throw invalidField(`input_schema.properties.${name}`, message);
    };
    const reserved = partOfReserved(name);
    if (reserved !== null) refuseArgument(reserved);
    if (body_format === 'multipart') continue;
    const encoding = Object.hasOwn(body_encoding, name) ? body_encoding[name] : undefined;
    const problem = encodingProblem(input_schema, schema, encoding);
    if (problem !== null) throw invalidField(`body_encoding.${name}`, problem);
    for (const field of fieldNames(input_schema, name, schema, encoding)) {
      const owner = owners.get(field);
      if (isReserved(field)) refuseArgument(`has the field ${field}, which only toolgate sets`);
      if (owner !== undefined && owner !== name) refuseArgument(`becomes the field ${field}, which ${owner} is too`);
      owners.set(field, name);
    }
  }
}

/** Why an argument with this schema cannot be written in a form like this, or null. */
export function encodingProblem(root: SchemaObject, schema: unknown, encoding?: BodyEncoding): string | null {
  const nesting = nestingOf(encoding);
  const forms = formsOf(root, schema);
  if (nesting.object === null && forms.some((form) => isOfType(form, 'object')))
    return 'cannot be an object in this style: use deepObject, form or json';
  if (holdsObjects(nesting)) return null;
  const items = forms.flatMap(({ items, prefixItems }) => [items, ...(Array.isArray(prefixItems) ? prefixItems : [])]);
  const isNested = items
    .flatMap((item) => formsOf(root, item))
    .some((form) => isOfType(form, 'object') || isOfType(form, 'array'));
  return isNested ? 'cannot be a list of objects or lists in this style: use deepObject or json' : null;
}

/** The names of the fields that an argument becomes, as far as they are known. Deeper ones are compared at the call. */
function fieldNames(root: SchemaObject, name: string, schema: unknown, encoding?: BodyEncoding): string[] {
  const { list, object } = nestingOf(encoding);
  const forms = formsOf(root, schema);
  const members = forms.flatMap((form) => Object.keys(propertiesOf(form)));
  if (object === 'fields' && members.length > 0) return members;
  if (object === 'nested' && members.length > 0) return members.map((member) => `${name}[${member}]`);
  const isList = forms.some((form) => isOfType(form, 'array'));
  return [isList && list === 'brackets' ? `${name}[]` : name];
}

const isOfType = ({ type, properties, items }: SchemaObject, wanted: 'object' | 'array') =>
  type === undefined ? isObject(wanted === 'object' ? properties : items) : [type].flat().includes(wanted);

/** The schema and those that it is composed of. */
function formsOf(root: SchemaObject, schema: unknown, seen = new Set<unknown>()): SchemaObject[] {
  if (!isObject(schema) || seen.has(schema)) return [];
  seen.add(schema);
  const { $ref, allOf, anyOf, oneOf } = schema;
  const parts = [allOf, anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const target = typeof $ref === 'string' ? resolvePointer(root, $ref) : undefined;
  return [schema, ...[target, ...parts].flatMap((part) => formsOf(root, part, seen))];
}
