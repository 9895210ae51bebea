// The people of an organization: list them, change a role, remove one. Only an owner decides about owners, and one stays.

import type { Account, RoleChange } from '@toolgate/contract/accounts/account.ts';
import type { Role } from '@toolgate/contract/roles.ts';
import { type AccountCaller, accountOf, type Caller } from '../../../access/caller.ts';
import { lacksPermission } from '../../../access/lacks-permission.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import { type AccountRow, showAccount } from './account.ts';
import { requireRecentAuthentication } from './recent-authentication.ts';
import { recordAccount } from './record.ts';
import {
  deleteAccount,
  hasOwner,
  lockColleague,
  lockPeople,
  pageOfAccounts,
  selectColleague,
  updateAccountRow,
} from './store.ts';

export async function listAccounts(app: App, caller: Caller, query: PageQuery): Promise<Page<Account>> {
  const page = await pageOfAccounts(app.database, accountOf(caller).organization_id, query);
  return makePage(page, page.rows.map(showAccount));
}

export async function readAccount(app: App, caller: Caller, id: string): Promise<Account> {
  const row = await selectColleague(app.database, accountOf(caller).organization_id, id);
  if (!row) throw refuse.notFound();
  return showAccount(row);
}

/** Also whether the person approves calls. Takes effect with their next request: both are read with the session. */
export async function changeRole(app: App, given: Caller, id: string, input: RoleChange): Promise<Account> {
  const caller = accountOf(given);
  return withColleague(app, caller, id, async (app, before) => {
    const { role = before.role, can_approve = before.can_approve } = input;
    refuseUnlessOwner(caller, before.role, role);
    if (role === before.role && can_approve === before.can_approve) return showAccount(before);
    if (role !== before.role && (before.role === 'owner' || role === 'owner')) requireRecentAuthentication(app, caller);
    if (role !== before.role && before.role === 'owner') await refuseLastOwner(app, before);
    const after = showAccount(await updateAccountRow(app.database, id, { role, can_approve }));
    const { organization_id } = before;
    const state = { before: showAccount(before), after };
    await recordAccount(app, caller, { action: 'account.role_changed', organization_id, account_id: id, ...state });
    return after;
  });
}

/** Ends the sessions and the open invitations of that person. Anyone may remove themselves. */
export async function removeAccount(app: App, given: Caller, id: string): Promise<void> {
  const caller = accountOf(given);
  await withColleague(app, caller, id, async (app, before) => {
    if (id !== caller.account_id) {
      if (!caller.permissions.includes('admin')) throw lacksPermission(caller, 'admin');
      refuseUnlessOwner(caller, before.role);
    }
    if (before.role === 'owner' || id === caller.account_id) requireRecentAuthentication(app, caller);
    if (before.role === 'owner') await refuseLastOwner(app, before);
    await deleteAccount(app.database, before.organization_id, id);
    const { organization_id } = before;
    const state = { before: showAccount(before) };
    await recordAccount(app, caller, { action: 'account.removed', organization_id, account_id: id, ...state });
  });
}

function withColleague<T>(
  app: App,
  { organization_id }: AccountCaller,
  id: string,
  change: (app: App, before: AccountRow) => Promise<T>,
): Promise<T> {
  return transact(app, async (app) => {
    await lockPeople(app.database, organization_id);
    const before = await lockColleague(app.database, organization_id, id);
    if (!before) throw refuse.notFound();
    return change(app, before);
  });
}

export function refuseUnlessOwner(caller: AccountCaller, ...concerned: Role[]): void {
  if (caller.role === 'owner' || !concerned.includes('owner')) return;
  throw refuse.insufficientPermissions({ details: { field: 'role', reason: 'owner_only' } });
}

async function refuseLastOwner(app: App, { id, organization_id }: AccountRow): Promise<void> {
  if (!(await hasOwner(app.database, organization_id, id))) throw refuse.lastOwner();
}
