// An assertion key: its columns, and how responses show it.

import type { AssertionKey } from '@toolgate/contract/assertion-keys/assertion-key.ts';
import { assertionKeyEvents } from '@toolgate/contract/assertion-keys/events.ts';
import type { Row } from '../../../database/tables.ts';
import { recorderOf } from '../../activity/events/record.ts';

export const assertionKeyColumns = [
  'id',
  'project_id',
  'kid',
  'algorithm',
  'public_key',
  'fingerprint',
  'created_by',
  'created_at',
  'deactivated_at',
] as const;

export function showAssertionKey(row: Row<'assertion_keys'>): AssertionKey {
  return { object: 'assertion_key', ...row, status: row.deactivated_at === null ? 'active' : 'deactivated' };
}

export const { recordChange } = recorderOf(assertionKeyEvents);
