// The events of toolsets.

import type { EventKind } from '../events/event-kind.ts';
import { exampleTime } from '../examples.ts';
import { exampleIds } from '../ids.ts';
import { toolset } from './toolset.ts';

const example = {
  object: 'toolset',
  id: exampleIds.toolset_id,
  project_id: exampleIds.project_id,
  slug: 'support',
  name: 'Support staff',
  description: 'Tools for support staff',
  tool_ids: [exampleIds.tool_id],
  tags: ['orders'],
  only: null,
  grant: 'on_request',
  exposure: 'list',
  pinned_tool_ids: [],
  tool_count: 7,
  created_at: exampleTime,
  created_by: 'root',
  updated_at: exampleTime,
};

const kind = (description: string) =>
  ({ description, data: toolset, example, readable_with: 'read' }) satisfies EventKind;

export const toolsetEvents = {
  'toolset.created': kind('A toolset was created'),
  'toolset.updated': kind('A toolset was changed'),
  'toolset.deleted': kind('A toolset was deleted'),
};
