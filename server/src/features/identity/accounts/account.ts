// An account as the API shows it: to others, and to the person itself.

import type { Account, AccountSession, CurrentAccount } from '@toolgate/contract/accounts/account.ts';
import { permissionsOf } from '@toolgate/contract/roles.ts';
import type { App } from '../../../app.ts';
import type { Row } from '../../../database/tables.ts';

export const accountColumns = [
  'id',
  'organization_id',
  'name',
  'email',
  'role',
  'can_approve',
  'totp_enabled_at',
  'sso_subject',
  'is_break_glass',
  'created_at',
  'last_seen_at',
] as const;

export type AccountRow = Pick<Row<'accounts'>, (typeof accountColumns)[number]>;

export function showAccount({ totp_enabled_at, sso_subject, organization_id: _, ...row }: AccountRow): Account {
  const { id, name, email, role, can_approve, is_break_glass, created_at, last_seen_at } = row;
  const factors = { has_totp: totp_enabled_at !== null, has_sso: sso_subject !== null, is_break_glass };
  return { id, object: 'account', name, email, role, can_approve, ...factors, created_at, last_seen_at };
}

export const sessionColumns = ['id', 'user_agent', 'ip', 'created_at', 'last_seen_at', 'expires_at'] as const;

export type SessionRow = Pick<Row<'account_sessions'>, (typeof sessionColumns)[number]>;

export const showSession = (row: SessionRow, current_id: string): AccountSession => ({
  object: 'account_session',
  ...row,
  is_current: row.id === current_id,
});

export type CurrentRow = {
  account: AccountRow & { recovery_codes_left: number };
  session: SessionRow;
  organization: { id: string; name: string; created_at: string };
  is_operator: boolean;
  authenticated_at: string;
};

export function showCurrentAccount({ config }: App, current: CurrentRow): CurrentAccount {
  const { account, session, organization, is_operator } = current;
  return {
    ...showAccount(account),
    organization: { object: 'organization', ...organization },
    permissions: [...permissionsOf(account.role)],
    is_operator,
    public_url: config.public_url,
    recovery_codes_left: account.recovery_codes_left,
    session: showSession(session, session.id),
  };
}
