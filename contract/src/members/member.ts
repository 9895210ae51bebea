// A member: a person known by the customer's own id.

import { z } from 'zod';
import { pageQuery, text, timestamp } from '../fields.ts';

export const member = z
  .strictObject({
    id: z.string(),
    object: z.literal('member'),
    project_id: z.string(),
    external_id: z.string().meta({ description: 'Your own id for the user', example: 'user-42' }),
    created_at: timestamp.meta({ description: 'When the first session was created' }),
    last_seen_at: timestamp.meta({ description: 'When a session was last created, updated at most once a minute' }),
    active_sessions: z.int().meta({ description: 'How many sessions are neither expired nor revoked' }),
  })
  .meta({ id: 'Member' });

export type Member = z.infer<typeof member>;

const ended = (what: string) => z.int().meta({ description: `How many ${what}` });

/** The data of `member.deleted`: nothing that says who it was. */
export const memberDeletion = z
  .strictObject({
    sessions: ended('sessions were revoked'),
    connections: ended('connected accounts were disconnected'),
    grants: ended('OAuth grants were revoked'),
    approvals: ended('pending or approved calls were cancelled'),
    tasks: ended('working tasks were cancelled'),
  })
  .meta({ id: 'MemberDeletion' });

export type MemberDeletion = z.infer<typeof memberDeletion>;

export const memberQuery = pageQuery.extend({
  external_id: text(1, 255).optional().meta({ description: 'Only the member with exactly this external id' }),
  search: text(1, 255).optional().meta({ description: 'Only members whose external id starts with this text' }),
});

export type MemberQuery = z.infer<typeof memberQuery>;
