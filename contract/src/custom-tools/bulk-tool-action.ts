// Enabling, disabling, confirming the hints of or deleting many tools at once.

import { z } from 'zod';
import { text } from '../fields.ts';
import { toolTag } from '../toolsets/fields.ts';
import { bulkActions } from './rules.ts';

const MAX_BULK_IDS = 10_000;

const filter = z
  .strictObject({
    is_enabled: z.boolean().optional().meta({ description: 'Only those that are enabled, or are not' }),
    search: text(1, 128).optional().meta({ description: 'Text in the name, title or description' }),
    tag: toolTag.optional().meta({ description: 'Only those that have this tag' }),
  })
  .refine((given) => Object.keys(given).length > 0, 'must have is_enabled, search or tag')
  .meta({ description: 'All tools that the list of tools shows with these' });

export const bulkToolAction = z
  .strictObject({
    ids: z.array(text(0, 64)).min(1).max(MAX_BULK_IDS).optional().meta({ description: 'Ids of tools, each once' }),
    filter: filter.optional(),
    action: z.enum(bulkActions).meta({
      description:
        'What to do with each of the tools. `confirm_hints` sets the hints that are derived, as they are listed. `delete` needs the permission `admin`',
    }),
  })
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
    path: ['ids'],
    message: 'must be given, or filter in its place',
  })
  .meta({ id: 'BulkToolAction' });

export type BulkToolAction = z.infer<typeof bulkToolAction>;

export const bulkOutcomes = ['enabled', 'disabled', 'confirmed', 'deleted', 'unchanged', 'not_found'] as const;

export const bulkToolResult = z
  .strictObject({
    object: z.literal('bulk_result'),
    changed: z.int().meta({ description: 'How many tools were enabled, disabled, confirmed or deleted' }),
    results: z
      .array(
        z.strictObject({
          id: z.string(),
          status: z.enum(bulkOutcomes).meta({ description: 'What happened to this tool' }),
        }),
      )
      .meta({ description: 'One for each id, in the order of `ids`; `not_found` fails no other' }),
  })
  .meta({ id: 'BulkToolResult' });

export type BulkToolResult = z.infer<typeof bulkToolResult>;
