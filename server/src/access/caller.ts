// Who is calling. A door makes it from the credential; every verb receives it and trusts it.

import { refuse } from '../errors.ts';
import type { Permission } from './permissions.ts';

/** A project as its own callers see it; loaded with the credential, so nothing looks it up again. */
export type Project = {
  id: string;
  organization_id: string;
  /** A project and the siblings its keys made: they share the hour and every other fair share. */
  quota_group_id: string;
  name: string;
  environment: 'development' | 'production';
  plan: 'free' | 'pro' | 'enterprise';
  requests_per_hour: number | null;
  settings: ProjectSettings;
  created_at: string;
  updated_at: string;
};

export type ProjectSettings = {
  mcp_server_name: string | null;
  mcp_instructions: string | null;
  max_response_bytes: number;
};

export type ApiKeyCaller = {
  kind: 'api_key';
  project: Project;
  api_key_id: string;
  integration_id: string | null;
  permissions: readonly Permission[];
  expires_at: string | null;
  reauthenticate: Reauthenticate;
};

/** A person the customer vouched for. Has no permission on the management API. */
export type MemberCaller = {
  kind: 'member';
  project: Project;
  session_id: string;
  integration_id: string;
  member_id: string;
  external_id: string;
  reauthenticate: Reauthenticate;
};

/** Validates the same credential again, for a call that had to wait: the caller as it is now, or the usual 401. */
export type Reauthenticate = () => Promise<ToolCaller>;

/** The operator, holding the root key. `project` is the one the request is about, if any. */
export type RootCaller = { kind: 'root'; project: Project | null };

export type Caller = ApiKeyCaller | MemberCaller | RootCaller;

/** Who may call tools: never the root key (contract 3). */
export type ToolCaller = ApiKeyCaller | MemberCaller;

/** The project the request is about. Only the root key can have forgotten to name one. */
export function projectOf(caller: Caller): Project {
  if (caller.project) return caller.project;
  throw refuse.validation({
    details: { field: 'X-Project-Id', reason: 'the root key must name a project in this header' },
  });
}

/** Written down as `created_by`: the id of the key, or `root`. */
export function creatorOf(caller: Caller): string {
  return caller.kind === 'api_key' ? caller.api_key_id : caller.kind;
}
