// /members: list and read the members of a project, and revoke their sessions.

import { pageOf } from '../fields.ts';
import { defineRoutes } from '../route.ts';
import { member, memberQuery } from './member.ts';

const tag = 'Members';

export const memberRoutes = defineRoutes({
  listMembers: {
    method: 'GET',
    path: '/members',
    access: 'admin',
    tag,
    summary: 'List or search the members, newest first',
    description:
      'The people who had a session in this project. A member is created by the first exchange of an assertion with a new `sub`; there is no other way to create one. Each has the number of its sessions that can be used now.',
    query: memberQuery,
    answer: pageOf(member),
  },
  getMember: {
    method: 'GET',
    path: '/members/:member_id',
    access: 'admin',
    tag,
    summary: 'Read a member',
    description: 'One member with the number of its sessions that can be used now.',
    answer: member,
  },
  revokeMemberSessions: {
    method: 'POST',
    path: '/members/:member_id/revoke-sessions',
    access: 'admin',
    tag,
    summary: 'End every session of a member',
    description:
      'All session tokens of the member are refused with 401 from now on, on every replica. The member stays and can get a new session with a new assertion. Returns the member, whose `active_sessions` is 0.',
    answer: member,
  },
});
