// A limit as the values of its form, and back. Numbers are text there, and the window is a number of a unit.

import { limitSubjects } from '@toolgate/contract/limits/rules.ts';
import type { Limit, Toolgate } from '@toolgate/sdk';
import * as z from 'zod/mini';
import { required, resourceName } from '../../ui/forms/schemas.ts';
import { unitOf } from './limits.ts';

type NewLimit = Parameters<Toolgate['limits']['create']>[0];

const wholeNumber = z.string().check(z.regex(/^[1-9]\d*$/, 'Enter a whole number from 1'));

export const matchKinds = ['all', 'tool_ids', 'toolset', 'tags'] as const;
export type MatchKind = (typeof matchKinds)[number];

const missing: Record<MatchKind, string> = {
  all: '',
  tool_ids: 'Choose at least one tool',
  toolset: 'Choose a toolset',
  tags: 'Enter at least one tag',
};

export const limitSchema = z
  .object({
    name: resourceName,
    applies_to: z.enum(matchKinds),
    match: z.object({ tool_ids: z.array(z.string()), toolset: z.string(), tags: z.array(z.string()) }),
    per: z.enum(limitSubjects),
    limit: wholeNumber,
    window_seconds: wholeNumber,
    unit: z.string(),
    overrides: z
      .array(z.object({ name: required('Enter an id'), value: wholeNumber }))
      .check(z.refine((rows) => new Set(rows.map(({ name }) => name)).size === rows.length, 'Name each of them once')),
  })
  .check((payload) => {
    const { applies_to, match } = payload.value;
    if (applies_to === 'all' || match[applies_to].length > 0) return;
    payload.issues.push({
      code: 'custom',
      message: missing[applies_to],
      path: ['match', applies_to],
      input: payload.value,
    });
  });

export type LimitValues = z.infer<typeof limitSchema>;

export function valuesOf(limit: Limit | null): LimitValues {
  const match = limit?.match ?? null;
  const seconds = limit?.window_seconds ?? 3600;
  const unit = unitOf(seconds).value;
  return {
    name: limit?.name ?? '',
    applies_to: match === null ? 'all' : 'toolset' in match ? 'toolset' : 'tags' in match ? 'tags' : 'tool_ids',
    match: {
      tool_ids: match && 'tool_ids' in match ? match.tool_ids : [],
      toolset: match && 'toolset' in match ? match.toolset : '',
      tags: match && 'tags' in match ? match.tags : [],
    },
    per: limit?.per ?? 'member',
    limit: String(limit?.limit ?? 100),
    window_seconds: String(seconds / Number(unit)),
    unit,
    overrides: (limit?.overrides ?? []).map(({ subject_id, limit: own }) => ({ name: subject_id, value: String(own) })),
  };
}

export function fieldsOf(values: LimitValues): NewLimit {
  const { name, applies_to, match, per } = values;
  return {
    name,
    match: applies_to === 'all' ? null : { [applies_to]: match[applies_to] },
    per,
    limit: Number(values.limit),
    window_seconds: Number(values.window_seconds) * Number(values.unit),
    overrides: values.overrides.map(({ name: subject_id, value }) => ({ subject_id, limit: Number(value) })),
  };
}

/** Only what differs from the limit: a tool that it names may be gone, and what others changed meanwhile stays. */
export function changesOf(values: LimitValues, limit: Limit): Partial<NewLimit> {
  const before = limit as Record<string, unknown>;
  const changed = Object.entries(fieldsOf(values)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  );
  return Object.fromEntries(changed);
}
