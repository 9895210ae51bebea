// Changes the settings of a project.

import { type Caller, type ProjectSettings, projectOf } from '../../access/caller.ts';
import { completeSettings } from '../../access/project.ts';
import { isEmptyChange } from '../../api/empty-change.ts';
import type { App } from '../../app.ts';
import { transact } from '../../database/transact.ts';
import { refuse } from '../../errors.ts';
import { recordChange } from './events.ts';
import { showProject } from './project.ts';
import type { SettingsChange } from './settings.ts';
import { lockStoredSettings, updateProjectRow } from './store.ts';

export async function updateSettings(app: App, caller: Caller, change: SettingsChange): Promise<ProjectSettings> {
  const project = projectOf(caller);
  return transact(app, async (app) => {
    const stored = await lockStoredSettings(app.database, project.id);
    if (!stored) throw refuse.notFound();
    if (isEmptyChange(change)) return completeSettings(stored);
    const settings = JSON.stringify({ ...stored, ...change });
    const data = showProject(await updateProjectRow(app.database, project.id, { settings }));
    app.changes.add(project.id);
    await recordChange(app, caller, {
      type: 'project.updated',
      target_id: project.id,
      data,
      before: completeSettings(stored),
      after: data.settings,
    });
    return data.settings;
  });
}
