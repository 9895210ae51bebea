// What the results of tools cost a model, and who was refused by limits.

import { z } from 'zod';
import { timestamp, timestampInput } from '../fields.ts';
import { limitedCallers } from './rules.ts';

export const resultReportQuery = z.strictObject({
  from: timestampInput.optional().meta({ description: 'Default: 24 hours before `to`' }),
  to: timestampInput.optional().meta({ description: 'Default: now' }),
});

export type ResultReportQuery = z.infer<typeof resultReportQuery>;

const tokens = (description: string) => z.int().meta({ description });

export const resultReport = z
  .strictObject({
    object: z.literal('result_report'),
    from: timestamp.meta({ description: '`group_by` as in the request' }),
    to: timestamp.meta({ description: '`group_by` as in the request' }),
    counted_from: timestamp.meta({
      description: 'Start of the counted period: later than `from` if there were more than 20,000 calls',
    }),
    tools: z
      .array(
        z.strictObject({
          tool_id: z.string().meta({ description: 'The tool' }),
          tool_name: z.string().meta({ description: "The tool's name at its latest call" }),
          calls: z.int().meta({ description: 'How many of its calls returned a result' }),
          result_tokens: tokens("Your API's responses in tokens, estimated as bytes / 4"),
          shaped_tokens: tokens('The tokens that callers received'),
          p95_result_tokens: tokens('95th percentile of tokens per response'),
          p95_shaped_tokens: tokens('95th percentile of tokens that callers received'),
        }),
      )
      .meta({ description: 'The tools whose callers received the most tokens first, at most 50' }),
    limited: z
      .array(
        z.strictObject({
          kind: z
            .enum(limitedCallers)
            .meta({ description: 'Who made the calls: the member, if they were made for one' }),
          id: z.string().meta({ description: "The caller's id" }),
          name: z.string().nullable().meta({
            description:
              'Name of the key. For a member, the external id if the caller has the permission `admin`, otherwise the id. Null for people and for deleted callers',
          }),
          calls: z.int().meta({ description: 'How many calls were refused with `TOOL_LIMIT_REACHED`' }),
          last_at: timestamp.meta({ description: 'When a call was last refused' }),
        }),
      )
      .meta({ description: 'Callers in the newest 20,000 refused calls, at most 20, the most refused first' }),
  })
  .meta({ id: 'ResultReport' });

export type ResultReport = z.infer<typeof resultReport>;
