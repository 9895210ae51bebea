// The columns of every table, for Kysely. A test compares them with the real schema.
// Timestamps are RFC 3339 text, so that a row can be returned as it is.

import type { ColumnType, Generated, GeneratedAlways, Kysely, Selectable } from 'kysely';
import type { Permission, Scope } from '../access/permissions.ts';
import type { AccountTables } from './account-tables.ts';
import type { CallTables } from './call-tables.ts';
import type { EventTables } from './event-tables.ts';
import type { OAuthGrantTables } from './oauth-grant-tables.ts';
import type { OAuthTables } from './oauth-tables.ts';
import type { SecretsTables } from './secrets-tables.ts';

export type Database = Kysely<Tables>;

/** Set by the database when not given. */
type TimestampWithDefault = ColumnType<string, string | undefined, string>;
type Json<T> = ColumnType<T, string, string>;

export interface Tables extends SecretsTables, EventTables, OAuthTables, OAuthGrantTables, CallTables, AccountTables {
  upgrades: { name: string; ran_at: TimestampWithDefault };
  organizations: { id: string; name: string; created_at: TimestampWithDefault };
  projects: {
    id: string;
    organization_id: string;
    quota_group_id: string;
    name: string;
    environment: 'development' | 'production';
    plan: 'free' | 'pro' | 'enterprise';
    requests_per_hour: number | null;
    settings: Json<Record<string, unknown>>;
    is_archived: Generated<boolean>;
    mcp_connected_at: string | null;
    created_at: TimestampWithDefault;
    updated_at: TimestampWithDefault;
    deleted_at: string | null;
  };
  idempotency_keys: {
    scope: string;
    key: string;
    fingerprint: Buffer;
    status: number | null;
    answer: string | null;
    result_id: string | null;
    locked_until: string | null;
    created_at: TimestampWithDefault;
    expires_at: string;
  };
  idempotency_bytes: { project_id: string; hour: string; bytes: number };
  request_counts: { quota_group_id: string; process_id: string; second: number; count: number };
  request_log: { quota_group_id: string; first_ms: number; last_ms: number; count: number; total: number };
  failure_counts: { key: string; count: number; ends_at: string };
  api_keys: {
    id: string;
    project_id: string;
    integration_id: string | null;
    name: string;
    permissions: Permission[];
    hash: Buffer;
    prefix: string;
    last4: string;
    is_active: Generated<boolean>;
    revoked_at: string | null;
    expires_at: string | null;
    last_used_at: string | null;
    rotated_to: string | null;
    created_by: string;
    created_at: TimestampWithDefault;
    is_expiry_recorded: Generated<boolean>;
    session_epoch: Generated<number>;
  };
  integrations: {
    id: string;
    project_id: string;
    name: string;
    description: string | null;
    created_by: string;
    created_at: TimestampWithDefault;
    updated_at: TimestampWithDefault;
  };
  assertion_keys: {
    id: string;
    project_id: string;
    kid: string;
    algorithm: 'ES256' | 'ES384' | 'Ed25519' | 'RS256';
    public_key: string;
    fingerprint: string;
    created_by: string;
    created_at: TimestampWithDefault;
    deactivated_at: string | null;
  };
  members: {
    id: string;
    project_id: string;
    external_id: string;
    created_at: TimestampWithDefault;
    last_seen_at: TimestampWithDefault;
  };
  member_sessions: {
    id: string;
    project_id: string;
    integration_id: string | null;
    member_id: string;
    api_key_id: string | null;
    assertion_key_id: string | null;
    hash: Buffer;
    created_at: TimestampWithDefault;
    expires_at: string;
    revoked_at: string | null;
    key_epoch: Generated<number>;
    grant_id: string | null;
    scopes: Generated<Scope[]>;
  };
  used_assertion_ids: { project_id: string; jti: string; expires_at: string };
  custom_tools: {
    id: string;
    project_id: string;
    name: string;
    title: string | null;
    description: string | null;
    base_url: string;
    endpoint_path: string;
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
    timeout_ms: number;
    headers: Json<Record<string, string>>;
    context_in: 'arguments' | 'headers';
    require_member: boolean;
    is_enabled: boolean;
    input_schema: Json<Record<string, unknown>>;
    output_schema: ColumnType<Record<string, unknown> | null, string | null, string | null>;
    annotations: ColumnType<Record<string, unknown> | null, string | null, string | null>;
    auth_strategy: string;
    auth_config: Json<Record<string, string>>;
    auth_secret: string | null;
    previous_auth_secret: string | null;
    previous_secret_ends_at: string | null;
    version: Generated<number>;
    definition_hash: string;
    stored_bytes: GeneratedAlways<number>;
    created_by: string;
    created_at: TimestampWithDefault;
    updated_at: TimestampWithDefault;
  };
  custom_tool_versions: {
    id: string;
    project_id: string;
    tool_id: string;
    version: number;
    definition: Json<Record<string, unknown>>;
    definition_hash: string;
    stored_bytes: GeneratedAlways<number>;
    created_by: string;
    created_at: TimestampWithDefault;
  };
}

export type Row<T extends keyof Tables> = Selectable<Tables[T]>;

/** Columns an update may set; undefined leaves a column unchanged. */
export type Change<T extends keyof Tables, C extends keyof Row<T>> = { [K in C]?: Row<T>[K] | undefined };
