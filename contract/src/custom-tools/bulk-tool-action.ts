// Enabling, disabling, confirming the hints of or deleting many tools at once.

import { z } from 'zod';
import { text } from '../fields.ts';
import { toolTag } from '../toolsets/fields.ts';
import { bulkActions } from './rules.ts';

const MAX_BULK_IDS = 10_000;

const filter = z
  .strictObject({
    is_enabled: z.boolean().optional().meta({ description: 'Only enabled tools, or only disabled ones' }),
    search: text(1, 128).optional().meta({ description: 'Text to find in the name, title or description' }),
    tag: toolTag.optional().meta({ description: 'Only tools with this tag' }),
  })
  .refine((given) => Object.keys(given).length > 0, 'must have is_enabled, search or tag')
  .meta({ description: 'All tools that the tool list returns with these parameters' });

export const bulkToolAction = z
  .strictObject({
    ids: z
      .array(text(0, 64))
      .min(1)
      .max(MAX_BULK_IDS)
      .optional()
      .meta({ description: 'Ids of tools, without duplicates' }),
    filter: filter.optional(),
    action: z.enum(bulkActions).meta({
      description:
        'What to do with each tool. `confirm_hints` saves the derived hints as they are listed. `delete` requires the permission `admin`',
    }),
  })
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
    path: ['ids'],
    message: 'must be given unless filter is given',
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
          status: z.enum(bulkOutcomes).meta({ description: 'What happened to the tool' }),
        }),
      )
      .meta({ description: 'One result per id, in the order of `ids`; a `not_found` does not affect the others' }),
  })
  .meta({ id: 'BulkToolResult' });

export type BulkToolResult = z.infer<typeof bulkToolResult>;
