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
    summary: 'List or search members, newest first',
    description:
      'The users who had a session in this project. A member is created by the first assertion with a new `sub`, or by the first sign-in. Each member has the number of sessions that are still valid.',
    query: memberQuery,
    response: pageOf(member),
  },
  getMember: {
    method: 'GET',
    path: '/members/:member_id',
    access: 'admin',
    tag,
    summary: 'Get a member',
    description: 'One member with the number of sessions that are still valid.',
    response: member,
  },
  deleteMember: {
    method: 'DELETE',
    path: '/members/:member_id',
    access: 'admin',
    tag,
    summary: "Delete a member and the user's data",
    description:
      'Use this when a user asks you to delete their data. Sessions, connected accounts, OAuth grants and approvals are deleted on every replica within a second; connected accounts are also revoked at their providers. The call log keeps the calls without the member; arguments and results of those calls are deleted, and stored events no longer contain the user. The audit log gets an entry that does not reveal who it was; older entries stay until their retention expires, because hashes link the entries. 204 means that nothing else is left. If there are very many calls, the deletion takes longer than a request: the response is 503 `MEMBER_DELETION_UNFINISHED`, and you repeat the same request. If the same `sub` appears later, it is a new member.',
    response: null,
    errors: ['memberDeletionUnfinished'],
  },
  revokeMemberSessions: {
    method: 'POST',
    path: '/members/:member_id/revoke-sessions',
    access: 'admin',
    tag,
    summary: "Revoke all of a member's sessions",
    description:
      "All of the member's session tokens are refused with 401 immediately, on every replica. The member stays and can get a new session with a new assertion. Returns the member with `active_sessions` 0.",
    response: member,
  },
});

export const members = defineResource({
  chapters: { Members: 'The users that tools are called for, and their sessions' },
  routes: memberRoutes,
  events: memberEvents,
});
