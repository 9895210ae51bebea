// An audit entry as the API shows it.

import type { AuditEntry } from '@toolgate/contract/audit/audit-entry.ts';
import type { Row } from '../../../database/tables.ts';

export const entryColumns = [
  'id',
  'seq',
  'project_id',
  'created_at',
  'actor_kind',
  'actor_id',
  'action',
  'target_id',
  'ip',
  'request_id',
  'before',
  'after',
  'hash',
] as const;

type EntryRow = Pick<Row<'audit_entries'>, (typeof entryColumns)[number]> & { count: number };

export function showEntry({ actor_kind, actor_id, hash, before, after, ...row }: EntryRow): AuditEntry {
  return {
    object: 'audit_entry',
    ...row,
    actor: { kind: actor_kind, id: actor_id },
    before: before as AuditEntry['before'],
    after: after as AuditEntry['after'],
    hash: hash?.toString('hex') ?? null,
  };
}
