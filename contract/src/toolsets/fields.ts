// Fields about toolsets that other resources have.

import { z } from 'zod';
import { limitedText, text } from '../fields.ts';
import { MAX_ASSIGNED_TOOLSETS, MAX_TOOL_TAGS, TOOL_TAG, TOOL_TAG_RULE } from './rules.ts';

export const noneTwice = (values: string[]) => new Set(values).size === values.length;

/** For an API key, integration, OAuth client or OAuth provider. */
export const toolsetIds = z
  .array(text(1, 64))
  .max(MAX_ASSIGNED_TOOLSETS, { abort: true })
  .refine(noneTwice, 'must not list a toolset twice')
  .nullable()
  .meta({
    description:
      'Ids of the toolsets whose tools it can use, at most 20. Null: all tools of the project; []: no tools. It can only restrict access',
    example: null,
  });

export const toolTag = limitedText(40, TOOL_TAG_RULE).regex(TOOL_TAG, TOOL_TAG_RULE);

/** For a tool. */
export const toolTags = z
  .array(toolTag)
  .max(MAX_TOOL_TAGS, { abort: true })
  .refine(noneTwice, 'must not list a tag twice')
  .meta({
    description: 'Words for grouping tools: a toolset with one of these tags contains the tool. At most 10',
    example: ['orders'],
  });
