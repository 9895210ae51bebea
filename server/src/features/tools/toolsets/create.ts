// Creates a toolset.

import type { NewToolset, Toolset } from '@toolgate/contract/toolsets/toolset.ts';
import { type Caller, creatorOf, projectOf } from '../../../access/caller.ts';
import { refuseNarrowed } from '../../../access/narrowed-caller.ts';
import { refuseBeyondLimit } from '../../../api/resource-limit.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import { refuseUnknownTools } from '../../policies/tools/known-tools.ts';
import { saveMembership } from './membership.ts';
import { refuseBesideReservedNames } from './search-names.ts';
import { insertToolset, selectToolset } from './store.ts';
import { recordChange, showToolset, type ToolsetRow } from './toolset.ts';

export async function createToolset(app: App, caller: Caller, input: NewToolset): Promise<Toolset> {
  refuseNarrowed(caller);
  const project_id = projectOf(caller).id;
  const id = newId('tst');
  return transact(app, async (app) => {
    await refuseBeyondLimit(app, 'toolsets', project_id);
    const { tool_ids, pinned_tool_ids } = input;
    await refuseUnknownTools(app, project_id, { tool_ids, pinned_tool_ids });
    const created_by = creatorOf(caller);
    await insertToolset(app.database, { id, project_id, created_by, ...input }).catch(refuseTakenSlug);
    await saveMembership(app, project_id, { toolset_id: id });
    if (input.exposure === 'search') await refuseBesideReservedNames(app, project_id);
    app.changes.add(project_id);
    const data = showToolset((await selectToolset(app.database, project_id, id)) as ToolsetRow);
    await recordChange(app, caller, { type: 'toolset.created', target_id: id, data });
    return data;
  });
}

const UNIQUE_VIOLATION = '23505';

/** The unique index decides, so that of two concurrent creations one succeeds. */
function refuseTakenSlug(error: Error & { code?: string; constraint?: string }): never {
  if (error.code === UNIQUE_VIOLATION && error.constraint === 'toolsets_project_id_slug_key')
    throw refuse.slugTaken({ details: { field: 'slug' } });
  throw error;
}
