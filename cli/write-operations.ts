// Part of `npm run docs`: generates src/operations.json, what the commands need to know of the API, from the OpenAPI document.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMethod, type Methods, methods } from '../sdk/methods.ts';
import { makeOpenApiDocument } from '../server/src/commands/openapi-document.ts';
import type { Field, Operation } from './src/operation.ts';

type JsonSchema = {
  $ref?: string;
  type?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  default?: unknown;
  description?: string;
  example?: unknown;
};
type Parameter = { $ref?: string; in: string; name: string; required?: boolean; schema: JsonSchema };
type Described = {
  operationId: string;
  summary: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
};
type Document = {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, JsonSchema> };
};

/** The text of src/operations.json: one line for each operation. */
export async function makeOperations(): Promise<string> {
  const { paths, components } = (await makeOpenApiDocument()) as Document;
  const lines = Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/v1/'))
    .flatMap(([, methods]) => Object.values(methods))
    .map((described) => {
      const method = methodNames.get(described.operationId);
      const operation = operationOf(described, (name) => components.schemas[name] ?? {});
      return `${JSON.stringify(described.operationId)}:${JSON.stringify({ ...operation, ...(method && { method }) })}`;
    });
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** The names of the SDK's methods by operation. */
const methodNames = new Map(namesIn(methods));

function namesIn(of: Methods, before = ''): [operation: string, name: string][] {
  return Object.entries(of).flatMap(([name, value]) => {
    if (!isMethod(value)) return namesIn(value, `${before}${name}.`);
    return [[typeof value === 'string' ? value : value.operation, before + name]];
  });
}

type Find = (name: string) => JsonSchema;

function operationOf({ summary, parameters = [], requestBody }: Described, find: Find): Operation {
  const own = parameters.filter(({ $ref, name }) => $ref === undefined && name !== 'project_id');
  const ids = own
    .filter((parameter) => parameter.in === 'path')
    .map(({ name, schema }) => ({ name, ...kindOf(schema) }));
  const query = own.filter((parameter) => parameter.in === 'query');
  const body = resolve(requestBody?.content['application/json']?.schema ?? {}, find);
  const fields = [
    ...query.map(({ name, schema, required = false }) => [name, fieldOf(schema, required, find)] as const),
    ...Object.entries(body.properties ?? {}).map(
      ([name, schema]) => [name, fieldOf(schema, body.required?.includes(name) ?? false, find)] as const,
    ),
  ];
  return { summary, ids, fields: Object.fromEntries(fields) };
}

function fieldOf(schema: JsonSchema, isRequired: boolean, find: Find): Field {
  const value = resolve(schema.anyOf?.find(({ type }) => type !== 'null') ?? schema, find);
  const word = schema.anyOf?.find((each) => each.const !== undefined)?.const;
  const choices = value.enum ?? resolve(value.items ?? {}, find).enum;
  const { default: preset, description = '', example = value.example } = schema;
  return {
    ...kindOf(value),
    description,
    ...(choices && { choices: choices.map(String) }),
    ...(value.type === 'array' && typeof word === 'string' && { word }),
    ...((choices || value.format === 'date-time') && typeof example === 'string' && { example }),
    ...(['string', 'number', 'boolean'].includes(typeof preset) && { default: String(preset) }),
    ...(isRequired && { is_required: true }),
  };
}

function kindOf({ type, format }: JsonSchema): Pick<Field, 'kind'> {
  if (type === 'integer' || type === 'number') return { kind: 'number' };
  if (type === 'boolean') return { kind: 'boolean' };
  if (type === 'array') return { kind: 'list' };
  return { kind: format === 'date-time' ? 'time' : 'text' };
}

function resolve(schema: JsonSchema, find: Find): JsonSchema {
  return schema.$ref === undefined ? schema : find(schema.$ref.replace('#/components/schemas/', ''));
}

if (import.meta.main) writeFileSync(join(import.meta.dirname, 'src/operations.json'), await makeOperations());
