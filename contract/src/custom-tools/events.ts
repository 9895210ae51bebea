// The events of tools. They carry a summary: a whole definition would be too large for every receiver.

import { z } from 'zod';
import type { EventKind } from '../events/event-kind.ts';
import { exampleIds } from '../ids.ts';

const toolSummary = z
  .strictObject({
    id: z.string(),
    object: z.literal('custom_tool'),
    project_id: z.string(),
    name: z.string().meta({ description: 'The name that models use to call it' }),
    is_enabled: z.boolean().meta({ description: 'Whether it can be called' }),
    require_member: z.boolean().meta({ description: 'Whether only a member session can call it' }),
    version: z.int().meta({ description: 'Number of its newest version' }),
    definition_hash: z.string().meta({ description: "Changes whenever the tool's behavior changes" }),
  })
  .meta({ id: 'CustomToolSummary' });

const example = {
  object: 'custom_tool',
  id: exampleIds.tool_id,
  project_id: exampleIds.project_id,
  name: 'find_order',
  is_enabled: true,
  require_member: false,
  version: 3,
  definition_hash: 'a3f1c9d27be04f68',
};

const kind = (description: string) =>
  ({ description, data: toolSummary, example, readable_with: 'read' }) satisfies EventKind;

export const customToolEvents = {
  'custom_tool.created': kind('A tool was registered'),
  'custom_tool.updated': kind('A tool has a new version or different tags'),
  'custom_tool.enabled': kind('A tool was enabled'),
  'custom_tool.disabled': kind('A tool was disabled'),
  'custom_tool.deleted': kind('A tool was deleted'),
};
