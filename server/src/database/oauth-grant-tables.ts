// The columns of the tables for sign-ins by OAuth: requests, approvals, grants, refresh tokens, clients that registered themselves.

import type { ColumnType } from 'kysely';
import type { Scope } from '../access/permissions.ts';

/** Set by the database when not given. */
type TimestampWithDefault = ColumnType<string, string | undefined, string>;

/** registered: by the customer. dynamic: by itself (RFC 7591). metadata: its client_id is the URL of its metadata document. */
export type ClientKind = 'registered' | 'dynamic' | 'metadata';

export interface OAuthGrantTables {
  oauth_requests: {
    id: string;
    project_id: string;
    browser_hash: Buffer;
    page_hash: Buffer;
    state_hash: Buffer | null;
    provider_id: string | null;
    client_kind: ClientKind;
    client_id: string;
    client_name: string;
    integration_id: string | null;
    redirect_uri: string;
    state: string | null;
    code_challenge: string | null;
    resource: string | null;
    scopes: Scope[];
    created_at: TimestampWithDefault;
    expires_at: string;
  };
  oauth_approvals: {
    project_id: string;
    browser_hash: Buffer;
    client_id: string;
    redirect_uri: string;
    scopes: Scope[];
    member_id: string | null;
    created_at: TimestampWithDefault;
    expires_at: string;
  };
  oauth_grants: {
    id: string;
    project_id: string;
    member_id: string;
    provider_id: string;
    client_kind: ClientKind;
    client_id: string;
    client_name: string;
    integration_id: string | null;
    scopes: Scope[];
    resource: string | null;
    redirect_uri: string;
    code_challenge: string | null;
    code_hash: Buffer;
    code_expires_at: string;
    code_used_at: string | null;
    refresh_hash: Buffer | null;
    previous_refresh_hash: Buffer | null;
    refresh_expires_at: string | null;
    created_at: TimestampWithDefault;
    last_used_at: string | null;
    revoked_at: string | null;
  };
  oauth_refresh_tokens: { hash: Buffer; project_id: string; grant_id: string; created_at: TimestampWithDefault };
  oauth_dynamic_clients: {
    client_id: string;
    name: string;
    redirect_uris: string[];
    created_at: TimestampWithDefault;
    expires_at: string;
  };
}
