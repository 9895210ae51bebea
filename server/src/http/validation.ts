// Zod schemas as Fastify's validators. A wrong or unknown field is 422 and named; secrets are never repeated.

import type { FastifySchemaCompiler } from 'fastify';
import type { z } from 'zod';
import { type ApiError, refuse } from '../errors.ts';

const SHOWN = 64;
const SECRET = /svc_|whsec_|eyJ|-----BEGIN|bearer/i;
const SECRET_FIELD = /secret|assertion|token|password|public_key|authorization/i;

export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema }) => {
  return (data: unknown) => {
    // Fastify gives null for a body that was not sent.
    const result = schema.safeParse(data ?? undefined);
    return result.success ? { value: result.data } : { error: toRefusal(result.error, data) };
  };
};

function toRefusal({ issues }: z.ZodError, data: unknown): ApiError {
  const issue = issues[0];
  if (!issue) return refuse.validation();
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] as string] : issue.path;
  if (path.length === 0) return refuse.validation({ details: { reason: issue.message } });
  const field = path.join('.');
  const value = show(path, data);
  return refuse.validation({ details: { field, ...(value === undefined ? {} : { value }), reason: issue.message } });
}

/** What the field held, where that can be told without giving away a secret. */
function show(path: PropertyKey[], data: unknown): string | undefined {
  const value = path.reduce<unknown>(
    (at, step) => (at as Record<PropertyKey, unknown> | null | undefined)?.[step],
    data,
  );
  if (value === undefined || path.some((step) => SECRET_FIELD.test(String(step)))) return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return SECRET.test(text) ? undefined : text.slice(0, SHOWN);
}
