// Adds what all operations of the API document share: response headers, an example of each error, and the header in which the
// root key names a project.

import { examplePublicUrl } from '@toolgate/contract/examples.ts';
import { exampleIds } from '@toolgate/contract/ids.ts';
import { errorObject, refusals, refuse } from '../errors/errors.ts';
import { addExamples, type Examples, readExamples } from './openapi-examples.ts';

type Reference = { $ref: string };
type Media = { schema?: Record<string, unknown>; example?: unknown; examples?: Record<string, Reference> };
type Response = { description: string; headers?: Record<string, Reference>; content?: Record<string, Media> };
type Parameter = { in: string; name: string; schema: Record<string, unknown>; description?: string };
type Operation = {
  operationId?: string;
  security?: object[];
  parameters?: (Parameter | Reference)[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Response | Reference>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>>;
};

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };

const headers = {
  'X-Request-Id': { description: 'Id of this request, also in the log and in an error', schema: text },
  'RateLimit-Policy': { description: 'The limit: `"hourly";q=<requests>;w=3600`', schema: text },
  RateLimit: { description: 'Requests left: `"hourly";r=<requests>;t=<seconds until more>`', schema: text },
  'X-RateLimit-Limit': { description: "The project's requests per hour", schema: count },
  'X-RateLimit-Remaining': { description: 'Requests left', schema: count },
  'X-RateLimit-Reset': { description: 'When more are available, in seconds since 1970', schema: count },
  'Retry-After': { description: 'Seconds to wait before the next request', schema: count },
  'WWW-Authenticate': { description: 'How to authenticate', schema: text },
  'Idempotent-Replayed': { description: '`true` if this is the stored first response', schema: text },
};
type HeaderName = keyof typeof headers;

const rateHeaders = (Object.keys(headers) as HeaderName[]).filter((name) => name.includes('RateLimit'));

const projectHeader = {
  in: 'header',
  name: 'X-Project-Id',
  description:
    'The project of the request. Only the root key and people who are signed in need it; an API key can send its own project.',
  schema: text,
};

export function completeDocument(document: Document): Document {
  const responses: Record<string, Response> = {};
  const examples = readExamples();
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const operation of Object.values(operations)) {
      addExamples(operation as never, examples);
      completeOperation(path, operation, responses);
    }
  }
  const json = JSON.stringify([document.paths, responses]);
  const used = (kind: string, all: object) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => json.includes(`"#/components/${kind}/${name}"`)));
  Object.assign(document.components, {
    responses,
    headers: used('headers', headers),
    parameters: used('parameters', { ProjectId: projectHeader }),
    examples: used('examples', errorExamples(examples)),
  });
  return document;
}

function completeOperation(path: string, operation: Operation, shared: Record<string, Response>): void {
  const isPublic = operation.security?.length === 0;
  const parameters = operation.parameters ?? [];
  for (const parameter of parameters) {
    if ('in' in parameter && parameter.in === 'header') parameter.name = titleCase(parameter.name);
  }
  // /metrics needs a token, and belongs to no project.
  const isOfProject = !isPublic && path.startsWith('/api/');
  const isOfPeople = /^\/api\/v1\/(account|organization)(\/|$)/.test(path);
  if (isOfProject && !isOfPeople && !path.includes('{project_id}'))
    parameters.push({ $ref: '#/components/parameters/ProjectId' });
  if (parameters.length > 0) operation.parameters = parameters;
  // The generator leaves this internal marker in the schema.
  for (const { schema } of Object.values(operation.requestBody?.content ?? {}))
    delete schema?.['x-fastify-zod-openapi-optional'];

  for (const [status, response] of Object.entries(operation.responses)) {
    if ('$ref' in response) continue;
    const codes = Object.values(response.content ?? {}).flatMap(({ examples = {} }) => Object.keys(examples));
    response.headers = referTo(headersOf(Number(status), codes, isOfProject));
    if (response.description === 'Default Response') response.description = status === '201' ? 'Created' : 'OK';
    if (codes.length === 0) continue;
    // Equal sets of refusals share one component.
    const name = [status, ...codes].join('.');
    shared[name] ??= response;
    operation.responses[status] = { $ref: `#/components/responses/${name}` };
  }
}

/** Errors have the rate headers too once the caller is authenticated; they are documented on successes and 429 only. */
function headersOf(status: number, codes: string[], isOfProject: boolean): HeaderName[] {
  const names: HeaderName[] = ['X-Request-Id'];
  if (isOfProject && (status < 400 || status === 429)) names.push(...rateHeaders);
  if (status === 429 || status === 503 || codes.includes('IDEMPOTENCY_KEY_IN_USE')) names.push('Retry-After');
  if (status === 401) names.push('WWW-Authenticate');
  if (status === 201) names.push('Idempotent-Replayed');
  return names;
}

const referTo = (names: HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Returns `Idempotency-Key` for `idempotency-key`. */
const titleCase = (name: string) => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());

/** One example for each row of errors.ts: as recorded, or without what only a request adds. */
const errorExamples = ({ errors }: Examples) =>
  Object.fromEntries(
    refusals.map(({ name, code, message }) => {
      const unrecorded = { error: errorObject(refuse[name](), exampleIds.request_id, examplePublicUrl) };
      return [code, { summary: message, value: errors[code] ?? unrecorded }];
    }),
  );
