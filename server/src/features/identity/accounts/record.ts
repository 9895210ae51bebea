// What the audit log has about people and their organization: these entries belong to no project. Never a secret.

import type { App } from '../../../app.ts';
import type { Actor } from '../../activity/audit/append.ts';
import { recordOfOrganization } from '../../activity/audit/record.ts';

type AccountAction =
  | 'account.created'
  | 'account.updated'
  | 'account.role_changed'
  | 'account.removed'
  | 'account.reset'
  | 'account.signed_in'
  | 'account.reauthenticated'
  | 'account.signed_out'
  | 'account.sessions_ended'
  | 'account.password_changed'
  | 'account.sso_linked'
  | 'account.totp_enabled'
  | 'account.totp_disabled'
  | 'account.recovery_codes_renewed';

type Change = {
  action: AccountAction;
  organization_id: string;
  account_id: string;
  before?: object | null;
  after?: object | null;
};

export async function recordAccount(
  app: App,
  actor: Actor,
  { action, organization_id, account_id, before = null, after = null }: Change,
): Promise<void> {
  await recordOfOrganization(app, actor, organization_id, { action, target_id: account_id, before, after });
}

/** A change that a person makes to its own account. */
export async function recordOwn(
  app: App,
  account: { id: string; organization_id: string },
  action: AccountAction,
  state: { before?: object | null; after?: object | null } = {},
): Promise<void> {
  const actor = { kind: 'account' as const, account_id: account.id };
  await recordAccount(app, actor, {
    action,
    organization_id: account.organization_id,
    account_id: account.id,
    ...state,
  });
}
