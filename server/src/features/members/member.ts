// A member: a person known by the customer's own id. Columns and public schema.

import { z } from 'zod';
import { timestamp } from '../../api/fields.ts';
import type { Row } from '../../database/tables.ts';

export const memberColumns = ['id', 'project_id', 'external_id', 'created_at', 'last_seen_at'] as const;

export const memberSchema = z
  .strictObject({
    id: z.string(),
    object: z.literal('member'),
    project_id: z.string(),
    external_id: z.string().meta({ description: 'Your own id of the person', example: 'user-42' }),
    created_at: timestamp.meta({ description: 'When the first session was created' }),
    last_seen_at: timestamp.meta({ description: 'When a session was last created; written at most once a minute' }),
  })
  .meta({ id: 'Member' });

export const memberWithSessions = memberSchema
  .extend({
    active_sessions: z.int().meta({ description: 'Sessions that are neither expired nor revoked' }),
  })
  .meta({ id: 'MemberWithSessions' });

export type Member = z.infer<typeof memberSchema>;
export type MemberWithSessions = z.infer<typeof memberWithSessions>;

export const showMember = (row: Row<'members'>): Member => ({ object: 'member', ...row });
