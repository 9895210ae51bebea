// What the results of tools cost a model, and who was refused by limits.

import { z } from 'zod';
import { timestamp, timestampInput } from '../fields.ts';
import { limitedCallers } from './rules.ts';

export const resultReportQuery = z.strictObject({
  from: timestampInput.optional().meta({ description: '24 hours before `to`, unless given' }),
  to: timestampInput.optional().meta({ description: 'Now, unless given' }),
});

export type ResultReportQuery = z.infer<typeof resultReportQuery>;

const tokens = (description: string) => z.int().meta({ description });

export const resultReport = z
  .strictObject({
    object: z.literal('result_report'),
    from: timestamp.meta({ description: 'As asked for' }),
    to: timestamp.meta({ description: 'As asked for' }),
    counted_from: timestamp.meta({
      description: 'The results since then are counted: later than `from` if there are more than 20,000 calls',
    }),
    tools: z
      .array(
        z.strictObject({
          tool_id: z.string().meta({ description: 'The tool' }),
          tool_name: z.string().meta({ description: 'Its name when it was last called' }),
          calls: z.int().meta({ description: 'How many of its calls had a result' }),
          result_tokens: tokens("Your API's responses in tokens, estimated as bytes / 4"),
          shaped_tokens: tokens('What callers got of them'),
          p95_result_tokens: tokens('19 of 20 responses have at most this many'),
          p95_shaped_tokens: tokens('The same for what callers got'),
        }),
      )
      .meta({ description: 'Those whose callers got most tokens first, 50 at most' }),
    limited: z
      .array(
        z.strictObject({
          kind: z.enum(limitedCallers).meta({ description: 'What called: a member if the call was for one' }),
          id: z.string().meta({ description: 'Its id' }),
          name: z.string().nullable().meta({
            description:
              'Name of the key; external id of the member, or its id again for callers without the permission `admin`; null for people and what is deleted',
          }),
          calls: z.int().meta({ description: 'How many calls were refused with `TOOL_LIMIT_REACHED`' }),
          last_at: timestamp.meta({ description: 'When one was refused last' }),
        }),
      )
      .meta({ description: 'Callers in the newest 20,000 refused calls, those with the most first, 20 at most' }),
  })
  .meta({ id: 'ResultReport' });

export type ResultReport = z.infer<typeof resultReport>;
