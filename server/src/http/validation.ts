// Zod schemas as Fastify's validators. A wrong or unknown field is 422 (api/invalid-body.ts).

import type { FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';
import { invalidBody } from '../api/invalid-body.ts';

export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  const validate = (data: unknown) => {
    // Fastify gives null for a body that was not sent.
    const result = schema.safeParse(data ?? undefined);
    return result.success ? { value: result.data } : { error: invalidBody(result.error, data) };
  };
  if (httpPart === 'params' && isPlainText(schema)) return (data: unknown) => ({ value: data });
  return httpPart === 'headers' ? skipWhenAbsent(schema, validate) : validate;
};

/** The router passes only the declared parameters, as text, so there is nothing left to validate. */
function isPlainText(schema: z.ZodType): boolean {
  if (!(schema instanceof z.ZodObject)) return false;
  return Object.values(schema.shape).every((field) => field instanceof z.ZodString && !field.def.checks?.length);
}

/** Validation copies all headers, so it is skipped when none of the declared headers is present or required. */
function skipWhenAbsent<T>(schema: z.ZodType, validate: (data: unknown) => T | { value: unknown }) {
  if (!(schema instanceof z.ZodObject) || !schema.safeParse({}).success) return validate;
  const names = Object.keys(schema.shape);
  return (data: unknown) => (names.some((name) => name in (data as object)) ? validate(data) : { value: data });
}
