// Every table, for Kysely: the generated columns, with narrower types where the code knows more than the database.

import type { ToolConfirm } from '@toolgate/contract/approvals/confirm.ts';
import type { ApprovalStatus, Confirmer, DecisionPlace } from '@toolgate/contract/approvals/rules.ts';
import type { AssertionAlgorithm } from '@toolgate/contract/assertion-keys/rules.ts';
import type { BodyEncoding, BodyFormat } from '@toolgate/contract/custom-tools/body-format.ts';
import type { ToolResponse } from '@toolgate/contract/custom-tools/tool-response.ts';
import type { ToolSource } from '@toolgate/contract/custom-tools/tool-source.ts';
import type { Directory } from '@toolgate/contract/directories/rules.ts';
import type { RefusalName } from '@toolgate/contract/errors.ts';
import type { HookPoint, PolicyEntry } from '@toolgate/contract/hooks/rules.ts';
import type { LimitSubject } from '@toolgate/contract/limits/rules.ts';
import type { LogStreamError } from '@toolgate/contract/log-streams/log-stream.ts';
import type { LogStreamKind, LogStreamSource } from '@toolgate/contract/log-streams/rules.ts';
import type { McpServer, PinnedIssuer, ServerIssuer } from '@toolgate/contract/mcp-servers/mcp-server.ts';
import type { DefinitionWarning } from '@toolgate/contract/mcp-servers/pending-tool.ts';
import type { ServerAuthStrategy } from '@toolgate/contract/mcp-servers/rules.ts';
import type { Jwks } from '@toolgate/contract/oauth-clients/jwks.ts';
import type { OAuthGrantType } from '@toolgate/contract/oauth-clients/rules.ts';
import type { OAuthConnection } from '@toolgate/contract/oauth-connections/oauth-connection.ts';
import type { OAuthClientKind } from '@toolgate/contract/oauth-grants/oauth-grant.ts';
import type { OAuthProviderError } from '@toolgate/contract/oauth-providers/oauth-provider-error.ts';
import type { linkKinds, OAuthProviderKind } from '@toolgate/contract/oauth-providers/rules.ts';
import type { SsoTestStep } from '@toolgate/contract/organizations/sso-test.ts';
import type { Permission, Scope } from '@toolgate/contract/permissions.ts';
import type { Project } from '@toolgate/contract/projects/project.ts';
import type { Role } from '@toolgate/contract/roles.ts';
import type { ToolPolling } from '@toolgate/contract/tasks/polling.ts';
import type { TaskStatus } from '@toolgate/contract/tasks/rules.ts';
import type { ToolsetGrant, toolsetExposures } from '@toolgate/contract/toolsets/rules.ts';
import type { ColumnType, Generated, Kysely, Selectable } from 'kysely';
import type { Columns } from './columns.ts';

export type Database = Kysely<Tables>;

/** Read as a value, written as text. */
type Json<T> = ColumnType<T, string, string>;
type NullableJson<T> = ColumnType<T | null, string | null, string | null>;
/** Set by the database alone. */
type ReadOnly<T> = ColumnType<T, never, never>;

/** The columns with narrower types: enums, and what is in JSON. */
interface NarrowColumns {
  accounts: { role: Role };
  api_keys: { permissions: Permission[] };
  approvals: { by: Confirmer; status: ApprovalStatus; decided_via: DecisionPlace | null };
  assertion_keys: { algorithm: AssertionAlgorithm };
  audit_signing_keys: { public_jwk: Json<PublicJwk> };
  call_rollups: { interval: 'minute' | 'hour' | 'day' };
  files: { storage: 'database' | 's3' };
  custom_tools: {
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
    body_format: Generated<BodyFormat>;
    body_encoding: Json<Record<string, BodyEncoding>>;
    headers: Json<Record<string, string>>;
    context_in: 'arguments' | 'headers';
    input_schema: Json<Record<string, unknown>>;
    output_schema: NullableJson<Record<string, unknown>>;
    annotations: NullableJson<Record<string, unknown>>;
    fixed_arguments: Json<Record<string, unknown>>;
    response: NullableJson<ToolResponse>;
    confirm: NullableJson<ToolConfirm>;
    polling: NullableJson<ToolPolling>;
    source: NullableJson<ToolSource>;
    auth_config: Json<Record<string, string>>;
  };
  custom_tool_versions: { definition: Json<Record<string, unknown>> };
  deliveries: { status: 'pending' | 'succeeded' | 'failed' };
  delivery_attempts: {
    request_headers: Json<Record<string, string>>;
    response_headers: NullableJson<Record<string, string>>;
  };
  directory_submissions: { for: Directory };
  encryption_keys: { public_jwk: Json<PublicJwk> };
  hooks: { points: HookPoint[]; on_failure: 'refuse' | 'allow' };
  invitations: { role: Role };
  jobs: { state: 'ready' | 'waiting' | 'claimed' };
  member_sessions: { scopes: Generated<Scope[]>; claims: NullableJson<Record<string, unknown>> };
  log_streams: {
    kind: LogStreamKind;
    source: LogStreamSource;
    disabled_reason: 'failing' | null;
    cursor: Json<StreamCursor>;
    last_error: NullableJson<LogStreamError>;
  };
  mcp_servers: {
    auth_strategy: ServerAuthStrategy;
    auth_config: Json<McpServer['auth_config']>;
    headers: Json<Record<string, string>>;
    review: McpServer['review'];
    status: McpServer['status'];
  };
  mcp_server_tools: {
    definition: NullableJson<Record<string, unknown>>;
    warnings: Json<DefinitionWarning[]>;
    approved: NullableJson<Record<string, unknown>>;
  };
  oauth_approvals: { scopes: Scope[]; toolsets: NullableJson<Record<string, string>> };
  oauth_clients: { grant_types: Generated<OAuthGrantType[]>; jwks: NullableJson<Jwks> };
  oauth_connections: { status: OAuthConnection['status'] };
  oauth_grants: {
    client_kind: OAuthClientKind;
    scopes: Scope[];
    claims: NullableJson<Record<string, unknown>>;
    toolsets: NullableJson<Record<string, string>>;
  };
  oauth_providers: {
    provider: OAuthProviderKind;
    permissions: Permission[];
    required_claims: ColumnType<Record<string, string>, string | undefined, string>;
    link_by: Generated<(typeof linkKinds)[number]>;
    last_error: NullableJson<Pick<OAuthProviderError, 'code' | 'reason' | 'created_at'>>;
    pinned_issuer: NullableJson<PinnedIssuer>;
    found_issuer: NullableJson<ServerIssuer>;
  };
  oauth_requests: { client_kind: OAuthClientKind; scopes: Scope[] };
  organization_sso: { role_map: Json<Record<string, Role>>; default_role: Role | null };
  projects: {
    environment: Project['environment'];
    plan: Project['plan'];
    settings: Json<Record<string, unknown>>;
  };
  rate_limited_counts: { interval: 'minute' | 'hour' | 'day' };
  request_traces: { caller_kind: 'api_key' | 'member' | 'oauth_client' | 'root' | 'account' };
  sso_requests: {
    purpose: 'sign_in' | 'test' | 'link';
    settings: NullableJson<TestedSso>;
    steps: NullableJson<SsoTestStep[]>;
    identity: NullableJson<SsoIdentity>;
  };
  tasks: {
    transport: 'rest' | 'mcp';
    via: 'search' | null;
    status: 'starting' | TaskStatus;
    error: NullableJson<{ name: RefusalName; details: Record<string, unknown> }>;
    tool: NullableJson<object>;
  };
  signing_keys: { public_jwk: Json<PublicJwk> };
  tool_calls: {
    transport: 'rest' | 'mcp';
    via: 'search' | null;
    policy: NullableJson<PolicyEntry[]>;
    transaction_id: ReadOnly<string>;
    oldest_transaction_id: ReadOnly<string>;
  };
  tool_limits: { per: LimitSubject; overrides: Json<{ subject_id: string; limit: number }[]> };
  toolsets: {
    only: 'read_only' | null;
    grant: ToolsetGrant;
    exposure: (typeof toolsetExposures)[number];
  };
  webhooks: { disabled_reason: 'gone' | 'failing' | null };
}

/** The settings of a test of single sign-on, with the sealed secret. */
export type TestedSso = Pick<Columns['organization_sso'], 'issuer' | 'client_id' | 'client_secret' | 'role_claim'> & {
  domains: string[];
  role_map: Record<string, Role>;
  default_role: Role | null;
  is_required: boolean;
};

/** Who signed in at the identity provider. */
export type SsoIdentity = { issuer: string; subject: string; email: string; name: string; role: Role };

/** What is not a column is an error. */
type OnlyColumns<N> = {
  [T in keyof N]: T extends keyof Columns ? { [C in keyof N[T]]: C extends keyof Columns[T] ? N[T][C] : never } : never;
};
type Narrow<N extends OnlyColumns<N>> = {
  [T in keyof Columns]: T extends keyof N
    ? { [C in keyof Columns[T]]: C extends keyof N[T] ? N[T][C] : Columns[T][C] }
    : Columns[T];
};

export type Tables = Narrow<NarrowColumns>;

export type Row<T extends keyof Tables> = Selectable<Tables[T]>;

/** Columns an update may set; undefined leaves a column unchanged. */
export type Change<T extends keyof Tables, C extends keyof Row<T>> = { [K in C]?: Row<T>[K] | undefined };

/** The tables of secrets/. */
export type SecretsDatabase = Kysely<
  Pick<Tables, 'master_key_checks' | 'data_keys' | 'audit_keys' | 'audit_signing_keys' | 'encryption_keys'>
>;

/**
 * What a log stream has sent. For calls: all that `seen` sees; and if `until` is given, what that sees too up to the call `after`, in
 * the order of transactions. For audit entries: those up to `seq`.
 */
export type StreamCursor = CallCursor | AuditCursor;
export type CallCursor = { seen: string; until: string | null; after: CallPosition | null };
export type CallPosition = { transaction_id: string; created_at: string; id: string };
export type AuditCursor = { seq: number };

export type PublicJwk = { kty: 'EC'; crv: 'P-256'; x: string; y: string };
