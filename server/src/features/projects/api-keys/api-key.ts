// An API key: its columns, and its status in responses.

import type { ApiKey } from '@toolgate/contract/api-keys/api-key.ts';
import { apiKeyEvents } from '@toolgate/contract/api-keys/events.ts';
import type { Row } from '../../../database/tables.ts';
import { refuse } from '../../../errors/errors.ts';
import { recorderOf } from '../../activity/events/record.ts';

export const keyColumns = [
  'id',
  'project_id',
  'integration_id',
  'name',
  'permissions',
  'toolset_ids',
  'can_approve',
  'prefix',
  'last4',
  'is_active',
  'revoked_at',
  'expires_at',
  'last_used_at',
  'rotated_to',
  'created_by',
  'created_at',
] as const;

export type KeyRow = Pick<Row<'api_keys'>, (typeof keyColumns)[number]>;

export function showKey({ is_active, revoked_at, ...row }: KeyRow, now: number): ApiKey {
  return { object: 'api_key', ...row, status: keyStatus({ is_active, revoked_at, expires_at: row.expires_at }, now) };
}

function keyStatus(row: Pick<KeyRow, 'is_active' | 'revoked_at' | 'expires_at'>, now: number): ApiKey['status'] {
  if (row.revoked_at !== null) return 'revoked';
  if (row.expires_at !== null && Date.parse(row.expires_at) <= now) return 'expired';
  return row.is_active ? 'active' : 'inactive';
}

/** Revoked and expired are final. */
export function refuseEnded(row: KeyRow, now: number): void {
  const status = keyStatus(row, now);
  if (status === 'revoked' || status === 'expired')
    throw refuse.keyNotActive({ details: { field: 'status', value: status } });
}

/** Records the events of API keys. Reading them needs admin, as listing keys does. */
export const { recordChange } = recorderOf(apiKeyEvents);
