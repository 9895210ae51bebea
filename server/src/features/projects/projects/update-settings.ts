// Changes the settings of a project.

import type { ProjectSettings, ProjectSettingsChange } from '@toolgate/contract/projects/settings.ts';
import { refuseUnlessAdminInProduction } from '../../../access/admin-in-production.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { completeSettings } from '../../../access/project.ts';
import { isEmptyChange } from '../../../api/empty-change.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import { recordChange } from './events.ts';
import { showProject } from './project.ts';
import { lockStoredSettings, updateProjectRow } from './store.ts';

export async function updateSettings(
  app: App,
  caller: Caller,
  change: ProjectSettingsChange,
): Promise<ProjectSettings> {
  const project = projectOf(caller);
  return transact(app, async (app) => {
    const stored = await lockStoredSettings(app.database, project.id);
    if (!stored) throw refuse.notFound();
    const before = completeSettings(stored);
    if (isEmptyChange(change)) return before;
    if ((change.oauth_member_id ?? before.oauth_member_id) !== before.oauth_member_id)
      refuseUnlessAdminInProduction(caller, { field: 'oauth_member_id' });
    const settings = JSON.stringify({ ...stored, ...change });
    const data = showProject(await updateProjectRow(app.database, project.id, { settings }));
    app.changes.add(project.id);
    await recordChange(app, caller, {
      type: 'project.updated',
      target_id: project.id,
      data,
      before,
      after: data.settings,
    });
    return data.settings;
  });
}
