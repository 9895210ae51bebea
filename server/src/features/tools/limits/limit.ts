// A limit: its columns, and how responses show it.

import { limitEvents } from '@toolgate/contract/limits/events.ts';
import type { NewToolLimit, ToolLimit } from '@toolgate/contract/limits/limit.ts';
import type { Row } from '../../../database/tables.ts';
import { recorderOf } from '../../activity/events/record.ts';
import { showMatch } from './match.ts';

/** `toolset`: the slug of the toolset that it matches. */
export type LimitRow = Omit<Row<'tool_limits'>, 'least_limit'> & { toolset: string | null };

export function showLimit({ tool_ids, toolset_id, toolset, tags, ...row }: LimitRow): ToolLimit {
  return { object: 'limit', ...row, match: showMatch({ tool_ids, toolset_id, toolset, tags }) };
}

/** One call of a tool must not weigh more. */
export const leastLimit = ({ limit, overrides }: Pick<NewToolLimit, 'limit' | 'overrides'>) =>
  Math.min(limit, ...overrides.map((override) => override.limit));

/** Changes of limits, which have an audit entry and no event, and the event of a limit that was reached. */
type AuditOnly = 'limit.created' | 'limit.updated' | 'limit.deleted';

export const { newEvent, recordChange } = recorderOf<typeof limitEvents, AuditOnly>(limitEvents);
