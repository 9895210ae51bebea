// Creates API keys. A key cannot create a key with a permission that it lacks itself.

import type { ApiKeyRequest, NewApiKey } from '@toolgate/contract/api-keys/api-key.ts';
import type { Permission } from '@toolgate/contract/permissions.ts';
import { type Caller, creatorOf, hasPermission, type Project, projectOf } from '../../../access/caller.ts';
import { lacksPermission } from '../../../access/lacks-permission.ts';
import { refuseBeyondCaller } from '../../../access/narrowed-caller.ts';
import { refuseBeyondLimit } from '../../../api/resource-limit.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { transact } from '../../../database/transact.ts';
import { invalidField } from '../../../errors/errors.ts';
import { hashToken, makeToken } from '../../../secrets/tokens.ts';
import { refuseUnknownToolsets } from '../../policies/toolsets/known-toolsets.ts';
import { recordChange, showKey } from './api-key.ts';
import { insertKey } from './store.ts';

const MAX_LIFETIME_MS = 10 * 366 * 86_400_000;
const PREFIX_LENGTH = 12;

/** What ties a key to an integration, and what that integration sees. */
type IntegrationOfKey = { integration_id?: string; integration_toolset_ids?: string[] | null };

/** `integration_id` ties the key to an integration, which session tokens need (spec 2). */
export async function createKey(app: App, caller: Caller, input: ApiKeyRequest & IntegrationOfKey): Promise<NewApiKey> {
  refuseEscalation(caller, input.permissions, input.can_approve);
  refuseBeyondCaller(caller, { key: input.toolset_ids, integration: input.integration_toolset_ids ?? null });
  return transact(app, (app) => issueKey(app, caller, projectOf(caller), input));
}

/** Does not check the permissions: for operations that have checked them. */
export async function issueKey(
  app: App,
  caller: Caller,
  project: Project,
  input: ApiKeyRequest & { integration_id?: string | null },
): Promise<NewApiKey> {
  const { name, permissions, expires_at, toolset_ids, can_approve, integration_id } = input;
  if (expires_at !== null) refuseExpiry(expires_at, app.now());
  await refuseUnknownToolsets(app, project.id, toolset_ids);
  await refuseBeyondLimit(app, 'api_keys', project.id);
  const key = makeToken(project.environment === 'production' ? 'svc_live_' : 'svc_test_');
  const row = await insertKey(app.database, {
    id: newId('key'),
    project_id: project.id,
    integration_id: integration_id ?? null,
    name,
    permissions,
    toolset_ids,
    can_approve,
    hash: hashToken(key),
    prefix: key.slice(0, PREFIX_LENGTH),
    last4: key.slice(-4),
    expires_at,
    created_by: creatorOf(caller),
  });
  const data = showKey(row, app.now());
  await recordChange(app, caller, { type: 'api_key.created', target_id: row.id, data }, project);
  return { ...data, key };
}

export function refuseEscalation(caller: Caller, wanted: readonly Permission[], can_approve = false): void {
  const missing = wanted.find((permission) => !hasPermission(caller, permission));
  if (missing !== undefined) throw lacksPermission(caller, missing, { field: 'permissions' });
  if (can_approve) refuseApprovalByOthers(caller);
}

/** Who may approve calls is decided by admins. */
export function refuseApprovalByOthers(caller: Caller): void {
  if (hasPermission(caller, 'admin')) return;
  throw lacksPermission(caller, 'admin', { field: 'can_approve', reason: 'can_approve_needs_admin' });
}

function refuseExpiry(expires_at: string, now: number): void {
  const at = Date.parse(expires_at);
  if (at > now && at <= now + MAX_LIFETIME_MS) return;
  throw invalidField('expires_at', 'must be in the future, within 10 years', { value: expires_at });
}
