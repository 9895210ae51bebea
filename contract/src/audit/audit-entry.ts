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
          'Who made the change: an `api_key`, `member` or `account` with its id, `root`, or the `system` itself',
      }),
    action: z.string().meta({ description: 'What was done', example: 'api_key.revoked' }),
    target_id: z.string().meta({ description: 'Id of the changed resource' }),
    ip: z.string().nullable().meta({ description: 'The IP address of the request; null for the system' }),
    request_id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the request that made the change; null for the system' }),
    before: state.meta({
      description:
        'The state before the change, without secrets; for an update, only the fields that differ. Null if the resource did not exist',
    }),
    after: state.meta({
      description:
        'The state after the change, without secrets; for an update, only the fields that differ. Null if the resource no longer exists',
    }),
    count: z.int().meta({
      description: 'How many entries this one represents; more than 1 only with `collapse`',
      example: 1,
    }),
    seq: z
      .int()
      .nullable()
      .meta({ description: "Position in the organization's chain; null during the first seconds" }),
    hash: z.string().nullable().meta({ description: 'Links this entry to all entries before it; hex' }),
  })
  .meta({ id: 'AuditEntry' });

export type AuditEntry = z.infer<typeof auditEntry>;

const word = z.string().min(1).max(64);

export const auditQuery = pageQuery.extend({
  actor: word.optional().meta({
    description:
      'Only changes by this actor: the id of a key, member or account, or one of `root`, `system`, `api_key`, `member`, `account`',
  }),
  action: word.optional().meta({ description: 'Only this action, such as `api_key.created`' }),
  target: word.optional().meta({ description: 'Only changes to the resource with this id' }),
  from: timestampInput.optional().meta({ description: 'Only changes at or after this time' }),
  to: timestampInput.optional().meta({ description: 'Only changes before this time' }),
  request_id: word.optional().meta({ description: 'Only changes made by this request' }),
});

export const projectAuditQuery = auditQuery.extend({
  collapse: z.enum(['request']).optional().meta({
    description:
      'Combines entries that one request made with the same action, such as an import, into the newest one with a `count`. `request_id` lists them all',
  }),
});
