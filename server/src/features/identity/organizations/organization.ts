// The organization of a person: read and rename it, or delete it with its people once it has no projects.

import type { Organization, OrganizationChange } from '@toolgate/contract/organizations/organization.ts';
import { accountOf, type Caller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import { recordOfOrganization } from '../../activity/audit/record.ts';
import { findFirstOrganization, hasProjectsOf } from '../../projects/projects/find.ts';
import { refuseUnlessOwner } from '../accounts/people.ts';
import { removeEveryone } from '../accounts/remove-everyone.ts';
import { verifyOwnPassword } from '../accounts/verify-own-password.ts';
import { forgetSso } from '../sso/settings.ts';
import { lockOrganization, selectOrganization, updateOrganizationRow } from './store.ts';

export async function readOrganization(app: App, caller: Caller): Promise<Organization> {
  return show(await selectOrganization(app.database, accountOf(caller).organization_id));
}

export async function updateOrganization(app: App, given: Caller, { name }: OrganizationChange): Promise<Organization> {
  const caller = accountOf(given);
  const { organization_id } = caller;
  return transact(app, async (app) => {
    const before = show(await lockOrganization(app.database, organization_id));
    if (name === undefined || name === before.name) return before;
    const after = show(await updateOrganizationRow(app.database, organization_id, { name }));
    const change = { action: 'organization.updated', target_id: organization_id, before, after };
    await recordOfOrganization(app, caller, organization_id, change);
    return after;
  });
}

/** The row stays: the audit log of the organization is kept. */
export async function deleteOrganization(app: App, given: Caller, input: { password: string }): Promise<void> {
  const caller = accountOf(given);
  const { organization_id, account_id } = caller;
  refuseUnlessOwner(caller, 'owner');
  await verifyOwnPassword(app, account_id, 'password', input.password);
  await transact(app, async (app) => {
    const before = show(await lockOrganization(app.database, organization_id));
    if (organization_id === (await findFirstOrganization(app)))
      throw refuse.organizationInUse({ details: { reason: 'first_organization' } });
    if (await hasProjectsOf(app, organization_id)) throw refuse.organizationInUse();
    await removeEveryone(app, organization_id);
    await forgetSso(app, caller, organization_id);
    const change = { action: 'organization.deleted', target_id: organization_id, before, after: null };
    await recordOfOrganization(app, caller, organization_id, change);
  });
}

const show = (row: Omit<Organization, 'object'>): Organization => ({ object: 'organization', ...row });
