// The columns of the tables for OAuth: providers, clients, and the accounts that members connected.

import type { ColumnType, Generated } from 'kysely';
import type { Permission } from '../access/permissions.ts';

/** Set by the database when not given. */
type TimestampWithDefault = ColumnType<string, string | undefined, string>;

export interface OAuthTables {
  oauth_providers: {
    id: string;
    project_id: string;
    provider: 'google' | 'github' | 'oidc';
    name: string;
    issuer: string;
    client_id: string;
    client_secret: string;
    member_prefix: string;
    scopes: string[];
    permissions: Permission[];
    is_enabled: boolean;
    created_by: string;
    created_at: TimestampWithDefault;
    updated_at: TimestampWithDefault;
    /** `code` is one of provider-failure.ts. */
    last_error: ColumnType<{ code: string; reason: string; created_at: string } | null, never, null>;
  };
  oauth_issuers: { project_id: string; issuer: string; member_prefix: string; created_at: TimestampWithDefault };
  oauth_clients: {
    id: string;
    project_id: string;
    integration_id: string | null;
    name: string;
    redirect_uris: string[];
    is_public: boolean;
    secret_hash: Buffer | null;
    secret_last4: string | null;
    previous_secret_hash: Buffer | null;
    previous_secret_ends_at: string | null;
    created_by: string;
    created_at: TimestampWithDefault;
    updated_at: TimestampWithDefault;
  };
  oauth_connections: {
    id: string;
    project_id: string;
    provider_id: string;
    member_id: string;
    status: 'active' | 'refresh_failed';
    access_token: string;
    refresh_token: string | null;
    scope: string | null;
    expires_at: string | null;
    version: Generated<number>;
    refreshing_until: string | null;
    created_at: TimestampWithDefault;
    updated_at: TimestampWithDefault;
  };
}
