// Changes a limit. What was counted stays: a limit that is raised lets more pass at once.

import type { NewToolLimit, ToolLimit, ToolLimitChange } from '@toolgate/contract/limits/limit.ts';
import type { Caller } from '../../../access/caller.ts';
import { isEmptyChange } from '../../../api/empty-change.ts';
import { withLockedRow } from '../../../api/with-locked-row.ts';
import type { App } from '../../../app.ts';
import { lockProjectRow } from '../../../database/lock-project-row.ts';
import { refuseLimitConflicts } from './applied.ts';
import { checkLimit } from './create.ts';
import { type LimitRow, leastLimit, recordChange, showLimit } from './limit.ts';
import { lockLimit, selectLimit, updateLimitRow } from './store.ts';

export async function updateLimit(app: App, caller: Caller, id: string, change: ToolLimitChange): Promise<ToolLimit> {
  return withLockedRow(app, caller, id, lockLimit, async (app, row) => {
    const before = showLimit(row);
    if (isEmptyChange(change)) return before;
    const { project_id } = row;
    await lockProjectRow(app.database, project_id);
    await updateLimitRow(app.database, {
      id,
      project_id,
      created_by: row.created_by,
      ...(await merge(app, row, change)),
    });
    const field = change.overrides && change.limit === undefined ? 'overrides' : 'limit';
    await refuseLimitConflicts(app, project_id, { field });
    const data = showLimit((await selectLimit(app.database, project_id, id)) as LimitRow);
    await recordChange(app, caller, { type: 'limit.updated', target_id: id, data, before, after: data });
    return data;
  });
}

/** What is stored is not checked again: a tool or a toolset that it names may have been deleted. */
async function merge(app: App, row: LimitRow, change: ToolLimitChange) {
  const { name, per, limit, window_seconds, overrides, tool_ids, toolset_id, tags } = row;
  const merged = { name, per, limit, window_seconds, overrides, ...defined(change) };
  const checked = await checkLimit(app, row.project_id, {
    ...merged,
    match: change.match ?? null,
    overrides: change.overrides || change.per ? merged.overrides : [],
  });
  const match = change.match === undefined ? { tool_ids, toolset_id, tags } : {};
  return { ...checked, overrides: merged.overrides, least_limit: leastLimit(merged), ...match };
}

const defined = ({ match: _, ...change }: ToolLimitChange) =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<
    Omit<NewToolLimit, 'match'>
  >;
