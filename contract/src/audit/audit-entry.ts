// An entry of the audit log, and which of them a list has.

import { z } from 'zod';
import { pageQuery, timestamp, timestampInput } from '../fields.ts';

const state = z.record(z.string(), z.unknown()).nullable();

export const auditEntry = z
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
    count: z.int().meta({
      description: 'How many entries this one stands for: more than 1 only with `collapse`',
      example: 1,
    }),
    seq: z.int().nullable().meta({ description: "Place in the organization's chain; null in its first seconds" }),
    hash: z.string().nullable().meta({ description: 'Binds this entry to all before it; hex' }),
  })
  .meta({ id: 'AuditEntry' });

export type AuditEntry = z.infer<typeof auditEntry>;

const word = z.string().min(1).max(64);

export const auditQuery = pageQuery.extend({
  actor: word.optional().meta({
    description:
      'Only changes made by this one: the id of a key, member or account, or `root`, `system`, `api_key`, `member`, `account`',
  }),
  action: word.optional().meta({ description: 'Only this action, such as `api_key.created`' }),
  target: word.optional().meta({ description: 'Only changes of the resource with this id' }),
  from: timestampInput.optional().meta({ description: 'Not before this time' }),
  to: timestampInput.optional().meta({ description: 'Before this time' }),
  request_id: word.optional().meta({ description: 'Only changes that this request made' }),
});

export const projectAuditQuery = auditQuery.extend({
  collapse: z.enum(['request']).optional().meta({
    description:
      'Shows only the newest of the entries that one request made with one action, such as an import, with their `count`. `request_id` lists them all',
  }),
});
