// The responses of a route for the API reference: its success, and its refusals from errors.ts.

import type { RefusalName } from '@toolgate/contract/errors.ts';
import { z } from 'zod';
import { refusals } from '../errors/errors.ts';

const fieldProblem = z
  .strictObject({
    field: z.string().meta({ description: 'The field, with dots between its parts; empty for the whole value' }),
    message: z.string().meta({ description: 'What is wrong with it' }),
  })
  .meta({ id: 'FieldProblem' });

const detailFields = {
  field: z.string().optional().meta({ description: 'The first field, parameter or header that is wrong' }),
  value: z.string().optional().meta({ description: 'Its value; secrets are never included' }),
  reason: z.string().optional().meta({ description: 'The rule that was violated, in snake_case, for programs' }),
  remedy: z.string().optional().meta({ description: 'How to fix it: one sentence, for people' }),
  problems: z.array(fieldProblem).optional().meta({ description: 'Every field that is wrong' }),
};

const errorEnvelope = z
  .strictObject({
    error: z
      .strictObject({
        code: z
          .string()
          .meta({ description: 'Identifies the error; programs can compare it', example: 'INVALID_API_KEY' }),
        message: z.string().meta({
          description: 'The error in words, the same for every error with this code',
          example: 'Invalid or inactive API key',
        }),
        details: z.looseObject(detailFields).meta({
          description: 'What is wrong and how to fix it; empty for INVALID_API_KEY and INTERNAL_ERROR',
        }),
        request_id: z.string().meta({ description: 'Id of the request, also in X-Request-Id and in the server log' }),
        docs_url: z.string().meta({
          description: 'A page of this server that explains the error: its cause, and how to fix it',
          example: 'http://127.0.0.1:3000/docs/errors#invalid_api_key',
        }),
        remedy: z.string().optional().meta({
          description: 'How to fix it, only if `details` is empty: for INVALID_API_KEY and INTERNAL_ERROR',
        }),
      })
      .meta({ description: 'What went wrong' }),
  })
  .meta({ id: 'Error' });

/** Possible for every authenticated request. */
const everywhere: RefusalName[] = [
  'invalidApiKey',
  'notSignedIn',
  'originNotAllowed',
  'insufficientPermissions',
  'notFound',
  'rateLimitExceeded',
  'internal',
  'serviceUnavailable',
];
/** Possible for every request with a body, also on a route that takes none. */
const unreadableBody: RefusalName[] = ['malformedRequest', 'invalidJson', 'bodyTooLarge', 'unsupportedMediaType'];

type Responses = Record<number, unknown>;

/** The `response` of a route: `responses({ 200: project }, 'notFound')`. */
export function responses(success: Responses, ...more: RefusalName[]): Responses {
  return { ...success, ...describe([...everywhere, ...more]) };
}

/** The same for a POST that creates a resource and takes an Idempotency-Key. */
export function responsesToCreate(success: Responses, ...more: RefusalName[]): Responses {
  const names: RefusalName[] = [
    'validation',
    'idempotencyKeyInUse',
    'idempotencyResponseNotKept',
    'idempotencyKeyReused',
  ];
  return responses(success, ...names, ...more);
}

/** The same for a route that needs no credential. */
export function publicResponses(success: Responses, ...more: RefusalName[]): Responses {
  return { ...success, ...describe(['malformedRequest', 'internal', 'serviceUnavailable', ...more]) };
}

type Described = { content?: Record<string, { examples?: object }> };

/** Adds the refusals that follow from the route's method and path. */
export function completeResponses(given: Responses, method: string, url: string): Responses {
  const codesOf = (response: unknown) =>
    Object.keys((response as Described).content?.['application/json']?.examples ?? {});
  const documented = new Set(Object.values(given).flatMap(codesOf));
  const more: RefusalName[] = method === 'GET' ? [] : [...unreadableBody, 'validation'];
  // On these routes the root key must name the project in a header.
  if (documented.has('INVALID_API_KEY') && !url.includes(':project_id')) more.push('validation');
  const names = refusals
    .filter(({ name, code }) => documented.has(code) || more.includes(name))
    .map(({ name }) => name);
  // A response without codes is not the error envelope: the route has described its own form.
  const ownForm = Object.entries(given).filter(([, response]) => codesOf(response).length === 0);
  return { ...describe(names), ...Object.fromEntries(ownForm) };
}

function describe(names: RefusalName[]): Responses {
  const rows = refusals.filter(({ name }) => names.includes(name));
  const byStatus = Map.groupBy(rows, ({ status }) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: group.map(({ code, message }) => `\`${code}\`: ${message}`).join('\n\n'),
        content: {
          'application/json': {
            schema: errorEnvelope,
            examples: Object.fromEntries(group.map(({ code }) => [code, { $ref: `#/components/examples/${code}` }])),
          },
        },
      },
    ]),
  );
}

export const noContent = { description: 'Done; no body' };
