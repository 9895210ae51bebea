// Changes the name, environment, plan or request limit of a project, or archives it.

import type { ProjectChange, Project as ProjectResource } from '@toolgate/contract/projects/project.ts';
import { type Caller, hasPermission, type Project, projectOf } from '../../../access/caller.ts';
import { lacksPermission } from '../../../access/lacks-permission.ts';
import { isEmptyChange } from '../../../api/empty-change.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import { refuseOperatorFields } from './create.ts';
import { recordChange, showProject } from './project.ts';
import { applyPlanToSiblings } from './quota-group.ts';
import { lockProject, lockQuotaGroup, updateProjectRow } from './store.ts';

/** In a project of another organization, the operator's people change only what is the operator's. */
function refuseOtherFields(caller: Caller, project: Project, change: ProjectChange): void {
  if (caller.kind !== 'account' || caller.organization_id === project.organization_id) return;
  const { plan: _plan, requests_per_hour: _limit, ...others } = change;
  if (!isEmptyChange(others)) throw refuse.notFound();
}

export async function updateProject(app: App, caller: Caller, change: ProjectChange): Promise<ProjectResource> {
  const project = projectOf(caller);
  refuseOperatorFields(caller, change);
  refuseOtherFields(caller, project, change);
  // Outside production, unsigned external ids create sessions: only an administrator may decide that (contract 4).
  if (change.environment !== undefined && !hasPermission(caller, 'admin')) {
    throw lacksPermission(caller, 'admin', { field: 'environment' });
  }
  return transact(app, async (app) => {
    const changesPlan = change.plan !== undefined || change.requests_per_hour !== undefined;
    if (changesPlan) await lockQuotaGroup(app.database, project.quota_group_id);
    const before = await lockProject(app.database, project.id);
    if (!before) throw refuse.notFound();
    if (isEmptyChange(change)) return showProject(before);
    const quota_group_id = changesPlan ? project.id : before.quota_group_id;
    const after = await updateProjectRow(app.database, project.id, { ...change, quota_group_id });
    if (changesPlan) await applyPlanToSiblings(app, caller, after);
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
