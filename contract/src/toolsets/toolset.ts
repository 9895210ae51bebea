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
  description: 'Names it in addresses; unique in the project, and never changes',
  example: 'support',
});
const description = text(0, MAX_TOOLSET_DESCRIPTION).nullable().meta({
  description: 'What its tools are for; up to 512 characters. People read it when they approve an app',
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
  description:
    '`read_only`: of these tools only those whose `readOnlyHint` is true, as `tools/list` shows it; null: all of them',
});
const grant = z.enum(toolsetGrants).meta({
  description:
    'How OAuth clients get it, as the scope `tools:<slug>`. `baseline`: part of the scope `mcp`; `on_request`: a person is asked when a tool of it is needed; `never`: it is no scope',
});
const exposure = z.enum(toolsetExposures).meta({
  description: '`list`: its tools are in the list that a model gets; `search`: a model finds them with `search_tools`',
});
const pinned_tool_ids = z
  .array(text(1, 64))
  .max(MAX_PINNED_TOOLS, { abort: true })
  .refine(noneTwice, 'must not name a tool twice')
  .meta({
    description:
      'Ids of tools that are listed although the toolset is searched, at most 20. A tool that is not in the toolset may be named, and is listed once it is in it: pinning never adds a tool',
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
    tool_count: z.int().meta({ description: 'How many tools are in it now, enabled or not' }),
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
        '`updated_at` of the toolset as it was read. If it was changed since, nothing is changed and the response is 409',
    }),
  })
  .partial()
  .meta({ id: 'ToolsetChange' });

export type ToolsetChange = z.infer<typeof toolsetChange>;
