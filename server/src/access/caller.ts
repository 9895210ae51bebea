// Who is calling. Authentication creates the caller from the credential; every operation receives it and trusts it.

import { allows, type Permission } from '@toolgate/contract/permissions.ts';
import type { Project as ProjectResource } from '@toolgate/contract/projects/project.ts';
import type { MemberClaims } from '@toolgate/contract/projects/toolsets-of-member.ts';
import type { Role } from '@toolgate/contract/roles.ts';
import { refuse } from '../errors/errors.ts';
import type { GrantLayer } from './grant-layer.ts';
import type { Layers } from './layers.ts';

/** Loaded together with the credential, so no later step loads it again. */
export type Project = Omit<ProjectResource, 'object'> & {
  /**
   * Whose share of the database, of outgoing calls, DNS, deliveries, compilations and imports the project's work uses: the id of its
   * organization, or of its quota group if the operator made it. The database computes it, so that nobody else decides it.
   */
  fairness_key: string;
};

export type ApiKeyCaller = {
  kind: 'api_key';
  project: Project;
  api_key_id: string;
  integration_id: string | null;
  permissions: readonly Permission[];
  /** Decides about calls that wait for an approver, also without `admin`. */
  can_approve: boolean;
  /** Which toolsets it sees: those of the key and of its integration. */
  layers: Layers;
  expires_at: string | null;
  reauthenticate: Reauthenticate;
};

/** A person whom the customer, or an OAuth provider of the customer, authenticated. */
export type MemberCaller = {
  kind: 'member';
  project: Project;
  session_id: string;
  /** The key that created the session; null for a session made by OAuth. */
  api_key_id: string | null;
  /** Null for a session that an OAuth client without an integration made. */
  integration_id: string | null;
  member_id: string;
  external_id: string;
  /** What is said of the member, for hooks: by the assertion, or by the provider of a sign-in. */
  claims: MemberClaims;
  /** For a session made by OAuth. */
  oauth_client_id: string | null;
  /** Only sessions made by OAuth can have any. */
  permissions: readonly Permission[];
  /** False for a session made by OAuth without the scope `mcp`. */
  may_call_tools: boolean;
  /** Which toolsets it sees. */
  layers: Layers;
  /** What the person granted to the OAuth client; null if that narrows nothing. */
  grant: GrantLayer | null;
  expires_at: string;
  reauthenticate: Reauthenticate;
};

/** A machine: an OAuth client with a session for itself. It has no member, and no permissions on the management API. */
export type ClientCaller = {
  kind: 'oauth_client';
  project: Project;
  session_id: string;
  api_key_id: null;
  /** Null for a client without an integration. */
  integration_id: string | null;
  oauth_client_id: string;
  permissions: readonly Permission[];
  layers: Layers;
  expires_at: string;
  reauthenticate: Reauthenticate;
};

/** Validates the same credential again, for a call that waited in a queue. Returns the current caller, at once while it is cached, or throws 401. */
export type Reauthenticate = () => TokenCaller | Promise<TokenCaller>;

/** The operator, who holds the root key. `project` is the one that the request names, if any. */
export type RootCaller = {
  kind: 'root';
  project: Project | null;
  /** A background job, which is recorded as the system and not as the operator. */
  is_system?: true;
};

/** A person who signed in to the dashboard. Acts on the projects of its organization; `project` is the one that the request names. */
export type AccountCaller = {
  kind: 'account';
  project: Project | null;
  organization_id: string;
  account_id: string;
  session_id: string;
  role: Role;
  permissions: readonly Permission[];
  /** As of a key. */
  can_approve: boolean;
  /** When the person last gave the password or the second factor in this session; epoch milliseconds. */
  authenticated_at: number;
  /** An owner of the first organization: may set the plan and limits of every project, as the root key may. */
  is_operator: boolean;
};

export type Caller = TokenCaller | RootCaller | AccountCaller;

/** Callers with a token of a project. */
export type TokenCaller = ApiKeyCaller | MemberCaller | ClientCaller;

/** A person who tries a tool, on behalf of a test member or of the project (contract 12). */
export type TestCaller = {
  kind: 'test';
  project: Project;
  account_id: string;
  api_key_id: null;
  integration_id: null;
  member: { member_id: string; external_id: string } | null;
  layers: Layers;
  permissions: readonly Permission[];
  reauthenticate: () => Promise<TestCaller>;
};

/** Callers that may call tools. The root key may not (contract 3). */
export type ToolCaller = TokenCaller | TestCaller;

/** The member for whom a tool is called, or null. */
export function memberOf(caller: ToolCaller): { member_id: string; external_id: string } | null {
  if (caller.kind === 'member') return caller;
  return caller.kind === 'test' ? caller.member : null;
}

/** A credential that was found and is refused. The caller is told nothing more than for an unknown one; the trace names it. */
export type RefusedCaller = {
  kind: 'refused';
  caller: TokenCaller;
  reason: 'api_key_revoked' | 'api_key_inactive' | 'api_key_expired' | 'member_session_expired';
};

/** Returns the project of the request. Only a request with the root key or of an account can lack one. */
export function projectOf(caller: Caller): Project {
  if (caller.project) return caller.project;
  throw refuse.validation({
    details: { field: 'X-Project-Id', reason: 'project_not_named' },
  });
}

/** For routes with the access `account`. */
export function accountOf(caller: Caller): AccountCaller {
  if (caller.kind === 'account') return caller;
  throw refuse.insufficientPermissions({ details: { reason: 'account_only' } });
}

/** Whether the caller may set plans and limits (contract 4 and 12). */
export function isOperator(caller: Caller): boolean {
  return caller.kind === 'root' || (caller.kind === 'account' && caller.is_operator);
}

/** Returns the value for `created_by`: the id of the key, member, client or account, or `root`. */
export function creatorOf(caller: Caller): string {
  switch (caller.kind) {
    case 'api_key':
      return caller.api_key_id;
    case 'member':
      return caller.member_id;
    case 'oauth_client':
      return caller.oauth_client_id;
    case 'account':
      return caller.account_id;
    case 'root':
      return caller.is_system ? 'system' : 'root';
  }
}

/** Whether the caller has the permission on the management API. The root key has all. */
export function hasPermission(caller: Caller, needed: Permission): boolean {
  return caller.kind === 'root' || allows(caller.permissions, needed);
}

/** Whose database permits a request uses, and with whose requests it waits in turn: those of its project, or of the person. */
export function permitUser(caller: Exclude<Caller, RootCaller>): { id: string; fairness_key: string } {
  if (caller.kind !== 'account') return caller.project;
  return { id: caller.account_id, fairness_key: caller.organization_id };
}
