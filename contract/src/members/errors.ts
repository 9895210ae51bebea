// The errors of members.

import type { ErrorRow } from '../error-row.ts';

export const membersErrors = {
  memberDeletionUnfinished: {
    status: 503,
    code: 'MEMBER_DELETION_UNFINISHED',
    message: 'The deletion of the member is not finished',
    cause:
      'The member no longer has access, but there are so many records about them that the deletion still continues. The server finishes it by itself.',
    remedy: 'Repeat the request after the seconds in Retry-After: 204 or 404 means that nothing is left.',
    step: 'answer',
  },
} as const satisfies Record<string, ErrorRow>;
