// A quota group is a project and the siblings that its keys created (contract 4). They share one plan and one request limit, so
// that creating projects does not raise the limit. A project that the operator gives a plan becomes a group of its own.

import type { Caller, Project } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { recordChange, showProject } from './project.ts';
import { countProjectsOfGroup, lockProject, lockQuotaGroup, updatePlanOfSiblings } from './store.ts';

const MAX_PROJECTS = 100;

/** Returns what a new sibling inherits from its parent, the project whose key creates it. Locks the group for the transaction. */
export async function joinQuotaGroup(
  app: App,
  parent: Project,
): Promise<Pick<Project, 'quota_group_id' | 'plan' | 'requests_per_hour'> & { is_made_by_operator: boolean }> {
  await lockQuotaGroup(app.database, parent.quota_group_id);
  const current = await lockProject(app.database, parent.id);
  if (!current) throw refuse.invalidApiKey(); // deleted since the request was authenticated
  const { quota_group_id, plan, requests_per_hour } = current;
  if (quota_group_id !== parent.quota_group_id) await lockQuotaGroup(app.database, quota_group_id);
  if ((await countProjectsOfGroup(app.database, quota_group_id)) >= MAX_PROJECTS)
    throw refuse.projectLimitReached({ details: { limit: MAX_PROJECTS, quota_group_id } });
  const is_made_by_operator = current.fairness_key !== current.organization_id;
  return { quota_group_id, is_made_by_operator, plan, requests_per_hour };
}

/** Gives the siblings of the first project of a group its plan. */
export async function applyPlanToSiblings(app: App, caller: Caller, first: Project): Promise<void> {
  for (const { before, after } of await updatePlanOfSiblings(app.database, first)) {
    app.changes.add(after.id);
    const data = showProject(after);
    await recordChange(
      app,
      caller,
      { type: 'project.updated', target_id: after.id, data, before: showProject(before), after: data },
      after,
    );
  }
}
