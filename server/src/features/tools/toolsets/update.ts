// Changes a toolset. The slug never changes: URLs and scopes contain it.

import type { Toolset, ToolsetChange } from '@toolgate/contract/toolsets/toolset.ts';
import type { Caller } from '../../../access/caller.ts';
import { refuseNarrowed } from '../../../access/narrowed-caller.ts';
import { isEmptyChange } from '../../../api/empty-change.ts';
import { withLockedRow } from '../../../api/with-locked-row.ts';
import type { App } from '../../../app.ts';
import { invalidField, refuse } from '../../../errors/errors.ts';
import { refuseUnknownTools } from '../../policies/tools/known-tools.ts';
import { refuseLimitConflicts } from '../limits/applied.ts';
import { saveMembership } from './membership.ts';
import { refuseBesideReservedNames } from './search-names.ts';
import { lockToolset, selectToolset, updateToolsetRow } from './store.ts';
import { recordChange, showToolset, type ToolsetRow } from './toolset.ts';

export async function updateToolset(
  app: App,
  caller: Caller,
  id: string,
  { slug, expected_updated_at, ...change }: ToolsetChange,
): Promise<Toolset> {
  refuseNarrowed(caller);
  return withLockedRow(app, caller, id, lockToolset, async (app, row) => {
    if (slug !== undefined && slug !== row.slug)
      throw invalidField('slug', 'cannot be changed', { reason: 'field_not_changeable' });
    if (expected_updated_at !== undefined && expected_updated_at !== row.updated_at) throw refuse.toolsetChanged();
    const before = showToolset(row);
    if (isEmptyChange(change)) return before;
    const { project_id } = row;
    // Tools that were deleted meanwhile were taken out of the list that is stored, and are refused in a new one.
    const { tool_ids, pinned_tool_ids } = change;
    await refuseUnknownTools(app, project_id, { tool_ids, pinned_tool_ids });
    await updateToolsetRow(app.database, project_id, id, change);
    await saveMembership(app, project_id, { toolset_id: id });
    if (change.exposure === 'search' && row.exposure !== 'search') await refuseBesideReservedNames(app, project_id);
    await refuseLimitConflicts(app, project_id, { field: 'tool_ids' });
    const data = showToolset((await selectToolset(app.database, project_id, id)) as ToolsetRow);
    await recordChange(app, caller, { type: 'toolset.updated', target_id: id, data, before, after: data });
    return data;
  });
}
