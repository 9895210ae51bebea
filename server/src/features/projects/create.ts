// Makes a project. A project key makes a sibling in its own organization and gets a key for it, no stronger than itself.

import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import { name } from '../../api/fields.ts';
import type { App } from '../../app.ts';
import { newId } from '../../database/ids.ts';
import { transact } from '../../database/transact.ts';
import { refuse } from '../../errors.ts';
import { newApiKeySchema } from '../api-keys/api-key.ts';
import { issueKey } from '../api-keys/create.ts';
import { recordChange } from '../events/record.ts';
import { environment, plan, projectSchema, requests_per_hour, showProject } from './project.ts';
import { firstOrganization, insertProject } from './store.ts';

export const newProject = z
  .strictObject({
    name,
    environment: environment.default('development'),
    plan: plan.optional(),
    requests_per_hour: requests_per_hour.optional(),
  })
  .meta({ id: 'NewProject' });

export const createdProject = projectSchema
  .extend({
    api_key: newApiKeySchema
      .optional()
      .meta({ description: 'Only when a project key made it: a key of the new project' }),
  })
  .meta({ id: 'CreatedProject' });

export async function createProject(
  app: App,
  caller: Caller,
  input: z.infer<typeof newProject>,
): Promise<z.infer<typeof createdProject>> {
  refuseOperatorFields(caller, input);
  return transact(app, async (app) => {
    const project = await insertProject(app.database, {
      id: newId('prj'),
      organization_id: caller.kind === 'root' ? await firstOrganization(app.database) : caller.project.organization_id,
      name: input.name,
      environment: input.environment,
      plan: input.plan ?? app.config.default_plan,
      requests_per_hour: input.requests_per_hour ?? null,
    });
    const data = showProject(project);
    await recordChange(app, caller, { type: 'project.created', target_id: project.id, data }, project);
    if (caller.kind !== 'api_key') return data;
    const api_key = await issueKey(app, caller, project, {
      name: 'First key',
      permissions: [...caller.permissions],
      // No stronger than the key that asked for it, and no longer.
      expires_at: caller.expires_at,
    });
    return { ...data, api_key };
  });
}

/** Plan and limit are the operator's to set (contract 4). */
export function refuseOperatorFields(caller: Caller, input: { plan?: unknown; requests_per_hour?: unknown }): void {
  if (caller.kind === 'root') return;
  for (const field of ['plan', 'requests_per_hour'] as const) {
    if (input[field] !== undefined) throw refuse.insufficientPermissions({ details: { field } });
  }
}
