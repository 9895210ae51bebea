// Zod schemas as Fastify's validators. A wrong or unknown field is 422 with its name; secrets are never repeated.

import type { FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';
import { showName, showText } from '../api/show-name.ts';
import { type ApiError, refuse } from '../errors.ts';

const SECRET_FIELD = /secret|assertion|token|password|public_key|authorization/i;

export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  const validate = (data: unknown) => {
    // Fastify gives null for a body that was not sent.
    const result = schema.safeParse(data ?? undefined);
    return result.success ? { value: result.data } : { error: validationRefusal(result.error, data) };
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

function validationRefusal({ issues }: z.ZodError, data: unknown): ApiError {
  const issue = issues[0];
  if (!issue) return refuse.validation();
  const isUnknown = issue.code === 'unrecognized_keys';
  const path = isUnknown ? [...issue.path, issue.keys[0] as string] : issue.path;
  const reason = isUnknown ? 'is not a known field' : issue.message;
  if (path.length === 0) return refuse.validation({ details: { reason } });
  const field = showName(path.join('.'));
  const value = showValue(path, data);
  return refuse.validation({ details: { field, ...(value === undefined ? {} : { value }), reason } });
}

/** Returns the field's value, unless it may be a secret. */
function showValue(path: PropertyKey[], data: unknown): string | undefined {
  const value = path.reduce<unknown>(
    (at, step) => (at as Record<PropertyKey, unknown> | null | undefined)?.[step],
    data,
  );
  if (value === undefined || path.some((step) => SECRET_FIELD.test(String(step)))) return undefined;
  return showText(typeof value === 'string' ? value : JSON.stringify(value));
}
