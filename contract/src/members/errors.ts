// The errors of members.

import type { ErrorRow } from '../error-row.ts';

export const membersErrors = {
  memberDeletionUnfinished: {
    status: 503,
    code: 'MEMBER_DELETION_UNFINISHED',
    message: 'The deletion of the member is not finished',
    cause:
      'The member has no access any more, but so much was recorded of them that it is still being erased. The server goes on with it by itself.',
    remedy: 'Repeat the request after the seconds in Retry-After: 204 or 404 says that nothing is left.',
    step: 'answer',
  },
} as const satisfies Record<string, ErrorRow>;
