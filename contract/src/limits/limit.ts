// A limit: how many calls of some tools one key, member, client, integration or the whole project may make in a time.

import { z } from 'zod';
import { name, resourceHistory, text } from '../fields.ts';
import { noneTwice } from '../toolsets/fields.ts';
import { storedToolMatch, toolMatch } from './match.ts';
import { limitSubjects, MAX_LIMIT, MAX_OVERRIDES, MAX_WEIGHT, MAX_WINDOW_SECONDS } from './rules.ts';

/** For a tool. */
export const weight = z.int().min(1).max(MAX_WEIGHT).meta({
  description: 'How much one call counts against the limits that apply to the tool; 1 to 1,000',
});

const MATCH = 'Which tools the limit counts, by exactly one of ids, toolset and tags; null: every tool in the project';

const per = z.enum(limitSubjects).meta({
  description:
    'Whose calls are counted together. Calls without such a subject, such as calls without a member, are not counted',
});
const limit = z
  .int()
  .min(1)
  .max(MAX_LIMIT)
  .meta({ description: "How many calls are allowed in any window, as the sum of their tools' weights", example: 100 });
const window_seconds = z.int().min(1).max(MAX_WINDOW_SECONDS).meta({
  description: 'The length of the sliding window: any period of this length has at most `limit`',
  example: 3600,
});
const overrides = z
  .array(
    z.strictObject({
      subject_id: text(1, 2048).meta({
        description: "Id of a key, member, client, integration or the project; a client's id can be a URL",
      }),
      limit,
    }),
  )
  .max(MAX_OVERRIDES, { abort: true })
  .refine((list) => noneTwice(list.map(({ subject_id }) => subject_id)), 'must not list a subject twice')
  .meta({ description: 'Different limits for some subjects, at most 1,000', example: [] });

export const toolLimit = z
  .strictObject({
    id: z.string(),
    object: z.literal('limit'),
    project_id: z.string(),
    name,
    match: storedToolMatch.meta({ description: MATCH }),
    per,
    limit,
    window_seconds,
    overrides,
    ...resourceHistory,
  })
  .meta({ id: 'Limit' });

export type ToolLimit = z.infer<typeof toolLimit>;

export const newToolLimit = z
  .strictObject({
    name,
    match: toolMatch.default(null).meta({ description: MATCH }),
    per,
    limit,
    window_seconds,
    overrides: overrides.default([]),
  })
  .meta({ id: 'NewLimit' });

export type NewToolLimit = z.infer<typeof newToolLimit>;

export const toolLimitChange = z
  .strictObject({ name, match: toolMatch.meta({ description: MATCH }), per, limit, window_seconds, overrides })
  .partial()
  .meta({ id: 'LimitChange' });

export type ToolLimitChange = z.infer<typeof toolLimitChange>;

export const limitUsage = z
  .strictObject({
    subject_id: z.string().meta({ description: 'Id of the key, member, client, integration or project' }),
    used: z.int().meta({ description: 'How much its calls in the current window count' }),
    limit: z.int().meta({ description: 'Its limit: the override, or the limit for everyone' }),
  })
  .meta({ id: 'LimitUsage' });

export type LimitUsage = z.infer<typeof limitUsage>;
