// A toolset: its columns, how responses show it, and the events of its changes.

import { toolsetEvents } from '@toolgate/contract/toolsets/events.ts';
import type { Toolset } from '@toolgate/contract/toolsets/toolset.ts';
import type { Row } from '../../../database/tables.ts';
import { recorderOf } from '../../activity/events/record.ts';

export const toolsetColumns = [
  'id',
  'project_id',
  'slug',
  'name',
  'description',
  'tool_ids',
  'tags',
  'only',
  'grant',
  'exposure',
  'pinned_tool_ids',
  'created_by',
  'created_at',
  'updated_at',
] as const;

export type ToolsetRow = Row<'toolsets'> & { tool_count: number };

export const showToolset = (row: ToolsetRow): Toolset => ({ object: 'toolset', ...row });

export const { recordChange } = recorderOf(toolsetEvents);
