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
    project_id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the project; null for a change to the organization or its people' }),
    created_at: timestamp,
    actor: z
      .strictObject({
        kind: z
          .string()
          .meta({ description: '`api_key`, `member`, `account`, `root` or `system`', example: 'api_key' }),
        id: z
          .string()
          .nullable()
          .meta({ description: 'Id of the key, member or account; null for `root` and `system`' }),
      })
      .meta({
        description:
          'Who made the change: an `api_key`, `member` or `account` by its id, `root`, or the `system` itself',
      }),
    action: z.string().meta({ description: 'What was done', example: 'api_key.revoked' }),
    target_id: z.string().meta({ description: 'Id of what was changed' }),
    ip: z.string().nullable().meta({ description: 'The address that the request came from; null for the system' }),
    request_id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the request that made the change; null for the system' }),
    before: state.meta({
      description:
        'The state before, without secrets; of a change only the fields that differ. Null if it did not exist',
    }),
    after: state.meta({
      description:
        'The state afterwards, without secrets; of a change only the fields that differ. Null if it no longer exists',
    }),
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
