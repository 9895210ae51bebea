// When a member is deleted, so are the approvals that were asked for in their calls, with the arguments.

import type { App } from '../../../app.ts';
import type { MemberRef } from '../../members/members/delete.ts';
import { deleteApprovalsOf } from './ended-store.ts';

export async function deleteApprovalsOfMember(app: App, { id, project_id }: MemberRef) {
  const approvals = await deleteApprovalsOf(app.database, project_id, { member_id: id, now: app.now() });
  return { ended: { approvals } };
}
