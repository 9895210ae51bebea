// Creates a project. A person creates one in its organization. A project key creates a sibling in its own organization and gets
// a key for it with its own permissions.

import type { CreatedProject, NewProject } from '@toolgate/contract/projects/project.ts';
import { type AccountCaller, type Caller, isOperator, type Project } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import { issueKey } from '../api-keys/create.ts';
import { recordChange, showProject } from './project.ts';
import { joinQuotaGroup } from './quota-group.ts';
import { firstOrganization, insertProject, lockAndCountProjects } from './store.ts';

export async function createProject(app: App, caller: Caller, input: NewProject): Promise<CreatedProject> {
  refuseOperatorFields(caller, input);
  return transact(app, async (app) => {
    const { name, environment } = input;
    const project = await insertProject(app.database, {
      name,
      environment,
      ...(await placeOf(app, caller, input)),
    });
    const data = showProject(project);
    await recordChange(app, caller, { type: 'project.created', target_id: project.id, data }, project);
    if (caller.kind === 'root' || caller.kind === 'account') return data;
    const api_key = await issueKey(app, caller, project, {
      name: 'First key',
      permissions: [...caller.permissions],
      // Otherwise a key or session could outlive its expiry by creating a sibling.
      expires_at: caller.expires_at,
      // The toolsets of the caller are those of its own project.
      toolset_ids: null,
      can_approve: false,
    });
    return { ...data, api_key };
  });
}

/** Its id, organization, quota group and plan, and whether it has a fair share of its own (migration 0002). */
async function placeOf(app: App, caller: Caller, input: NewProject) {
  switch (caller.kind) {
    case 'root':
      return {
        ...startQuotaGroup(app, await firstOrganization(app.database), input),
        is_made_by_operator: true,
      };
    case 'account':
      await refuseBeyondProjectLimit(app, caller.organization_id);
      return {
        ...startQuotaGroup(app, caller.organization_id, { ...input, plan: input.plan ?? firstPlan(app, caller) }),
        is_made_by_operator: false,
      };
    default:
      return joinOrganization(app, caller.project);
  }
}

/** For the projects that people created, and that keys of these created. */
async function refuseBeyondProjectLimit(app: App, organization_id: string): Promise<void> {
  const limit = app.config.max_projects;
  if ((await lockAndCountProjects(app.database, organization_id)) < limit) return;
  throw refuse.projectLimitReached({ details: { limit, reason: 'organization_project_limit' } });
}

/** Who runs the server is not limited on it, unless they choose a plan (contract 4). */
function firstPlan({ config }: App, { is_operator }: AccountCaller): Project['plan'] {
  return is_operator ? 'enterprise' : config.default_plan;
}

/** A project that the operator or a person creates is the first of a new quota group. */
function startQuotaGroup(
  app: App,
  organization_id: string,
  { plan, requests_per_hour }: Pick<NewProject, 'plan' | 'requests_per_hour'>,
) {
  const id = newId('prj');
  return {
    id,
    organization_id,
    quota_group_id: id,
    plan: plan ?? app.config.default_plan,
    requests_per_hour: requests_per_hour ?? null,
  };
}

async function joinOrganization(app: App, parent: Project) {
  const { organization_id } = parent;
  const place = await joinQuotaGroup(app, parent);
  if (!place.is_made_by_operator) await refuseBeyondProjectLimit(app, organization_id);
  return { id: newId('prj'), organization_id, ...place };
}

/** Only the operator sets plan and limit (contract 4). */
export function refuseOperatorFields(caller: Caller, input: { plan?: unknown; requests_per_hour?: unknown }): void {
  if (isOperator(caller)) return;
  for (const field of ['plan', 'requests_per_hour'] as const) {
    if (input[field] === undefined) continue;
    throw refuse.insufficientPermissions({ details: { field, reason: 'operator_only' } });
  }
}
