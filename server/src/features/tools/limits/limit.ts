// A limit: its columns, and how responses show it.

import type { NewToolLimit, ToolLimit } from '@toolgate/contract/limits/limit.ts';
import type { Row } from '../../../database/tables.ts';

/** `toolset`: the slug of the toolset that it matches. */
export type LimitRow = Omit<Row<'tool_limits'>, 'least_limit'> & { toolset: string | null };

export function showLimit({ tool_ids, toolset_id, toolset, tags, ...row }: LimitRow): ToolLimit {
  return { object: 'limit', ...row, match: matchOf({ tool_ids, toolset_id, toolset, tags }) };
}

type Matched = Pick<LimitRow, 'tool_ids' | 'toolset_id' | 'toolset' | 'tags'>;

function matchOf({ tool_ids, toolset_id, toolset, tags }: Matched): ToolLimit['match'] {
  if (tool_ids !== null) return { tool_ids };
  // A toolset that is gone has no tools: that is not every tool.
  if (toolset_id !== null) return toolset === null ? { tool_ids: [] } : { toolset };
  return tags && { tags };
}

/** One call of a tool must not weigh more. */
export const leastLimit = ({ limit, overrides }: Pick<NewToolLimit, 'limit' | 'overrides'>) =>
  Math.min(limit, ...overrides.map((override) => override.limit));
