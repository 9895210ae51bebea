// Changes, settings and the end of a project.

import { z } from 'zod';
import { type Caller, type ProjectSettings, projectOf } from '../../access/caller.ts';
import { allows } from '../../access/permissions.ts';
import { name } from '../../api/fields.ts';
import type { App } from '../../app.ts';
import { transact } from '../../database/transact.ts';
import { refuse } from '../../errors.ts';
import { recordChange } from '../events/record.ts';
import { refuseOperatorFields } from './create.ts';
import { environment, type ProjectAnswer, plan, requests_per_hour, showProject } from './project.ts';
import { passPlanOn } from './quota-group.ts';
import { completeSettings, type SettingsChange } from './settings.ts';
import { lockProject, lockQuotaGroup, lockStoredSettings, markDeleted, updateProject } from './store.ts';

export const projectChange = z
  .strictObject({ name, environment, plan, requests_per_hour })
  .partial()
  .meta({ id: 'ProjectChange' });

export async function changeProject(
  app: App,
  caller: Caller,
  change: z.infer<typeof projectChange>,
): Promise<ProjectAnswer> {
  const project = projectOf(caller);
  refuseOperatorFields(caller, change);
  // Leaving production opens the way for unsigned members: an administrator's decision (contract 4).
  if (change.environment !== undefined && caller.kind === 'api_key' && !allows(caller.permissions, 'admin')) {
    throw refuse.insufficientPermissions({ details: { field: 'environment' } });
  }
  return transact(app, async (app) => {
    const hasPlan = change.plan !== undefined || change.requests_per_hour !== undefined;
    if (hasPlan) await lockQuotaGroup(app.database, project.quota_group_id);
    const before = await lockProject(app.database, project.id);
    if (!before) throw refuse.notFound();
    if (isEmpty(change)) return showProject(before);
    const quota_group_id = hasPlan ? project.id : before.quota_group_id;
    const after = await updateProject(app.database, project.id, { ...change, quota_group_id });
    if (hasPlan) await passPlanOn(app, caller, after);
    const data = showProject(after);
    app.changes.add(project.id);
    await recordChange(app, caller, {
      type: 'project.updated',
      target_id: project.id,
      data,
      before: showProject(before),
      after: data,
    });
    return data;
  });
}

export async function changeSettings(app: App, caller: Caller, change: SettingsChange): Promise<ProjectSettings> {
  const project = projectOf(caller);
  return transact(app, async (app) => {
    const stored = await lockStoredSettings(app.database, project.id);
    if (!stored) throw refuse.notFound();
    if (isEmpty(change)) return completeSettings(stored);
    const settings = JSON.stringify({ ...stored, ...change });
    const data = showProject(await updateProject(app.database, project.id, { settings }));
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

/** Nothing is changed, so there is nothing to tell. */
const isEmpty = (change: object) => Object.values(change).every((value) => value === undefined);

/** Out of reach from now on: every credential of the project is found through it. */
export async function deleteProject(app: App, caller: Caller): Promise<void> {
  const project = projectOf(caller);
  await transact(app, async (app) => {
    const deleted = await markDeleted(app.database, project.id, new Date(app.now()).toISOString());
    if (!deleted) throw refuse.notFound();
    app.changes.add(project.id);
    await recordChange(app, caller, { type: 'project.deleted', target_id: project.id, data: showProject(deleted) });
  });
}
