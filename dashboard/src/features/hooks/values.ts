// A hook as the values of its form, and back. Numbers are text there.

import { DEFAULT_HOOK_TIMEOUT_MS, hookFailurePolicies } from '@toolgate/contract/hooks/rules.ts';
import type { Hook, Toolgate } from '@toolgate/sdk';
import * as z from 'zod/mini';
import { changedFields } from '../../ui/forms/changed-fields.ts';
import { required } from '../../ui/forms/schemas.ts';
import { certificateFields, certificateFieldsOf, certificateValuesOf } from '../certificates/field.tsx';
import { matchFields, matchIsChosen, matchOf, matchValuesOf } from '../tool-access/match.ts';

type NewFields = Parameters<Toolgate['hooks']['create']>[0];

export const hookSchema = z
  .object({
    url: required('Enter a URL').check(z.regex(/^https?:\/\//i, 'It begins with https://')),
    points: z.array(z.string()).check(z.minLength(1, 'Choose at least one')),
    ...matchFields,
    timeout_ms: z.string().check(z.regex(/^[1-9]\d*$/, 'Enter a whole number')),
    on_failure: z.enum(hookFailurePolicies),
    may_change: z.boolean(),
    ...certificateFields,
    is_enabled: z.boolean(),
  })
  .check(matchIsChosen);

export type HookValues = z.infer<typeof hookSchema>;

export function valuesOf(hook: Hook | null): HookValues {
  return {
    url: hook?.url ?? '',
    points: hook?.points ?? ['before'],
    ...matchValuesOf(hook?.match ?? null),
    timeout_ms: String(hook?.timeout_ms ?? DEFAULT_HOOK_TIMEOUT_MS),
    on_failure: hook?.on_failure ?? 'refuse',
    may_change: hook?.may_change ?? false,
    ...certificateValuesOf(hook),
    is_enabled: hook?.is_enabled ?? true,
  };
}

export function fieldsOf(values: HookValues): NewFields {
  const { url, points, on_failure, may_change, is_enabled } = values;
  return {
    url,
    // In the order of the API, whatever was chosen first.
    points: (['before', 'after'] as const).filter((point) => points.includes(point)),
    match: matchOf(values) as NewFields['match'],
    timeout_ms: Number(values.timeout_ms),
    on_failure,
    may_change,
    ...certificateFieldsOf(values),
    is_enabled,
  };
}

/** A tool that it names may be gone: then `match` is sent only if it was changed. */
export const changesOf = (values: HookValues, hook: Hook): Partial<NewFields> => changedFields(fieldsOf(values), hook);
