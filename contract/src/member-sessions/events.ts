// The events of member sessions. Reading them needs admin, as listing members does.

import type { EventKind } from '../events/event-kind.ts';
import { exampleIds } from '../ids.ts';
import { memberSessionSummary, revokedSessions } from './member-session.ts';

const { member_id, integration_id } = exampleIds;

export const memberSessionEvents = {
  'member_session.created': {
    description: 'A session token was issued for a member',
    data: memberSessionSummary,
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
    description: "A member's sessions were revoked",
    data: revokedSessions,
    example: { member_id, external_id: 'user-4711', revoked_count: 2 },
    readable_with: 'admin',
  },
} satisfies Record<string, EventKind>;
