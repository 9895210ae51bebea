// An audit entry as the API shows it.

import { z } from 'zod';
import { timestamp } from '../../api/fields.ts';
import type { Row } from '../../database/tables.ts';

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

type EntryRow = Pick<Row<'audit_entries'>, (typeof entryColumns)[number]>;

const state = z.record(z.string(), z.unknown()).nullable();

export const entrySchema = z
  .strictObject({
    id: z.string(),
    object: z.literal('audit_entry'),
    project_id: z.string(),
    created_at: timestamp,
    actor: z
      .strictObject({ kind: z.string().meta({ example: 'api_key' }), id: z.string().nullable() })
      .meta({ description: 'Who: an `api_key` or `member` by its id, `root`, or the `system` itself' }),
    action: z.string().meta({ description: 'What', example: 'api_key.revoked' }),
    target_id: z.string().meta({ description: 'On what' }),
    ip: z.string().nullable().meta({ description: 'From where' }),
    request_id: z.string().nullable(),
    before: state.meta({ description: 'Without secrets; of a change only what differs' }),
    after: state,
    seq: z.int().nullable().meta({ description: "Place in the organization's chain; null in its first seconds" }),
    hash: z.string().nullable().meta({ description: 'Binds this entry to all before it; hex' }),
  })
  .meta({ id: 'AuditEntry' });

export type AuditEntry = z.infer<typeof entrySchema>;

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
