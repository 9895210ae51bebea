// Field types that several resources share, with their descriptions for the API reference.

import { z } from 'zod';
import { MAX_NAME_LENGTH } from './text-limits.ts';

/** The length is checked first, and a failure aborts: zod would run the later checks on text of any length. */
export const limitedText = (most: number, message?: string) =>
  z.string().max(most, { abort: true, ...(message === undefined ? {} : { message }) });

/** Text that PostgreSQL can store: no NUL, no lone surrogate. */
export const text = (least: number, most: number) =>
  limitedText(most)
    .min(least)
    .refine((value) => !value.includes('\0') && value.isWellFormed(), 'must not contain NUL or a lone surrogate');

export const name = text(1, MAX_NAME_LENGTH)
  .refine((value) => value.trim() !== '', 'must not be blank')
  .meta({
    description: 'A name for people; 1 to 128 characters, not necessarily unique',
    example: 'Production backend',
  });

const RFC3339 = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?Z$/;

export const timestampFormat = 'RFC 3339, UTC';

/** A time in a response. */
export const timestamp = z
  .string()
  .meta({ format: 'date-time', description: timestampFormat, example: '2026-11-15T12:00:00.000000Z' });

/** When a resource was created and last changed, and by whom it was created. */
export const resourceHistory = {
  created_at: timestamp,
  created_by: z.string().meta({ description: 'Id of the key that created it, or `root`' }),
  updated_at: timestamp,
};

const TIMESTAMP_INPUT = 'must be an RFC 3339 time with Z, such as 2027-01-31T00:00:00Z';

/** A time in a request: RFC 3339 with Z, and a day that exists. */
export const timestampInput = limitedText(32, TIMESTAMP_INPUT)
  .refine((value) => RFC3339.test(value) && isRealDay(value), TIMESTAMP_INPUT)
  .meta({ format: 'date-time', example: '2027-01-31T00:00:00Z' });

function isRealDay(value: string): boolean {
  // Date.parse turns the 30th of February into the 2nd of March.
  return new Date(Date.parse(value)).toISOString().slice(0, 10) === value.slice(0, 10);
}

const DAY_S = 86_400;

/** For the rotation of a secret. */
export const secretOverlap = (description: string) =>
  z
    .int()
    .min(0)
    .max(7 * DAY_S)
    .default(DAY_S)
    .meta({ description });

export const pageQuery = z.strictObject({
  limit: z
    .string()
    .regex(/^([1-9]\d?|100)$/, 'must be a number from 1 to 100')
    .transform(Number)
    .default(20)
    .meta({
      description: 'The maximum number of entries, 1 to 100. A page also ends at 1 MiB: check `has_more`',
      override: ({ jsonSchema }) => {
        delete jsonSchema.pattern;
        Object.assign(jsonSchema, { type: 'integer', minimum: 1, maximum: 100 });
      },
    }),
  cursor: limitedText(256).optional().meta({ description: '`next_cursor` of the previous page' }),
});

/** A filter that is `true` or `false`. */
export const booleanFilter = (description: string) =>
  z
    .enum(['true', 'false'])
    .transform((word) => word === 'true')
    .optional()
    .meta({
      description,
      override: ({ jsonSchema }) => {
        delete jsonSchema.enum;
        jsonSchema.type = 'boolean';
      },
    });

/** A page of a list: newest first. */
export const pageOf = <T extends z.ZodType>(entry: T) =>
  z.strictObject({
    object: z.literal('list'),
    data: z.array(entry).meta({ description: 'The entries of this page, newest first' }),
    has_more: z.boolean().meta({ description: 'Whether there are more entries after this page' }),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'Send it as `cursor` to get the next page; null on the last page' }),
  });

export const projectParams = z.strictObject({
  project_id: z.string().meta({ description: 'Id of the project', example: 'prj_4fTq0cDkXv8mWn2ZbR6yLs' }),
});
