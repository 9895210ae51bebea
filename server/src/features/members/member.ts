// A member: a person known by the customer's own id. Columns and public schema.

import { z } from 'zod';
import { timestamp } from '../../api/fields.ts';

export const memberColumns = ['id', 'project_id', 'external_id', 'created_at', 'last_seen_at'] as const;

export const memberSchema = z
  .strictObject({
    id: z.string(),
    object: z.literal('member'),
    project_id: z.string(),
    external_id: z.string().meta({ description: 'Your own id of the person', example: 'user-42' }),
    created_at: timestamp.meta({ description: 'When the first session was created' }),
    last_seen_at: timestamp.meta({ description: 'When a session was last created; written at most once a minute' }),
    active_sessions: z.int().meta({ description: 'Sessions that are neither expired nor ended' }),
  })
  .meta({ id: 'Member' });

export type Member = z.infer<typeof memberSchema>;
