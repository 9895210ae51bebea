// The shape of every table, as Kysely sees it. A test compares it with the real schema.
// Timestamps are RFC 3339 text, so that a row can be answered as it is.

import type { ColumnType, Generated, Kysely, Selectable } from 'kysely';
import type { Permission } from '../access/permissions.ts';
import type { SecretsTables } from './secrets-tables.ts';

export type Database = Kysely<Tables>;

/** Set by the database unless given. */
type Made = ColumnType<string, string | undefined, string>;
type Json<T> = ColumnType<T, string, string>;

export interface Tables extends SecretsTables {
  organizations: { id: string; name: string; created_at: Made };
  projects: {
    id: string;
    organization_id: string;
    name: string;
    environment: 'development' | 'production';
    plan: 'free' | 'pro' | 'enterprise';
    requests_per_hour: number | null;
    settings: Json<Record<string, unknown>>;
    created_at: Made;
    updated_at: Made;
    deleted_at: string | null;
  };
  idempotency_keys: {
    scope: string;
    key: string;
    fingerprint: Buffer;
    status: number | null;
    answer: string | null;
    locked_until: string | null;
    created_at: Made;
    expires_at: string;
  };
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
    created_at: Made;
  };
}

export type Row<T extends keyof Tables> = Selectable<Tables[T]>;

/** Columns an update may set; what is undefined stays as it is. */
export type Change<T extends keyof Tables, C extends keyof Row<T>> = { [K in C]?: Row<T>[K] | undefined };
