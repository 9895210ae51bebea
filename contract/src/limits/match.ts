// Which tools a limit or a hook applies to: named ones, those of a toolset, those with one of some tags, or every tool (null).

import { z } from 'zod';
import { text } from '../fields.ts';
import { noneTwice, toolTag } from '../toolsets/fields.ts';
import { MAX_LIMIT_TAGS, MAX_LIMIT_TOOLS } from './rules.ts';

const tool_ids = z
  .array(text(1, 64))
  .min(1)
  .max(MAX_LIMIT_TOOLS, { abort: true })
  .refine(noneTwice, 'must not list a tool twice');
const toolset = text(1, 40);
const tags = z
  .array(toolTag)
  .min(1)
  .max(MAX_LIMIT_TAGS, { abort: true })
  .refine(noneTwice, 'must not list a tag twice');

/** `tool_ids` may be empty in a response: its tools or its toolset were deleted, so that it applies to nothing. */
export const storedToolMatch = z
  .union([
    z.strictObject({ tool_ids: z.array(z.string()).meta({ description: 'Ids of tools' }) }),
    z.strictObject({ toolset: z.string().meta({ description: 'The slug of a toolset' }) }),
    z.strictObject({ tags: z.array(z.string()).meta({ description: 'Tools with one of these tags' }) }),
  ])
  .nullable();

export const toolMatch = z
  .strictObject({
    tool_ids: tool_ids.optional().meta({ description: 'Ids of tools, at most 500' }),
    toolset: toolset.optional().meta({ description: 'The slug of a toolset, including tools that join it later' }),
    tags: tags.optional().meta({ description: 'Tools with one of these tags, including later ones; at most 20' }),
  })
  .refine((given) => Object.values(given).filter((each) => each !== undefined).length === 1, {
    message: 'must have exactly one of tool_ids, toolset and tags',
  })
  .nullable();

export type ToolMatch = z.infer<typeof toolMatch>;
