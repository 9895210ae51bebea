// The texts of the API reference for these routes.

import { routeDocs } from '../../api/route-docs.ts';

export const docs = routeDocs({
  listMembers: {
    summary: 'List or search the members, newest first',
    description:
      'The people who had a session in this project. A member is created by the first exchange of an assertion with a new `sub`; there is no other way to create one. Each has the number of its sessions that can be used now.',
  },
  getMember: {
    summary: 'Read a member',
    description: 'One member with the number of its sessions that can be used now.',
  },
  revokeMemberSessions: {
    summary: 'End every session of a member',
    description:
      'All session tokens of the member are refused with 401 from now on, on every replica. The member stays and can get a new session with a new assertion. Answers with the member, whose `active_sessions` is 0.',
  },
});
