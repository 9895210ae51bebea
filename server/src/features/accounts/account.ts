// An account as the API shows it: to others, and to the person itself.

import { z } from 'zod';
import { permissions } from '../../access/permissions.ts';
import { permissionsOf, roles } from '../../access/roles.ts';
import { name, timestamp } from '../../api/fields.ts';
import type { Row } from '../../database/tables.ts';

export const role = z.enum(roles).meta({
  description:
    '`owner` and `admin` have all permissions, `developer` has `read`, `write` and `webhook`, `viewer` has `read`. Only an owner decides about owners',
});

export const personName = name.meta({ description: 'What others see; 1 to 128 characters', example: 'Ada Lovelace' });

const accountFields = {
  id: z.string(),
  object: z.literal('account'),
  name: personName,
  email: z.string().meta({ description: 'The address that the person signs in with', example: 'ada@example.com' }),
  role,
  has_totp: z.boolean().meta({ description: 'Two-factor authentication is on' }),
  created_at: timestamp,
  last_seen_at: timestamp.nullable().meta({ description: 'When the person last used the dashboard, to the minute' }),
};

export const accountSchema = z.strictObject(accountFields).meta({ id: 'Account' });

export type Account = z.infer<typeof accountSchema>;

export const organizationSchema = z
  .strictObject({
    id: z.string(),
    object: z.literal('organization'),
    name,
    created_at: timestamp,
  })
  .meta({ id: 'Organization' });

export const sessionSchema = z
  .strictObject({
    id: z.string(),
    object: z.literal('account_session'),
    user_agent: z.string().nullable().meta({ description: 'The browser, as it names itself' }),
    ip: z.string().nullable().meta({ description: 'The address that the person signed in from' }),
    created_at: timestamp,
    last_seen_at: timestamp.meta({ description: 'When it was last used, to the minute' }),
    expires_at: timestamp.meta({ description: 'When it ends at the latest; it also ends after 12 hours without use' }),
    is_current: z.boolean().meta({ description: 'The session of this request' }),
  })
  .meta({ id: 'AccountSession' });

export type AccountSession = z.infer<typeof sessionSchema>;

export const currentAccountSchema = z
  .strictObject({
    ...accountFields,
    organization: organizationSchema.meta({ description: 'The organization of the person' }),
    permissions: z
      .array(z.enum(permissions))
      .meta({ description: 'What the role allows, in every project of the organization' }),
    is_operator: z.boolean().meta({
      description: 'An owner of the first organization, who may set `plan` and `requests_per_hour` of every project',
    }),
    recovery_codes_left: z.int().meta({ description: 'Recovery codes that were not used yet' }),
    session: sessionSchema.meta({ description: 'The session of this request' }),
  })
  .meta({ id: 'CurrentAccount' });

export type CurrentAccount = z.infer<typeof currentAccountSchema>;

export const accountColumns = [
  'id',
  'organization_id',
  'name',
  'email',
  'role',
  'totp_enabled_at',
  'created_at',
  'last_seen_at',
] as const;

export type AccountRow = Pick<Row<'accounts'>, (typeof accountColumns)[number]>;

export function showAccount({ id, name, email, role, totp_enabled_at, created_at, last_seen_at }: AccountRow): Account {
  return { id, object: 'account', name, email, role, has_totp: totp_enabled_at !== null, created_at, last_seen_at };
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
};

export function showCurrentAccount({ account, session, organization, is_operator }: CurrentRow): CurrentAccount {
  return {
    ...showAccount(account),
    organization: { object: 'organization', ...organization },
    permissions: [...permissionsOf(account.role)],
    is_operator,
    recovery_codes_left: account.recovery_codes_left,
    session: showSession(session, session.id),
  };
}
