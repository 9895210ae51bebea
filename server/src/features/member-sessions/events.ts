// The events of member sessions. Reading them needs admin, as listing members does.

import { z } from 'zod';
import { type EventKind, exampleIds } from '../../api/event-kind.ts';
import { timestamp } from '../../api/fields.ts';
import { recorderOf } from '../events/record.ts';

const { member_id, integration_id } = exampleIds;

const memberSession = z
  .strictObject({
    id: z.string(),
    member_id: z.string().meta({ description: 'Id of the member' }),
    external_id: z.string().meta({ description: "The customer's own name for the person" }),
    integration_id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the integration that the session belongs to; null: its OAuth client has none' }),
    expires_at: timestamp.meta({ description: 'When the session ends' }),
  })
  .meta({ id: 'MemberSessionSummary' });

const revokedSessions = z
  .strictObject({
    member_id: z.string().meta({ description: 'Id of the member' }),
    external_id: z.string().meta({ description: "The customer's own name for the person" }),
    revoked_count: z.int().meta({ description: 'How many sessions were ended' }),
  })
  .meta({ id: 'RevokedSessions' });

export const memberSessionEvents = {
  'member_session.created': {
    description: 'A member got a session token',
    data: memberSession,
    example: {
      id: 'ses_3mBt8pVfYr2wKj6XhN0qLd',
      member_id,
      external_id: 'user-4711',
      integration_id,
      expires_at: '2026-11-15T12:15:00.000000Z',
    },
    readable_with: 'admin',
  },
  'member_session.revoked': {
    description: 'Sessions of a member were ended',
    data: revokedSessions,
    example: { member_id, external_id: 'user-4711', revoked_count: 2 },
    readable_with: 'admin',
  },
} satisfies Record<string, EventKind>;

export const { newEvent, recordChange } = recorderOf(memberSessionEvents);
