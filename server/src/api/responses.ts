// What a route may answer, for the API reference: its success and every refusal it can give, from the one table of errors.

import { z } from 'zod';
import { type RefusalName, refusals } from '../errors.ts';

const errorEnvelope = z
  .strictObject({
    error: z.strictObject({
      code: z.string().meta({ example: 'INVALID_API_KEY' }),
      message: z.string().meta({ example: 'Invalid or inactive API key' }),
      details: z
        .looseObject({ field: z.string().optional(), value: z.string().optional(), reason: z.string().optional() })
        .meta({
          description: 'The field to blame, what it held and why that is wrong; empty where no field is to blame',
        }),
      request_id: z.string().meta({ description: 'Also in X-Request-Id' }),
    }),
  })
  .meta({ id: 'Error' });

/** Any authenticated request may meet these. */
const everywhere: RefusalName[] = [
  'invalidApiKey',
  'insufficientPermissions',
  'notFound',
  'rateLimitExceeded',
  'internal',
  'serviceUnavailable',
];
/** Whatever is not a GET may be sent with a body that cannot be read, wanted or not. */
const unreadableBody: RefusalName[] = ['malformedRequest', 'invalidJson', 'bodyTooLarge', 'unsupportedMediaType'];

type Responses = Record<number, unknown>;

/** The `response` of a route: `answers({ 200: project }, 'notFound')`. */
export function responses(success: Responses, ...more: RefusalName[]): Responses {
  return { ...success, ...describe([...everywhere, ...more]) };
}

/** The same for a route that takes a body. */
export function responsesToBody(success: Responses, ...more: RefusalName[]): Responses {
  return responses(success, 'validation', ...more);
}

/** The same for a POST that makes something and takes an Idempotency-Key. */
export function responsesToCreate(success: Responses, ...more: RefusalName[]): Responses {
  return responsesToBody(success, 'idempotencyKeyInUse', 'idempotencyAnswerNotKept', 'idempotencyKeyReused', ...more);
}

/** Without a credential. */
export function publicResponses(success: Responses, ...more: RefusalName[]): Responses {
  return { ...success, ...describe(['malformedRequest', 'internal', 'serviceUnavailable', ...more]) };
}

type Described = { content?: Record<string, { examples?: object }> };

/** What the route's own words leave out, because it follows from its method and path. */
export function completeResponses(given: Responses, method: string, url: string): Responses {
  const codesOf = (answer: unknown) => Object.keys((answer as Described).content?.['application/json']?.examples ?? {});
  const documented = new Set(Object.values(given).flatMap(codesOf));
  const more: RefusalName[] = method === 'GET' ? [] : [...unreadableBody, 'validation'];
  // There the root key has to name the project in a header.
  if (documented.has('INVALID_API_KEY') && !url.includes(':project_id')) more.push('validation');
  const names = refusals
    .filter(({ name, code }) => documented.has(code) || more.includes(name))
    .map(({ name }) => name);
  // What has no codes is no envelope: a route that answers errors in a form of its own has said so itself.
  const own = Object.entries(given).filter(([, answer]) => codesOf(answer).length === 0);
  return { ...describe(names), ...Object.fromEntries(own) };
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
