// A quota group is a project and the siblings that its keys made (contract 4). They have one plan and share its hour, so that
// making projects gives nobody more requests. A project that the operator gives a plan becomes a group of its own.

import type { Caller, Project } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import { refuse } from '../../errors.ts';
import { recordChange } from '../events/record.ts';
import { showProject } from './project.ts';
import { countProjectsOfGroup, lockProject, lockQuotaGroup, updatePlanOfSiblings } from './store.ts';

const MAX_PROJECTS = 100;

/** What a sibling takes from the project whose key makes it. Holds the group until the transaction ends. */
export async function joinQuotaGroup(
  app: App,
  maker: Project,
): Promise<Pick<Project, 'quota_group_id' | 'plan' | 'requests_per_hour'>> {
  await lockQuotaGroup(app.database, maker.quota_group_id);
  const current = await lockProject(app.database, maker.id);
  if (!current) throw refuse.invalidApiKey(); // deleted meanwhile, and its keys with it
  const { quota_group_id, plan, requests_per_hour } = current;
  if (quota_group_id !== maker.quota_group_id) await lockQuotaGroup(app.database, quota_group_id);
  if ((await countProjectsOfGroup(app.database, quota_group_id)) >= MAX_PROJECTS)
    throw refuse.projectLimitReached({ details: { limit: MAX_PROJECTS, quota_group_id } });
  return { quota_group_id, plan, requests_per_hour };
}

/** The siblings of the first project of a group have its plan. */
export async function passPlanOn(app: App, caller: Caller, first: Project): Promise<void> {
  for (const { before, after } of await updatePlanOfSiblings(app.database, first)) {
    app.changes.add(after.id);
    const [data, was] = [showProject(after), showProject(before)];
    await recordChange(
      app,
      caller,
      { type: 'project.updated', target_id: after.id, data, before: was, after: data },
      after,
    );
  }
}
