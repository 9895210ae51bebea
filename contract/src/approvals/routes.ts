// /projects/{id}/approvals: list, read, approve and decline.

import { pageOf } from '../fields.ts';
import { defineResource } from '../resource.ts';
import { defineRoutes } from '../route.ts';
import { approval, approvalQuery, decision } from './approval.ts';
import { approvalEvents } from './events.ts';

const tag = 'Approvals';

const WHO =
  "If `by` is `user` and the call is for a member, keys of the integration that the session came from can decide. Otherwise owners, admins, and accounts and keys with `can_approve` or the permission `admin` can. Callers can't approve their own calls.";

export const approvalRoutes = defineRoutes({
  listApprovals: {
    method: 'GET',
    path: '/projects/:project_id/approvals',
    access: 'read',
    tag,
    summary: 'List approvals, newest first',
    description:
      'Calls that are waiting for approval, and those from the last 30 days. Arguments are shown to callers who have `admin` or can approve the call.',
    query: approvalQuery,
    response: pageOf(approval),
  },
  getApproval: {
    method: 'GET',
    path: '/projects/:project_id/approvals/:approval_id',
    access: 'read',
    tag,
    summary: 'Get an approval',
    description:
      'One call that is or was waiting for approval. Its arguments are shown to callers who have `admin` or can approve it.',
    response: approval,
  },
  approveCall: {
    method: 'POST',
    path: '/projects/:project_id/approvals/:approval_id/approve',
    access: 'decide',
    tag,
    summary: 'Approve a call',
    description: `The same caller can make the call once, with the same arguments, as long as the tool's definition does not change. ${WHO} Approving it again changes nothing; an approval that was declined, expired or cancelled is refused with 409.`,
    body: decision.optional(),
    response: approval,
    errors: ['approvalNotPending'],
  },
  declineCall: {
    method: 'POST',
    path: '/projects/:project_id/approvals/:approval_id/decline',
    access: 'decide',
    tag,
    summary: 'Decline a call',
    description: `The caller is told, with the reason. ${WHO} Declining it again changes nothing; an approval that was approved, expired or cancelled is refused with 409.`,
    body: decision.optional(),
    response: approval,
    errors: ['approvalNotPending'],
  },
});

export const approvals = defineResource({
  chapters: { Approvals: 'Calls that wait for approval, and who approved or declined them' },
  routes: approvalRoutes,
  events: approvalEvents,
});
