// /members: list, read and delete the members of a project, and revoke their sessions.

import { pageOf } from '../fields.ts';
import { defineResource } from '../resource.ts';
import { defineRoutes } from '../route.ts';
import { memberEvents } from './events.ts';
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
  deleteMember: {
    method: 'DELETE',
    path: '/members/:member_id',
    access: 'admin',
    tag,
    summary: 'Delete a member, and what was recorded of the person',
    description:
      'For a person who asks to be forgotten. Sessions, connected accounts, OAuth grants and approvals end, on every replica within a second; connected accounts are also revoked at their providers. The call log keeps the calls and loses the member, arguments and results of their calls are deleted, and stored events lose the person. The audit log has an entry that does not say who it was; older entries stay until their retention, because the log is a chain of hashes. 204 means that nothing else is left. With very many calls that takes longer than a request: then the response is 503 `MEMBER_DELETION_UNFINISHED`, and the same request again waits further. The same `sub` later is a new member.',
    answer: null,
    errors: ['memberDeletionUnfinished'],
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

export const members = defineResource({
  chapters: { Members: 'The people tools are called for, and their sessions' },
  routes: memberRoutes,
  events: memberEvents,
});
