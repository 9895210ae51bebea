// The OpenAPI document, as far as the code of the client is generated from it: the operations of its methods, and the events.

import { routes } from '@toolgate/contract/resources.ts';
import type { Route } from '@toolgate/contract/route.ts';
import { makeOpenApiDocument } from '../server/src/commands/openapi-document.ts';
import { isMethod, type Methods, methods } from './methods.ts';

export type JsonSchema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  description?: string;
};

type Parameter = { $ref?: string; in: string; name: string; required?: boolean; schema: JsonSchema };
type Content = { content?: Record<string, { schema: JsonSchema }> };
type Described = {
  operationId: string;
  summary: string;
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
};
type Document = {
  paths: Record<string, Record<string, Described>>;
  webhooks: Record<string, { post: Described }>;
  components: { schemas: Record<string, JsonSchema> };
};

export type Operation = {
  id: string;
  summary: string;
  /** Such as `GET /projects/{project_id}`. */
  route: string;
  ids: { name: string; schema: JsonSchema }[];
  query: JsonSchema | null;
  body: { schema: JsonSchema; isRequired: boolean } | null;
  /** null: no body. */
  response: JsonSchema | null;
  takesIdempotencyKey: boolean;
};

/** Those that methods written by hand call. */
const byHand = ['createSessionToken', 'executeCustomTool', 'getFileContent', 'streamToolCalls', 'uploadFile'];

const document = (await makeOpenApiDocument()) as Document;
const { webhooks, components } = document;

export const { paths } = document;

export const { schemas } = components;

/** The operations of the client, in the order of the document. */
export const operations: Operation[] = readOperations(new Set([...operationIds(methods), ...byHand]));

function readOperations(wanted: Set<string>): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { operationId }]) => wanted.has(operationId))
      .map(([method, described]) => operationOf(`${method.toUpperCase()} ${path.replace('/api/v1', '')}`, described)),
  );
}

export function findOperation(id: string): Operation {
  const found = operations.find((operation) => operation.id === id);
  if (!found) throw new Error(`the API has no operation ${id}`);
  return found;
}

/** What `data` is in an event, by its type. */
export const eventData: [type: string, data: JsonSchema][] = Object.entries(webhooks).map(([type, { post }]) => [
  type,
  jsonOf(post.requestBody)?.properties?.data ?? {},
]);

function operationIds(of: Methods): string[] {
  return Object.values(of).flatMap((value) => {
    if (!isMethod(value)) return operationIds(value);
    return [typeof value === 'string' ? value : value.operation];
  });
}

function operationOf(route: string, described: Described): Operation {
  const parameters = (described.parameters ?? []).filter(({ $ref }) => $ref === undefined);
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const bodySchema = jsonOf(described.requestBody);
  return {
    id: described.operationId,
    summary: described.summary,
    route,
    ids: parameters.filter((parameter) => parameter.in === 'path'),
    query: query.length === 0 ? null : objectOf(query),
    body: bodySchema ? { schema: bodySchema, isRequired: needsBody(described.operationId) } : null,
    response: responseOf(described),
    takesIdempotencyKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
  };
}

/** Of each successful status, unless it is the same. */
function responseOf({ responses }: Described): JsonSchema | null {
  const successes = Object.entries(responses).flatMap(([status, response]) => {
    const schema = status.startsWith('2') ? jsonOf(response) : null;
    return schema ? [schema] : [];
  });
  const different = [...new Map(successes.map((schema) => [JSON.stringify(schema), schema])).values()];
  return different.length > 1 ? { anyOf: different } : (different[0] ?? null);
}

/** The document says of every body that it is required. */
function needsBody(operationId: string): boolean {
  const described: Record<string, Route> = routes;
  return described[operationId]?.body?.safeParse(undefined).success === false;
}

function objectOf(parameters: Parameter[]): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

function jsonOf(message: Content | undefined): JsonSchema | null {
  return message?.content?.['application/json']?.schema ?? null;
}
