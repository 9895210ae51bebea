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
import { endSessionsIfSsoRequired, refuseLastBreakGlass, refuseUnlessFit } from './break-glass.ts';
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

/**
 * Also whether the person approves calls, and whether an owner is a break-glass owner. Takes effect with their next request: all
 * are read with the session.
 */
export async function changeRole(app: App, given: Caller, id: string, input: RoleChange): Promise<Account> {
  const caller = accountOf(given);
  return withColleague(app, caller, id, async (app, before) => {
    const { role = before.role, can_approve = before.can_approve } = input;
    refuseUnlessOwner(caller, before.role, role);
    const { is_break_glass = before.is_break_glass && role === 'owner' } = input;
    const isSame = role === before.role && is_break_glass === before.is_break_glass;
    if (isSame && can_approve === before.can_approve) return showAccount(before);
    if (!isSame) await checkOwners(app, caller, before, { role, is_break_glass });
    const after = showAccount(await updateAccountRow(app.database, id, { role, can_approve, is_break_glass }));
    if (before.is_break_glass && !is_break_glass) await endSessionsIfSsoRequired(app, before);
    const { organization_id } = before;
    const state = { before: showAccount(before), after };
    await recordAccount(app, caller, { action: 'account.role_changed', organization_id, account_id: id, ...state });
    return after;
  });
}

async function checkOwners(
  app: App,
  caller: AccountCaller,
  before: AccountRow,
  { role, is_break_glass }: Pick<AccountRow, 'role' | 'is_break_glass'>,
): Promise<void> {
  if (before.role === 'owner' || role === 'owner' || is_break_glass) requireRecentAuthentication(app, caller);
  if (role !== 'owner') await refuseLastOwner(app, before);
  if (is_break_glass) refuseUnlessFit({ ...before, role });
  else await refuseLastBreakGlass(app, before);
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
    await refuseLastOwner(app, before);
    await refuseLastBreakGlass(app, before);
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

/** Before an account loses the role, or its password. Under the lock of the people. */
export async function refuseLastOwner(
  app: App,
  { id, organization_id, role, sso_subject }: Pick<AccountRow, 'id' | 'organization_id' | 'role' | 'sso_subject'>,
): Promise<void> {
  if (role !== 'owner' || sso_subject !== null) return;
  if (!(await hasOwner(app.database, organization_id, id))) throw refuse.lastOwner();
}
