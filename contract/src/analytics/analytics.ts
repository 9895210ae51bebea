// Calls, errors and durations over time.

import { z } from 'zod';
import { timestamp, timestampInput } from '../fields.ts';
import { groupings, intervals } from './rules.ts';

export const analyticsQuery = z.strictObject({
  from: timestampInput
    .optional()
    .meta({ description: '24 hours before `to`, unless given. Widened to a whole interval' }),
  to: timestampInput.optional().meta({ description: 'Now, unless given. Widened to a whole interval' }),
  interval: z
    .enum(intervals)
    .optional()
    .meta({ description: '`hour`, unless given. At most 2,000 intervals between `from` and `to`' }),
  group_by: z
    .enum(groupings)
    .optional()
    .meta({ description: 'One line for each group; without it, one for all calls' }),
});

export type AnalyticsQuery = z.infer<typeof analyticsQuery>;

const quantile = z
  .number()
  .nullable()
  .meta({ description: 'Milliseconds, within 5 % of the exact value; null without calls' });

const wait = z.number().nullable();
const WITHIN = 'Milliseconds, within 5 % or a tenth of a second of the exact value; null if nobody confirmed any';

const numbers = {
  calls: z.int().meta({ description: 'Exact number of tool calls' }),
  errors: z.int().meta({ description: 'How many of them failed, without those that only asked a person' }),
  waiting: z.int().meta({ description: 'How many of them only asked a person to confirm them' }),
  p50_ms: quantile,
  p95_ms: quantile,
  p99_ms: quantile,
};

const totals = z
  .strictObject({
    ...numbers,
    waiting_p50_ms: wait.meta({
      description: `How long people took to confirm calls that then ran: half of them. ${WITHIN}`,
    }),
    waiting_p95_ms: wait.meta({ description: `The same for 95 of 100 calls. ${WITHIN}` }),
    rate_limited: z.int().meta({ description: 'Requests of any kind refused with 429' }),
  })
  .meta({ id: 'AnalyticsTotals' });

export const analytics = z
  .strictObject({
    object: z.literal('analytics'),
    from: timestamp.meta({ description: 'Start of the first interval' }),
    to: timestamp.meta({ description: 'End of the last interval' }),
    interval: z.enum(intervals).meta({ description: 'Length of an interval' }),
    group_by: z.enum(groupings).nullable().meta({ description: 'As in the request' }),
    totals,
    previous: totals.meta({ description: 'The same for the period of the same length before `from`' }),
    data: z
      .array(
        z.strictObject({
          start: timestamp.meta({ description: 'Start of the interval' }),
          group: z.string().nullable().meta({
            description:
              'An id or a word; null for calls without one; `other` for all but the 100 groups with most calls, and for those beyond 20,000 entries',
          }),
          group_name: z.string().nullable().meta({
            description:
              'Name of the tool, key or integration; external id of the member, or its id again for callers without the permission `admin`',
          }),
          ...numbers,
        }),
      )
      .meta({ description: 'Oldest first. Intervals and groups without calls are left out' }),
  })
  .meta({ id: 'Analytics' });

export type Analytics = z.infer<typeof analytics>;
