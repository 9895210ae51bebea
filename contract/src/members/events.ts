// The event of a member who was deleted. Reading it needs admin, as listing members does.

import type { EventKind } from '../events/event-kind.ts';
import { memberDeletion } from './member.ts';

export const memberEvents = {
  'member.deleted': {
    description: 'A member was deleted. The event does not reveal who it was',
    data: memberDeletion,
    example: { sessions: 2, connections: 1, grants: 1, approvals: 0, tasks: 0 },
    readable_with: 'admin',
  },
} satisfies Record<string, EventKind>;
