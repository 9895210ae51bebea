// Calls, errors and durations over time.

import { z } from 'zod';
import { timestamp, timestampInput } from '../fields.ts';
import { groupings, intervals } from './rules.ts';

export const analyticsQuery = z.strictObject({
  from: timestampInput.optional().meta({ description: 'Default: 24 hours before `to`. Extended to a whole interval' }),
  to: timestampInput.optional().meta({ description: 'Default: now. Extended to a whole interval' }),
  interval: z
    .enum(intervals)
    .optional()
    .meta({ description: 'Default: `hour`. At most 2,000 intervals between `from` and `to`' }),
  group_by: z
    .enum(groupings)
    .optional()
    .meta({ description: 'Returns one series per group; without it, one for all calls' }),
});

export type AnalyticsQuery = z.infer<typeof analyticsQuery>;

const quantile = z
  .number()
  .nullable()
  .meta({ description: 'Milliseconds, within 5 % of the exact value; null if there are no calls' });

const wait = z.number().nullable();
const LONG = 'Milliseconds, within 5 % or a tenth of a second of the exact value; null if';
const WITHIN = `${LONG} nobody approved a call`;
const OF_TASKS = `${LONG} there are no tasks`;

const numbers = {
  calls: z.int().meta({ description: 'Exact number of tool calls' }),
  errors: z.int().meta({ description: 'How many of them failed, not counting calls that only asked for approval' }),
  waiting: z.int().meta({ description: 'How many of them only asked a person for approval' }),
  p50_ms: quantile,
  p95_ms: quantile,
  p99_ms: quantile,
};

const totals = z
  .strictObject({
    ...numbers,
    waiting_p50_ms: wait.meta({
      description: `Median time until a person approved a call that then ran. ${WITHIN}`,
    }),
    waiting_p95_ms: wait.meta({ description: `95th percentile of the approval time. ${WITHIN}` }),
    tasks: z.int().meta({ description: 'How many of the calls went on as tasks, which have ended' }),
    task_p50_ms: wait.meta({ description: `Median time from the start of a call to the end of its task. ${OF_TASKS}` }),
    task_p95_ms: wait.meta({ description: `95th percentile of that time. ${OF_TASKS}` }),
    rate_limited: z.int().meta({ description: 'Requests of any kind that were refused with 429' }),
  })
  .meta({ id: 'AnalyticsTotals' });

export const analytics = z
  .strictObject({
    object: z.literal('analytics'),
    from: timestamp.meta({ description: 'Start of the first interval' }),
    to: timestamp.meta({ description: 'End of the last interval' }),
    interval: z.enum(intervals).meta({ description: 'Length of an interval' }),
    group_by: z.enum(groupings).nullable().meta({ description: '`group_by` as in the request' }),
    totals,
    previous: totals.meta({ description: 'The same totals for the equally long period before `from`' }),
    data: z
      .array(
        z.strictObject({
          start: timestamp.meta({ description: 'Start of the interval' }),
          group: z.string().nullable().meta({
            description:
              'An id or a word; null for calls without one; `other` for everything beyond the 100 groups with the most calls or beyond 20,000 entries',
          }),
          group_name: z.string().nullable().meta({
            description:
              'Name of the tool, key or integration. For a member, the external id if the caller has the permission `admin`, otherwise the id',
          }),
          ...numbers,
        }),
      )
      .meta({ description: 'Oldest first. Intervals and groups without calls are omitted' }),
  })
  .meta({ id: 'Analytics' });

export type Analytics = z.infer<typeof analytics>;
