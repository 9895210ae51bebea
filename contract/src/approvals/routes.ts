// /projects/{id}/approvals: list, read, approve and decline.

import { pageOf } from '../fields.ts';
import { defineResource } from '../resource.ts';
import { defineRoutes } from '../route.ts';
import { approval, approvalQuery, decision } from './approval.ts';
import { approvalEvents } from './events.ts';

const tag = 'Approvals';

const WHO =
  'With `by` user and a member, keys of the integration that the session came from decide. All others are decided by owners, admins, and accounts and keys with `can_approve` or the permission `admin`; never by who asked.';

export const approvalRoutes = defineRoutes({
  listApprovals: {
    method: 'GET',
    path: '/projects/:project_id/approvals',
    access: 'read',
    tag,
    summary: 'List the approvals, newest first',
    description:
      'The calls that wait for a person, and those that did in the last 30 days. Arguments are shown to callers who have `admin` or may decide.',
    query: approvalQuery,
    answer: pageOf(approval),
  },
  getApproval: {
    method: 'GET',
    path: '/projects/:project_id/approvals/:approval_id',
    access: 'read',
    tag,
    summary: 'Read an approval',
    description:
      'One call that waits or waited for a person. Its arguments are shown to callers who have `admin` or may decide.',
    answer: approval,
  },
  approveCall: {
    method: 'POST',
    path: '/projects/:project_id/approvals/:approval_id/approve',
    access: 'decide',
    tag,
    summary: 'Approve a call',
    description: `The call may be made once, by the same caller, with the same arguments, while the definition of the tool stays as it is. ${WHO} Approving it again changes nothing; one that was declined, has expired or was cancelled is 409.`,
    body: decision.optional(),
    answer: approval,
    errors: ['approvalNotPending'],
  },
  declineCall: {
    method: 'POST',
    path: '/projects/:project_id/approvals/:approval_id/decline',
    access: 'decide',
    tag,
    summary: 'Decline a call',
    description: `Who asked is told, with the reason. ${WHO} Declining it again changes nothing; one that was approved, has expired or was cancelled is 409.`,
    body: decision.optional(),
    answer: approval,
    errors: ['approvalNotPending'],
  },
});

export const approvals = defineResource({
  chapters: { Approvals: 'Calls that wait for a person, and who said yes or no' },
  routes: approvalRoutes,
  events: approvalEvents,
});
