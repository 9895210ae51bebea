// A toolset: a named part of the tools of a project. Credentials that are narrowed to toolsets see only their tools.

import { z } from 'zod';
import { limitedText, name, text, timestamp } from '../fields.ts';
import { noneTwice, toolTag } from './fields.ts';
import {
  MAX_TOOLSET_DESCRIPTION,
  MAX_TOOLSET_TAGS,
  MAX_TOOLSET_TOOLS,
  TOOLSET_SLUG,
  TOOLSET_SLUG_RULE,
  toolsetFilters,
} from './rules.ts';

const slug = limitedText(40, TOOLSET_SLUG_RULE).regex(TOOLSET_SLUG, TOOLSET_SLUG_RULE).meta({
  description: 'Names it in addresses; unique in the project, and never changes',
  example: 'support',
});
const description = text(0, MAX_TOOLSET_DESCRIPTION).nullable().meta({
  description: 'What its tools are for; up to 512 characters',
  example: 'What support staff may do',
});
const tool_ids = z
  .array(text(1, 64))
  .max(MAX_TOOLSET_TOOLS, { abort: true })
  .refine(noneTwice, 'must not name a tool twice')
  .meta({ description: 'Ids of tools that are in it, at most 500', example: ['tool_7kPm3zWdHs9vXc1QnT6yRb'] });
const tags = z
  .array(toolTag)
  .max(MAX_TOOLSET_TAGS, { abort: true })
  .refine(noneTwice, 'must not name a tag twice')
  .meta({
    description: 'Every tool that has one of these tags is in it, also tools that are tagged later. At most 20',
    example: ['orders'],
  });
const only = z.enum(toolsetFilters).nullable().meta({
  description: '`read_only`: of these tools only those whose `readOnlyHint` is true; null: all of them',
});

export const toolset = z
  .strictObject({
    id: z.string(),
    object: z.literal('toolset'),
    project_id: z.string(),
    slug,
    name,
    description,
    tool_ids,
    tags,
    only,
    tool_count: z.int().meta({ description: 'How many tools are in it now, enabled or not' }),
    created_at: timestamp,
    created_by: z.string().meta({ description: 'Id of the key that created it, or `root`' }),
    updated_at: timestamp,
  })
  .meta({ id: 'Toolset' });

export type Toolset = z.infer<typeof toolset>;

export const newToolset = z
  .strictObject({
    slug,
    name,
    description: description.default(null),
    tool_ids: tool_ids.default([]),
    tags: tags.default([]),
    only: only.default(null),
  })
  .meta({ id: 'NewToolset' });

export type NewToolset = z.infer<typeof newToolset>;

export const toolsetChange = z
  .strictObject({ slug: slug.meta({ description: 'Cannot be changed' }), name, description, tool_ids, tags, only })
  .partial()
  .meta({ id: 'ToolsetChange' });

export type ToolsetChange = z.infer<typeof toolsetChange>;
