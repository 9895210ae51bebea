// Who polls for a task: whoever started it, as the API knows them. What they may see of the project is asked when they read the task.

import type { MemberClaims } from '@toolgate/contract/projects/toolsets-of-member.ts';
import type {
  ApiKeyCaller,
  ClientCaller,
  MemberCaller,
  Project,
  TestCaller,
  ToolCaller,
} from '../../../access/caller.ts';
import { EVERY_TOOL } from '../../../access/layers.ts';
import type { TaskRow } from './task.ts';

type Starter = Pick<
  TaskRow,
  'api_key_id' | 'session_id' | 'member_id' | 'integration_id' | 'oauth_client_id' | 'account_id' | 'expires_at'
> & { external_id: string | null; claims?: unknown };

/** `recheck` rejects if the credential has ended since. */
export function taskCaller(project: Project, starter: Starter, recheck: () => Promise<void>): ToolCaller {
  const { member_id, account_id, session_id } = starter;
  if (account_id !== null) return testStarter(project, starter, account_id, recheck);
  if (session_id !== null && member_id !== null) return memberStarter(project, starter, session_id, member_id, recheck);
  if (session_id !== null) return clientStarter(project, starter, session_id, recheck);
  return keyStarter(project, starter, recheck);
}

const unrestricted = (project: Project) => ({ project, layers: EVERY_TOOL, permissions: [] });

function testStarter(
  project: Project,
  { member_id, external_id }: Starter,
  account_id: string,
  recheck: () => Promise<void>,
): TestCaller {
  const caller: TestCaller = {
    kind: 'test',
    ...unrestricted(project),
    account_id,
    api_key_id: null,
    integration_id: null,
    member: member_id === null ? null : { member_id, external_id: external_id ?? '' },
    reauthenticate: () => recheck().then(() => caller),
  };
  return caller;
}

function memberStarter(
  project: Project,
  { api_key_id, integration_id, oauth_client_id, external_id, claims, expires_at }: Starter,
  session_id: string,
  member_id: string,
  recheck: () => Promise<void>,
): MemberCaller {
  const caller: MemberCaller = {
    kind: 'member',
    ...unrestricted(project),
    session_id,
    api_key_id,
    integration_id,
    member_id,
    external_id: external_id ?? '',
    claims: (claims ?? {}) as MemberClaims,
    oauth_client_id,
    may_call_tools: true,
    grant: null,
    expires_at,
    reauthenticate: () => recheck().then(() => caller),
  };
  return caller;
}

function clientStarter(
  project: Project,
  { integration_id, oauth_client_id, expires_at }: Starter,
  session_id: string,
  recheck: () => Promise<void>,
): ClientCaller {
  const caller: ClientCaller = {
    kind: 'oauth_client',
    ...unrestricted(project),
    session_id,
    api_key_id: null,
    integration_id,
    oauth_client_id: oauth_client_id ?? '',
    expires_at,
    reauthenticate: () => recheck().then(() => caller),
  };
  return caller;
}

function keyStarter(
  project: Project,
  { api_key_id, integration_id }: Starter,
  recheck: () => Promise<void>,
): ApiKeyCaller {
  const caller: ApiKeyCaller = {
    kind: 'api_key',
    ...unrestricted(project),
    api_key_id: api_key_id ?? '',
    integration_id,
    can_approve: false,
    expires_at: null,
    reauthenticate: () => recheck().then(() => caller),
  };
  return caller;
}
