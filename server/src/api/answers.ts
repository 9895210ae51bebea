// What a route may answer, for the API reference: its success and every refusal it can give, from the one table of errors.

import { z } from 'zod';
import { type RefusalName, refusals } from '../errors.ts';

export const errorEnvelope = z
  .strictObject({
    error: z.strictObject({
      code: z.string().meta({ example: 'INVALID_API_KEY' }),
      message: z.string().meta({ example: 'Invalid or inactive API key' }),
      details: z
        .object({ field: z.string().optional(), value: z.string().optional() })
        .meta({ description: 'The field to blame and what it held; empty where no field is to blame' }),
      request_id: z.string().meta({ description: 'Also in X-Request-Id' }),
    }),
  })
  .meta({ id: 'Error' });

/** Any authenticated request may meet these. */
const everywhere: RefusalName[] = [
  'invalidApiKey',
  'insufficientPermissions',
  'rateLimitExceeded',
  'internal',
  'serviceUnavailable',
];
const withBody: RefusalName[] = [
  'malformedRequest',
  'invalidJson',
  'bodyTooLarge',
  'unsupportedMediaType',
  'validation',
];

type Answers = Record<number, unknown>;

/** The `response` of a route: `answers({ 200: project }, 'notFound')`. */
export function answers(success: Answers, ...more: RefusalName[]): Answers {
  return { ...success, ...describe([...everywhere, ...more]) };
}

/** The same for a route that takes a body. */
export function answersToBody(success: Answers, ...more: RefusalName[]): Answers {
  return { ...success, ...describe([...everywhere, ...withBody, ...more]) };
}

/** The same for a POST that makes something and takes an Idempotency-Key. */
export function answersToCreate(success: Answers, ...more: RefusalName[]): Answers {
  return answersToBody(success, 'idempotencyKeyInUse', 'idempotencyKeyReused', ...more);
}

/** Without a credential. */
export function publicAnswers(success: Answers, ...more: RefusalName[]): Answers {
  return { ...success, ...describe(['internal', 'serviceUnavailable', ...more]) };
}

function describe(names: RefusalName[]): Answers {
  const rows = refusals.filter(({ name }) => names.includes(name));
  const byStatus = Map.groupBy(rows, ({ status }) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: group.map(({ code, message }) => `\`${code}\`: ${message}`).join('\n\n'),
        content: { 'application/json': { schema: errorEnvelope } },
      },
    ]),
  );
}

export const nothing = { description: 'Done; no body' };
