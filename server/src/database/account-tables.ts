// The columns of accounts, their sessions and invitations.

import type { ColumnType, Generated } from 'kysely';
import type { Role } from '../access/roles.ts';

type TimestampWithDefault = ColumnType<string, string | undefined, string>;

export interface AccountTables {
  accounts: {
    id: string;
    organization_id: string;
    name: string;
    email: string;
    password_hash: string;
    role: Role;
    totp_secret: string | null;
    totp_enabled_at: string | null;
    totp_last_step: number | null;
    recovery_codes: Generated<Buffer[]>;
    created_at: TimestampWithDefault;
    last_seen_at: string | null;
  };
  account_sessions: {
    id: string;
    account_id: string;
    hash: Buffer;
    user_agent: string | null;
    ip: string | null;
    created_at: TimestampWithDefault;
    last_seen_at: TimestampWithDefault;
    expires_at: string;
  };
  setup_links: { hash: Buffer; created_at: TimestampWithDefault; expires_at: string };
  failed_sign_ins: { key: Buffer; failures: number; blocked_until: string | null; last_failed_at: string };
  invitations: {
    id: string;
    organization_id: string;
    email: string;
    role: Role;
    hash: Buffer;
    created_by: string;
    created_at: TimestampWithDefault;
    expires_at: string;
  };
}
