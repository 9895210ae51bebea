// A toolset: a named part of the tools of a project. Credentials that are narrowed to toolsets see only their tools.

import { z } from 'zod';
import { limitedText, name, resourceHistory, text, timestampInput } from '../fields.ts';
import { noneTwice, toolTag } from './fields.ts';
import {
  MAX_PINNED_TOOLS,
  MAX_TOOLSET_DESCRIPTION,
  MAX_TOOLSET_TAGS,
  MAX_TOOLSET_TOOLS,
  TOOLSET_SLUG,
  TOOLSET_SLUG_RULE,
  toolsetExposures,
  toolsetFilters,
  toolsetGrants,
} from './rules.ts';

const slug = limitedText(40, TOOLSET_SLUG_RULE).regex(TOOLSET_SLUG, TOOLSET_SLUG_RULE).meta({
  description: 'Identifies the toolset in URLs; unique in the project, and never changes',
  example: 'support',
});
const description = text(0, MAX_TOOLSET_DESCRIPTION).nullable().meta({
  description: 'What its tools are for; up to 512 characters. People read it when they approve an app',
  example: 'Tools for support staff',
});
const tool_ids = z
  .array(text(1, 64))
  .max(MAX_TOOLSET_TOOLS, { abort: true })
  .refine(noneTwice, 'must not list a tool twice')
  .meta({ description: 'Ids of its tools, at most 500', example: ['tool_7kPm3zWdHs9vXc1QnT6yRb'] });
const tags = z
  .array(toolTag)
  .max(MAX_TOOLSET_TAGS, { abort: true })
  .refine(noneTwice, 'must not list a tag twice')
  .meta({
    description: 'Every tool with one of these tags is in the toolset, including tools tagged later. At most 20',
    example: ['orders'],
  });
const only = z.enum(toolsetFilters).nullable().meta({
  description:
    '`read_only`: only those tools whose `readOnlyHint` is true, as `tools/list` shows it; null: all of them',
});
const grant = z.enum(toolsetGrants).meta({
  description:
    'How OAuth clients get it, as the scope `tools:<slug>`. `baseline`: included in the scope `mcp`; `on_request`: a person is asked when one of its tools is needed; `never`: not available as a scope',
});
const exposure = z.enum(toolsetExposures).meta({
  description: '`list`: models get its tools in the tool list; `search`: models find them with `search_tools`',
});
const pinned_tool_ids = z
  .array(text(1, 64))
  .max(MAX_PINNED_TOOLS, { abort: true })
  .refine(noneTwice, 'must not list a tool twice')
  .meta({
    description:
      'Ids of tools that are listed even if the exposure is `search`, at most 20. Pinning never adds a tool: a tool that is not in the toolset is listed only after it joins',
    example: [],
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
    grant,
    exposure,
    pinned_tool_ids,
    tool_count: z.int().meta({ description: 'How many tools it contains now, enabled or not' }),
    ...resourceHistory,
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
    grant: grant.default('never'),
    exposure: exposure.default('list'),
    pinned_tool_ids: pinned_tool_ids.default([]),
  })
  .meta({ id: 'NewToolset' });

export type NewToolset = z.infer<typeof newToolset>;

export const toolsetChange = z
  .strictObject({
    slug: slug.meta({ description: 'Cannot be changed' }),
    name,
    description,
    tool_ids,
    tags,
    only,
    grant,
    exposure,
    pinned_tool_ids,
    expected_updated_at: timestampInput.meta({
      description:
        "The toolset's `updated_at` when you read it. If the toolset has changed since, nothing is changed and the response is 409",
    }),
  })
  .partial()
  .meta({ id: 'ToolsetChange' });

export type ToolsetChange = z.infer<typeof toolsetChange>;
