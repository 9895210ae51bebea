// A limit as the values of its form, and back. Numbers are text there, and the window is a number of a unit.

import { limitSubjects } from '@toolgate/contract/limits/rules.ts';
import type { Limit, Toolgate } from '@toolgate/sdk';
import * as z from 'zod/mini';
import { changedFields } from '../../ui/forms/changed-fields.ts';
import { required, resourceName } from '../../ui/forms/schemas.ts';
import { matchFields, matchIsChosen, matchOf, matchValuesOf } from '../tool-access/match.ts';
import { unitOf } from './limits.ts';

type NewLimit = Parameters<Toolgate['limits']['create']>[0];

const wholeNumber = z.string().check(z.regex(/^[1-9]\d*$/, 'Enter a whole number from 1'));

export const limitSchema = z
  .object({
    name: resourceName,
    ...matchFields,
    per: z.enum(limitSubjects),
    limit: wholeNumber,
    window_seconds: wholeNumber,
    unit: z.string(),
    overrides: z
      .array(z.object({ name: required('Enter an id'), value: wholeNumber }))
      .check(z.refine((rows) => new Set(rows.map(({ name }) => name)).size === rows.length, 'Enter each id only once')),
  })
  .check(matchIsChosen);

export type LimitValues = z.infer<typeof limitSchema>;

export function valuesOf(limit: Limit | null): LimitValues {
  const seconds = limit?.window_seconds ?? 3600;
  const unit = unitOf(seconds).value;
  return {
    name: limit?.name ?? '',
    ...matchValuesOf(limit?.match ?? null),
    per: limit?.per ?? 'member',
    limit: String(limit?.limit ?? 100),
    window_seconds: String(seconds / Number(unit)),
    unit,
    overrides: (limit?.overrides ?? []).map(({ subject_id, limit: own }) => ({ name: subject_id, value: String(own) })),
  };
}

export function fieldsOf(values: LimitValues): NewLimit {
  const { name, per } = values;
  return {
    name,
    match: matchOf(values) as NewLimit['match'],
    per,
    limit: Number(values.limit),
    window_seconds: Number(values.window_seconds) * Number(values.unit),
    overrides: values.overrides.map(({ name: subject_id, value }) => ({ subject_id, limit: Number(value) })),
  };
}

/** A tool that it names may be gone: then `match` is sent only if it was changed. */
export const changesOf = (values: LimitValues, limit: Limit): Partial<NewLimit> =>
  changedFields(fieldsOf(values), limit);
