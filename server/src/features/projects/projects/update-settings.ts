// Changes the settings of a project.

import type { ProjectSettings, ProjectSettingsChange } from '@toolgate/contract/projects/settings.ts';
import type { MemberAccess } from '@toolgate/contract/projects/toolsets-of-member.ts';
import { refuseUnlessAdminInProduction } from '../../../access/admin-in-production.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { refuseNarrowed } from '../../../access/narrowed-caller.ts';
import { completeSettings } from '../../../access/project.ts';
import { isEmptyChange } from '../../../api/empty-change.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { invalidField, refuse } from '../../../errors/errors.ts';
import { recordChange, showProject } from './project.ts';
import { lockStoredSettings, lockToolsetSlugs, updateProjectRow } from './store.ts';

export async function updateSettings(
  app: App,
  caller: Caller,
  change: ProjectSettingsChange,
): Promise<ProjectSettings> {
  const project = projectOf(caller);
  return transact(app, async (app) => {
    if (change.member_access !== undefined) {
      refuseNarrowed(caller);
      // Before the project is locked: who deletes a toolset locks it first, too.
      await refuseUnknownSlugs(app, project.id, change.member_access);
    }
    const stored = await lockStoredSettings(app.database, project.id);
    if (!stored) throw refuse.notFound();
    const before = completeSettings(stored);
    if (isEmptyChange(change)) return before;
    for (const field of adminInProduction)
      if (change[field] !== undefined && change[field] !== before[field])
        refuseUnlessAdminInProduction(caller, { field });
    const listing = change.listing && { listing: { ...before.listing, ...change.listing } };
    const settings = JSON.stringify({ ...stored, ...change, ...listing });
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

/** They decide who a member is, or on which page members decide about calls and connect accounts. */
const adminInProduction = ['oauth_member_id', 'approval_url', 'connect_url'] as const;

/** A toolset that is named here cannot be deleted before the transaction ends. */
async function refuseUnknownSlugs(app: App, project_id: string, access: MemberAccess): Promise<void> {
  const lists = [
    ['default', access.default ?? []] as const,
    ...access.rules.map(({ toolsets }, at) => [`rules.${at}.toolsets`, toolsets] as const),
  ];
  const slugs = [...new Set(lists.flatMap(([, named]) => named))];
  if (slugs.length === 0) return;
  const known = new Set(await lockToolsetSlugs(app.database, project_id, slugs));
  for (const [place, named] of lists)
    for (const [at, value] of named.entries())
      if (!known.has(value))
        throw invalidField(`member_access.${place}.${at}`, "must be the slug of one of this project's toolsets", {
          reason: 'toolset_unknown',
          value,
        });
}
