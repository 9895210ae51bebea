// What operations of the API document have in common and no route should have to say: answer headers, errors by name
// with an example each, and the header by which the root key names a project.

import { refusals } from '../errors.ts';

type Reference = { $ref: string };
type Media = { schema?: Record<string, unknown>; examples?: Record<string, Reference> };
type Response = { description: string; headers?: Record<string, Reference>; content?: Record<string, Media> };
type Parameter = { in: string; name: string; schema: Record<string, unknown>; description?: string };
type Operation = {
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
  'X-Request-Id': { description: 'Names this request in the log; also in an error', schema: text },
  'RateLimit-Policy': { description: 'The limit: `"hourly";q=<requests>;w=3600`', schema: text },
  RateLimit: { description: 'What is left: `"hourly";r=<requests>;t=<seconds until more>`', schema: text },
  'X-RateLimit-Limit': { description: 'Requests an hour of the project', schema: count },
  'X-RateLimit-Remaining': { description: 'Requests left now', schema: count },
  'X-RateLimit-Reset': { description: 'When there are more, in seconds since 1970', schema: count },
  'Retry-After': { description: 'Seconds to wait; the request sent after them passes', schema: count },
  'WWW-Authenticate': { description: 'How to authenticate', schema: text },
  'Idempotent-Replayed': { description: '`true` when this is the first answer again', schema: text },
};
type HeaderName = keyof typeof headers;

const rateHeaders = (Object.keys(headers) as HeaderName[]).filter((name) => name.includes('RateLimit'));

const projectHeader = {
  in: 'header',
  name: 'X-Project-Id',
  description: 'The project the request is about. Only the root key needs it; an API key may name its own project.',
  schema: text,
};

export function completeDocument(document: Document): Document {
  const responses: Record<string, Response> = {};
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const operation of Object.values(operations)) completeOperation(path, operation, responses);
  }
  const json = JSON.stringify([document.paths, responses]);
  const used = (kind: string, all: object) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => json.includes(`"#/components/${kind}/${name}"`)));
  Object.assign(document.components, {
    responses,
    headers: used('headers', headers),
    parameters: used('parameters', { ProjectId: projectHeader }),
    examples: used('examples', errorExamples),
  });
  return document;
}

function completeOperation(path: string, operation: Operation, shared: Record<string, Response>): void {
  const isPublic = operation.security?.length === 0;
  const parameters = operation.parameters ?? [];
  for (const parameter of parameters) {
    if ('in' in parameter && parameter.in === 'header') parameter.name = spell(parameter.name);
  }
  if (!isPublic && !path.includes('{project_id}')) parameters.push({ $ref: '#/components/parameters/ProjectId' });
  if (parameters.length > 0) operation.parameters = parameters;
  // A note of the generator's to itself.
  for (const { schema } of Object.values(operation.requestBody?.content ?? {}))
    delete schema?.['x-fastify-zod-openapi-optional'];

  for (const [status, response] of Object.entries(operation.responses)) {
    if ('$ref' in response) continue;
    const codes = Object.values(response.content ?? {}).flatMap(({ examples = {} }) => Object.keys(examples));
    response.headers = referTo(headersOf(Number(status), codes, isPublic));
    if (response.description === 'Default Response') response.description = status === '201' ? 'Created' : 'OK';
    if (codes.length === 0) continue;
    // The same refusals read the same everywhere: said once, by name.
    const name = [status, ...codes].join('.');
    shared[name] ??= response;
    operation.responses[status] = { $ref: `#/components/responses/${name}` };
  }
}

/** Errors carry the rate headers too, as soon as the caller is known; naming them once more there would only be noise. */
function headersOf(status: number, codes: string[], isPublic: boolean): HeaderName[] {
  const names: HeaderName[] = ['X-Request-Id'];
  if (!isPublic && (status < 400 || status === 429)) names.push(...rateHeaders);
  if (status === 429 || status === 503 || codes.includes('IDEMPOTENCY_KEY_IN_USE')) names.push('Retry-After');
  if (status === 401) names.push('WWW-Authenticate');
  if (status === 201) names.push('Idempotent-Replayed');
  return names;
}

const referTo = (names: HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** `idempotency-key` as it is usually written. */
const spell = (name: string) => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());

const errorExamples = Object.fromEntries(
  refusals.map(({ code, message }) => [
    code,
    { value: { error: { code, message, details: {}, request_id: 'req_6QpWm0dYx3VhKc9TzB2sLn' } } },
  ]),
);
